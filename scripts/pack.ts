/** `npm run pack`: makes the packages of package-table.ts in dist/packages, prints their sizes, and fails if one is over its limit. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from '../infra/bundling/build-console.ts';
import { bundleConsole, bundleFunctions } from '../infra/bundling/bundle.ts';
import { bundlePackage } from './packages/bundle-package.ts';
import { copyDeclarations } from './packages/declarations.ts';
import { manifestOf, type RootManifest } from './packages/manifest.ts';
import { noticesOf } from './packages/notices.ts';
import { type PackageSpec, packages, packedFile } from './packages/package-table.ts';

const OUT = join('dist', 'packages');
const TYPES = join('dist', 'types');

/** Returns the size of the packed file. */
async function pack(spec: PackageSpec, root: RootManifest): Promise<number> {
  const folder = join(OUT, spec.name);
  const bundled = await bundlePackage(spec, folder);
  for (const [from, to] of Object.entries(spec.copies)) cpSync(from, join(folder, to), { recursive: true });
  const types = spec.types && join('types', copyDeclarations(spec.types, TYPES, join(folder, 'types')));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(spec, { root, types }), undefined, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(bundled));
  cpSync('LICENSE', join(folder, 'LICENSE'));
  cpSync(join('scripts', 'packages', `${spec.name.replace('@evenkeel/', '')}.md`), join(folder, 'README.md'));
  execFileSync('npm', ['pack', folder, '--silent', '--ignore-scripts', '--pack-destination', OUT]);
  return statSync(join(OUT, packedFile(spec.name, root.version))).size;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const root = JSON.parse(readFileSync('package.json', 'utf8')) as RootManifest;
const compiler = join('node_modules', 'typescript-native', 'bin', 'tsc');
const declarations = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', TYPES];
execFileSync(process.execPath, [compiler, ...declarations], { stdio: 'inherit' });
await buildConsole(join('dist', 'console'));
await bundleFunctions();
await bundleConsole();
for (const spec of packages) {
  const kB = Math.ceil((await pack(spec, root)) / 1000);
  console.log(`${spec.name.padEnd(16)} ${String(kB).padStart(6)} kB of at most ${spec.mostKB} kB`);
  if (kB > spec.mostKB) process.exitCode = 1;
}
