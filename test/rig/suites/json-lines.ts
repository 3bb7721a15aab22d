/** Logs of JSON lines that another process may be writing. */
import { existsSync, readFileSync } from 'node:fs';

/** An incomplete last line is left for the next call. Empty if the file does not exist yet. */
export function readJsonLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
