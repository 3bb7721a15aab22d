/** The cost of a client before its first request: the bytes that it adds to a function's bundle, and their load time in Node. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { asShipped } from '../infra/bundling/bundle.ts';
import { coldInit } from '../infra/bundling/cold-init.ts';
import { type Figure, figure } from './result.ts';

const RUNS = 7;
const root = resolve(import.meta.dirname, '..');
const entries = {
  'own transport': "export { createTransport } from './shared/kubernetes/client/transport.ts';",
  'own hub, with pacing': "export { connectHub } from './shared/kubernetes/client/connect-hub.ts';",
  'client-node, CustomObjectsApi':
    "export { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from 'client-node-2';",
};
export async function measureBundles(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-bench-'));
  try {
    const costs: Figure[] = [];
    // One after another: concurrent runs would affect each other.
    for (const [index, [name, contents]] of Object.entries(entries).entries()) {
      const outfile = join(folder, `${index}.mjs`);
      const bytes = await bundle(contents, outfile);
      const times: number[] = [];
      for (let i = 0; i < RUNS; i++) times.push(await coldInit(outfile));
      costs.push(figure(`${name}: bundle, minified`, 'bytes', [bytes]), figure(`${name}: cold import`, 'ms', times));
    }
    return costs;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(contents: string, outfile: string): Promise<number> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    ...asShipped,
    metafile: true,
    logLevel: 'warning',
  });
  return Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)?.bytes ?? Number.NaN;
}
