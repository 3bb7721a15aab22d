/** What a client costs before its first request: the bytes it adds to a function's bundle, and the time Node takes to load them. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Spread, spread } from './figures.ts';

export interface BundleCost {
  readonly name: string;
  readonly bytes: number;
  readonly initMs: Spread;
}

const RUNS = 7;
const root = resolve(import.meta.dirname, '..');
const entries = {
  'own transport': "export { createTransport } from './shared/adapters/kubernetes/transport.ts';",
  'own hub, with pacing': "export { connectHub } from './shared/adapters/kubernetes/connect-hub.ts';",
  'client-node, CustomObjectsApi':
    "export { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';",
};
/** As in the functions' bundles: some packages are CommonJS and call `require`, which an ES module does not have. */
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

export async function measureBundles(): Promise<readonly BundleCost[]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-bench-'));
  try {
    const costs: BundleCost[] = [];
    // One after another: side by side, they would measure each other.
    for (const [index, [name, contents]] of Object.entries(entries).entries()) {
      const outfile = join(folder, `${index}.mjs`);
      const bytes = await bundle(contents, outfile);
      const times: number[] = [];
      for (let i = 0; i < RUNS; i++) times.push(await coldInit(outfile));
      costs.push({ name, bytes, initMs: spread(times) });
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
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return Object.values(metafile.outputs)[0]?.bytes ?? Number.NaN;
}

/** A process of its own each time, as a cold start is; the time is that of the import alone. */
async function coldInit(file: string): Promise<number> {
  const script = `const start = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(performance.now() - start)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return Number(stdout.trim());
}
