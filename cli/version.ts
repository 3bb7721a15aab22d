/** The version of this package. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In a checkout package.json is beside this folder, in the package one folder up. */
export function packageVersion(): string {
  const [file] = ['..', join('..', '..')]
    .map((up) => join(import.meta.dirname, up, 'package.json'))
    .filter((path) => existsSync(path));
  if (file === undefined) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
