/** Compares the ratios of a new run with the recorded ones. Times are not compared: they depend on the machine. */
import type { Ratio, Result } from './result.ts';

export interface RatioChange {
  readonly bench: string;
  readonly name: string;
  /** `gone`: no longer measured, or renamed, and so no longer monitored. */
  readonly change: 'as before' | 'better' | 'worse' | 'new' | 'gone';
  readonly was?: Pick<Ratio, 'low' | 'median' | 'high'>;
  readonly is?: Pick<Ratio, 'low' | 'median' | 'high'>;
}

/** The relative change of a median that is within the noise of a machine. */
const SLACK: Readonly<Record<Ratio['kind'], number>> = { time: 0.25, memory: 0.15, count: 0.02 };

/** For the benchmarks of the new run, in the order of the recorded ratios. */
export function regressions(kept: readonly Result[], fresh: readonly Result[]): readonly RatioChange[] {
  return fresh.flatMap((run) => {
    const { bench } = run;
    const before = kept.find((result) => result.bench === bench)?.ratios ?? [];
    const now = new Map(run.ratios.map((ratio) => [ratio.name, ratio]));
    const known = new Set(before.map(({ name }) => name));
    return [
      ...before.map((was): RatioChange => {
        const is = now.get(was.name);
        const about = { bench, name: was.name, was };
        return is === undefined ? { ...about, change: 'gone' } : { ...about, is, change: changeOf(was, is) };
      }),
      ...run.ratios.flatMap((is): RatioChange[] =>
        known.has(is.name) ? [] : [{ bench, name: is.name, is, change: 'new' }],
      ),
    ];
  });
}

export function isRegression({ change: comparison }: RatioChange): boolean {
  return comparison === 'worse' || comparison === 'gone';
}

/**
 * Worse only if the median has changed by more than the tolerance and the quartile ranges don't overlap: three quarters of the new rounds are then
 * worse than three quarters of the old ones.
 *
 * Times, lower is better, recorded 1.0 (0.9 to 1.2): a new 1.4 (1.3 to 1.6) is worse; 1.4 (1.1 to 1.9) may be a busy machine; 1.22 (1.21 to
 * 1.23) does not overlap, but is within the tolerance.
 */
function changeOf(was: Ratio, is: Ratio): RatioChange['change'] {
  if (lies(is, was, { above: true })) return was.better === 'lower' ? 'worse' : 'better';
  if (lies(is, was, { above: false })) return was.better === 'lower' ? 'better' : 'worse';
  return 'as before';
}

function lies(is: Ratio, was: Ratio, { above }: { readonly above: boolean }): boolean {
  const slack = SLACK[was.kind];
  return above
    ? is.median > was.median * (1 + slack) && is.low > was.high
    : is.median < was.median / (1 + slack) && is.high < was.low;
}
