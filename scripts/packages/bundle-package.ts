/** Bundles the modules of a package, so that it installs no others, and lists the packages that are in the bundle. */
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { asShipped } from '../../infra/bundling/bundle.ts';
import type { PackageSpec } from './package-table.ts';

/** `evenkeel start` runs the local run of its own package; published packages contain the page, so that its builder is left out. */
const otherPackages: Plugin = {
  name: 'other-packages',
  setup(bundler) {
    bundler.onResolve({ filter: /\/local\/start\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: '@evenkeel/local', external: true },
    );
    bundler.onResolve({ filter: /\/build-console\.ts$/ }, ({ path }) => ({ path, namespace: 'no-builder' }));
    bundler.onLoad({ filter: /./, namespace: 'no-builder' }, () => ({
      contents: 'export const isConsoleStale = () => false; export const buildConsole = () => undefined;',
    }));
  },
};

/** On Node 20 the SDK warns that its later versions will not run there; the one in the bundle does. */
const define = { 'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"' };

const formats: Readonly<Record<PackageSpec['format'], BuildOptions>> = {
  esm: { format: 'esm', splitting: true, define },
  // import.meta does not exist in CommonJS.
  cjs: { format: 'cjs', banner: {}, define: { ...define, 'import.meta.dirname': '__dirname' } },
};

/** The folders of the packages that are in the bundle. */
export async function bundlePackage(spec: PackageSpec, folder: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...asShipped,
    ...formats[spec.format],
    entryPoints: { ...spec.entries },
    outdir: join(folder, 'dist'),
    // The lowest Node that engines names.
    target: 'node20.19',
    keepNames: true,
    // Not the alias of functions: a user's credentials come from profiles and SSO too.
    // Node warns of its own punycode, but not where a package in node_modules requires it.
    alias: { punycode: 'punycode/' },
    external: [...spec.dependencies, ...Object.keys(spec.peerDependencies ?? {})],
    plugins: [otherPackages],
    // Notices are collected from the packages.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: used }) => Object.keys(used));
  const folders = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}
