/** Plants a bug: from here on the module that is loaded from its file has the change. To be called before anything of the product is imported. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type PlantedBug, plantedBugs } from './bugs.ts';

const ROOT = new URL('../../../', import.meta.url);

export function plant(name: string): PlantedBug {
  const bug = plantedBugs.find((each) => each.name === name);
  if (bug === undefined)
    throw new Error(
      `there is no bug ${JSON.stringify(name)} to plant; there are:\n${plantedBugs.map((each) => `  ${each.name}`).join('\n')}`,
    );
  const url = new URL(bug.file, ROOT).href;
  registerHooks({
    load(loaded, context, nextLoad) {
      const module = nextLoad(loaded, context);
      return loaded === url ? { ...module, source: withBug(textOf(module.source), bug) } : module;
    },
  });
  return bug;
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray | undefined): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

/** Throws where the code has changed so that the bug no longer fits. */
export function withBug(source: string, { replaces, by, file, name }: PlantedBug): string {
  const parts = source.split(replaces);
  if (parts.length !== 2)
    throw new Error(
      `${fileURLToPath(new URL(file, ROOT))} has the place of the bug '${name}' ${parts.length - 1} times, not once: ${replaces}`,
    );
  return parts.join(by);
}
