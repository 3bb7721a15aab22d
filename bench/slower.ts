/** Finds times that are longer than those of another commit, measured in the same run on the same machine. */
import { type Ratio, type Result, ratio } from './result.ts';

/** The base's time, times this, is the limit. */
const LIMIT = 1.2;
const TIME_UNITS = ['µs', 'ms', 's'];

export interface TimedRatio {
  readonly bench: string;
  readonly ratio: Ratio;
  /** Over the limit at the median of the turns, and longer in three quarters of them: a busy machine slows both. */
  readonly isSlower: boolean;
}

/** Results of one turn of each commit. A benchmark that only one of them has is not compared. */
export interface ComparedTurn {
  readonly base: readonly Result[];
  readonly head: readonly Result[];
}

/** For each time that both commits measure, in the order of the first turn. */
export function timedRatios(turns: readonly ComparedTurn[]): readonly TimedRatio[] {
  const [first] = turns;
  return (first?.head ?? []).flatMap(({ bench, figures }) =>
    figures.flatMap(({ name, unit }) => {
      if (!TIME_UNITS.includes(unit)) return [];
      const pairs = turns.flatMap((turn) => {
        const [value, base] = [turn.head, turn.base].map((results) => medianIn(results, bench, name));
        return value === undefined || base === undefined ? [] : [{ value, base }];
      });
      if (pairs.length === 0) return [];
      const of = { values: pairs.map(({ value }) => value), base: pairs.map(({ base }) => base) };
      const found = ratio(name, { ...of, kind: 'time', better: 'lower', goal: LIMIT });
      return [{ bench, ratio: found, isSlower: found.median > LIMIT && found.low > 1 }];
    }),
  );
}

function medianIn(results: readonly Result[], bench: string, name: string): number | undefined {
  return results.find((result) => result.bench === bench)?.figures.find((figure) => figure.name === name)?.median;
}
