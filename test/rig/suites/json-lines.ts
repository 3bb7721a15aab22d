/** Logs of JSON lines, as they are while somebody writes them. */
import { existsSync, readFileSync } from 'node:fs';

/** What follows the last line's end is still being written, and comes with the next reading. None where there is no file yet. */
export function readJsonLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
