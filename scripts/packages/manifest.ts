/** Decides the package.json of a published package. */
import type { PackageSpec } from './package-table.ts';

/** The package.json of this repository: versions, licence and engines are stated there. */
export interface RootManifest {
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface ManifestContext {
  readonly root: RootManifest;
  /** Path of the declarations. */
  readonly types: string | undefined;
}

export function manifestOf(spec: PackageSpec, { root, types }: ManifestContext): object {
  const { name, description, format, bin = {}, main, peerDependencies = {}, optionalPeers = [] } = spec;
  const fileOf = (entry: string) => `./dist/${entry}.js`;
  return {
    ...{ name, version: root.version, description, license: root.license, keywords: root.keywords },
    type: format === 'esm' ? 'module' : 'commonjs',
    engines: root.engines,
    ...(Object.keys(bin).length > 0 && { bin: mapped(bin, fileOf) }),
    ...(main !== undefined && {
      // For resolvers that do not read exports.
      main: fileOf(main),
      ...(types !== undefined && { types: `./${types}` }),
      exports: {
        '.': { ...(types !== undefined && { types: `./${types}` }), default: fileOf(main) },
        './package.json': './package.json',
      },
    }),
    dependencies: Object.fromEntries(spec.dependencies.map((each) => [each, root.dependencies[each]])),
    peerDependencies: mapped(peerDependencies, (range) => (range === 'VERSION' ? root.version : range)),
    peerDependenciesMeta: Object.fromEntries(optionalPeers.map((each) => [each, { optional: true }])),
  };
}

function mapped(of: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}
