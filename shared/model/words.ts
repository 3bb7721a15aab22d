/** Words for people. */

/** "1 workload", "2 workloads". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
