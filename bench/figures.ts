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
