/** Bundles each function into a separate folder under dist/functions, for `npm run bundle`, `cdk synth` and the size check. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type FunctionName, functionNames } from '../../shared/bus/functions.ts';
import { bundleFolderOf, entryOf, packageRoot, SERVE_CONSOLE } from '../function-paths.ts';
import { buildConsole, isConsoleStale } from './build-console.ts';
import { replaceFolder } from './replace-folder.ts';

export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** The packages in it, the largest first. */
  readonly packages: readonly (readonly [string, number])[];
}

/** The AWS SDK's older packages are CommonJS and call `require`, which an ES module does not have. */
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The bundle options of a function, also used by benchmarks that compare sizes. */
export const asShipped = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Prefers the SDK's ES modules, because tree shaking needs them.
  mainFields: ['module', 'main'],
  banner: { js: banner },
  alias: { '@aws-sdk/credential-provider-node': join(packageRoot(), 'shared', 'aws', 'lambda-credentials.ts') },
  // License texts of the bundled packages are written to a file next to the bundle.
  legalComments: 'external',
} satisfies BuildOptions;

export async function bundleFunctions(names: readonly FunctionName[] = functionNames): Promise<readonly Bundle[]> {
  return Promise.all(names.map((name) => bundleEntry(packageRoot(), { name, entry: entryOf(name) })));
}

/** The server of the console, with the console's files. */
export async function bundleConsole(): Promise<Bundle> {
  const root = packageRoot();
  const page = join(root, 'dist', 'console');
  if (isConsoleStale(page)) await buildConsole(page);
  return bundleEntry(root, { name: SERVE_CONSOLE, entry: entryOf(SERVE_CONSOLE), folders: { console: page } });
}

export interface BundleEntry {
  readonly name: string;
  readonly entry: string;
  /** Copied into the bundle: their names there, and their paths. */
  readonly folders?: Readonly<Record<string, string>>;
}

export async function bundleEntry(root: string, { name, entry, folders = {} }: BundleEntry): Promise<Bundle> {
  const folder = join(root, bundleFolderOf(name));
  const { metafile } = await replaceFolder(join(root, 'dist'), folder, async (staging) => {
    for (const [to, from] of Object.entries(folders)) await cp(from, join(staging, to), { recursive: true });
    return build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(staging, 'index.mjs'),
      ...asShipped,
      metafile: true,
      logLevel: 'warning',
    });
  });
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined);
  if (!output) throw new Error(`esbuild wrote no bundle for ${entry}`);
  return { name, file: join(folder, 'index.mjs'), bytes: output.bytes, packages: packagesOf(output.inputs) };
}

function packagesOf(inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>): Bundle['packages'] {
  const bytes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'evenkeel';
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }
  return [...bytes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

if (import.meta.main) {
  for (const { name, bytes } of [...(await bundleFunctions()), await bundleConsole()])
    console.log(`${name}: ${Math.ceil(bytes / 1000)} kB`);
}
