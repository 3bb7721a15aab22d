/** Plants a bug: modules that are loaded from its file later have the change. Call it before any import of product code. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type PlantedBug, plantedBugs } from './bugs.ts';

const ROOT = new URL('../../../', import.meta.url);

export function plant(name: string): PlantedBug {
  const bug = plantedBugs.find((each) => each.name === name);
  if (bug === undefined)
    throw new Error(
      `no bug ${JSON.stringify(name)}; use one of:\n${plantedBugs.map((each) => `  ${each.name}`).join('\n')}`,
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

/** Throws if the product code has changed so that the bug no longer applies. */
export function withBug(source: string, { replaces, by, file, name }: PlantedBug): string {
  const parts = source.split(replaces);
  if (parts.length !== 2)
    throw new Error(
      `${fileURLToPath(new URL(file, ROOT))} contains the code of the bug '${name}' ${parts.length - 1} times, must be once: ${replaces}`,
    );
  return parts.join(by);
}
