/** Builds the console (console/) into dist/console, which the local run and the deployed stack serve. `--if-stale` skips a build that is newer than its sources. */
import { globSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { packageRoot } from '../function-paths.ts';
import { filesOf, replaceFolder } from './replace-folder.ts';

const sourcesOf = (root: string) => join(root, 'console');

export async function buildConsole(outDir: string): Promise<void> {
  await replaceFolder(dirname(outDir), outDir, buildInto);
}

async function buildInto(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: sourcesOf(packageRoot()),
    // Relative, so that it can be served below a path.
    base: './',
    logLevel: 'warn',
    // Independent of NODE_ENV: the development build contains paths of this machine.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      cssTarget: 'chrome123',
      // The page's policy is `default-src 'self'`: nothing may be inlined as a data: URL.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}

/** Whether there is no build, or a source is newer. */
export function isConsoleStale(outDir: string): boolean {
  const built = statSync(join(outDir, 'index.html'), { throwIfNoEntry: false });
  if (built === undefined) return true;
  const sources = globSync('**/*', { cwd: sourcesOf(packageRoot()), withFileTypes: true });
  return sources.some(
    (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > built.mtimeMs,
  );
}

export interface BuiltFile {
  readonly path: string;
  readonly bytes: number;
  readonly gzipped: number;
}

export async function builtFiles(outDir: string): Promise<readonly BuiltFile[]> {
  const paths = await filesOf(outDir);
  return Promise.all(
    paths.toSorted().map(async (path) => {
      const content = await readFile(join(outDir, path));
      return { path, bytes: content.length, gzipped: gzipSync(content).length };
    }),
  );
}

if (import.meta.main) {
  const outDir = join(packageRoot(), 'dist', 'console');
  if (!process.argv.includes('--if-stale') || isConsoleStale(outDir)) {
    await buildConsole(outDir);
    const files = await builtFiles(outDir);
    const kB = (of: 'bytes' | 'gzipped') => Math.ceil(files.reduce((sum, file) => sum + file[of], 0) / 1000);
    console.log(`console: ${files.length} files, ${kB('bytes')} kB, ${kB('gzipped')} kB gzipped`);
  }
}
