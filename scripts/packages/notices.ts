/** The licences of bundled packages, as their terms require. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** `folders`: of the packages. */
export function noticesOf(folders: readonly string[]): string {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage;
    const files = readdirSync(folder)
      .filter((file) => LICENCE.test(file))
      .sort();
    if (files.length === 0 && license === undefined) throw new Error(`${name} states no licence`);
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
  });
  return `This package contains the following packages.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
