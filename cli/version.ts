/** The version of the package that this is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a checkout it lies beside this folder, of the package a folder further up. */
export function packageVersion(): string {
  const [file] = ['..', join('..', '..')]
    .map((up) => join(import.meta.dirname, up, 'package.json'))
    .filter((path) => existsSync(path));
  if (file === undefined) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
