/** Writes a file atomically: a process killed meanwhile leaves the old or the new content, never a part. (Not synced: a power cut may.) */
import { renameSync, type WriteFileOptions, writeFileSync } from 'node:fs';

export function writeWhole(file: string, text: string, options?: WriteFileOptions): void {
  writeFileSync(`${file}.new`, text, options);
  renameSync(`${file}.new`, file);
}
