/** Text helpers for messages. */

/** "1 workload", "2 workloads". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The first five, and the number of the others. */
export function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, 5).join(', ');
  return texts.length > 5 ? `${shown} and ${texts.length - 5} more` : shown;
}
