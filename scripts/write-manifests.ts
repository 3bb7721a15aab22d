/** Generates manifests/ from the table of hub features. `--check` writes nothing and fails if a file is outdated or left over. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifestFiles } from './manifest-files.ts';

const FOLDER = 'manifests';

const files = manifestFiles();
const present = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    )
  : [];
const wanted = new Map([...files].map(([path, text]) => [join(FOLDER, path), text]));
const behind = [...wanted].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
const left = present.filter((file) => !wanted.has(file));

if (process.argv.includes('--check')) {
  for (const file of [...behind.map(([each]) => each), ...left])
    console.error(`${file} is outdated; run: npm run manifests`);
  process.exit(behind.length + left.length === 0 ? 0 : 1);
}
for (const file of left) rmSync(file);
for (const [file, text] of behind) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`manifests: ${behind.length} of ${wanted.size} files written, ${left.length} removed`);
