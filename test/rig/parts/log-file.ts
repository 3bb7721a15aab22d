/** Log files of processes of a rig that may be killed. */
import { existsSync, readFileSync, truncateSync } from 'node:fs';

/** A killed process may have written a part of a line, to which the next process would append its first one. */
export function cutIncompleteLine(file: string): void {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const whole = bytes.lastIndexOf('\n') + 1;
  if (whole < bytes.length) truncateSync(file, whole);
}
