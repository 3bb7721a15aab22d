/** Prints a run's lines: what the functions do stands back, where the replicas are stands out. Plain where colour is not wanted (NO_COLOR, a pipe). */
import colours from 'picocolors';

export function print(line: string): void {
  for (const part of line.split('\n')) console.log(paint(part));
}

function paint(line: string): string {
  if (line.startsWith('    ')) return colours.dim(line);
  if (line.startsWith('  now: ')) return colours.cyan(line);
  if (line.startsWith('A step did not')) return colours.red(line);
  return /^\S/.test(line) ? colours.bold(line) : line;
}
