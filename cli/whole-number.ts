/** The parser of options with a whole number, for commander. */
import { InvalidArgumentError } from 'commander';

/** Of numbers with at most five digits. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new InvalidArgumentError(`It is a whole number from ${from} to ${to}.`);
  };
}
