/** Parses a command-line option that is a number of rounds, bindings or the like. */
export function countOption(name: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${max}, not ${JSON.stringify(text)}`);
}
