/** The few figures a bench reports of its rounds. */

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The smallest value that so many of a hundred are no larger than. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

export function spread(values: readonly number[]): Spread {
  return { min: rounded(Math.min(...values)), median: rounded(median(values)), max: rounded(Math.max(...values)) };
}

/**
 * How many times as long as `base`, round by round, then the median. Not the ratio of the medians: a machine that slows
 * down from round to round slows both of one round, and the ratio of that round stays true.
 */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(
    values.flatMap((value, round) => {
      const other = base[round];
      return other === undefined ? [] : [value / other];
    }),
  );
}

/** Keeps the figures that mean something: three decimals. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
