/** Prints the lines of a run: those of the functions dimmed, those about replicas highlighted. Plain without colours (NO_COLOR, a pipe). */
import colours from 'picocolors';

export function print(line: string): void {
  for (const part of line.split('\n')) console.log(paint(part));
}

function paint(line: string): string {
  if (line.startsWith('    ')) return colours.dim(line);
  if (line.startsWith('  now: ')) return colours.cyan(line);
  if (line.startsWith('A step failed')) return colours.red(line);
  return /^\S/.test(line) ? colours.bold(line) : line;
}
