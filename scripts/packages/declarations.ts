/** Copies the type declarations of a module with those that it imports. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORT = /(?:from |import\()['"](\.[^'"]+)['"]/g;

/** `from`: the folder with the declarations of the product. Returns the path of the entry's declaration in `to`. */
export function copyDeclarations(entry: string, from: string, to: string): string {
  const first = join(from, entry.replace(/\.ts$/, '.d.ts'));
  const found = new Set([first]);
  // A set is read on while it grows.
  for (const file of found) {
    const target = join(to, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      found.add(join(dirname(file), path.replace(/\.(js|ts)$/, '.d.ts')));
  }
  return relative(from, first);
}
