/** Parses a command-line option that is a number of rounds, bindings or the like. */
export function countOption(name: string, text: string, max: number, min = 1): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
}
