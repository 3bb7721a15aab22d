/** Writes a file so that a process killed in the middle leaves it as it was, or as it is to be, and never half of it. (Not synced: a power cut may.) */
import { renameSync, type WriteFileOptions, writeFileSync } from 'node:fs';

export function writeWhole(file: string, text: string, options?: WriteFileOptions): void {
  writeFileSync(`${file}.new`, text, options);
  renameSync(`${file}.new`, file);
}
