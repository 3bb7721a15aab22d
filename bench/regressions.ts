/** Decides which ratios of a new run are worse than those that were kept. Never looks at a time: another machine has others. */
import type { Ratio, Result } from './result.ts';

export interface Verdict {
  readonly bench: string;
  readonly name: string;
  /** `gone`: no longer measured, or under another name: then nobody watches it. */
  readonly verdict: 'as before' | 'better' | 'worse' | 'new' | 'gone';
  readonly was?: Pick<Ratio, 'low' | 'median' | 'high'>;
  readonly is?: Pick<Ratio, 'low' | 'median' | 'high'>;
}

/** How far a middle may move, as a part of what it was, before it means anything: the machine is never the same twice. */
const SLACK: Readonly<Record<Ratio['kind'], number>> = { time: 0.25, memory: 0.15, count: 0.02 };

/** Of the benches in the new run, by the order of what was kept. */
export function regressions(kept: readonly Result[], fresh: readonly Result[]): readonly Verdict[] {
  return fresh.flatMap((run) => {
    const { bench } = run;
    const before = kept.find((result) => result.bench === bench)?.ratios ?? [];
    const now = new Map(run.ratios.map((ratio) => [ratio.name, ratio]));
    const known = new Set(before.map(({ name }) => name));
    return [
      ...before.map((was): Verdict => {
        const is = now.get(was.name);
        const about = { bench, name: was.name, was };
        return is === undefined ? { ...about, verdict: 'gone' } : { ...about, is, verdict: judge(was, is) };
      }),
      ...run.ratios.flatMap((is): Verdict[] =>
        known.has(is.name) ? [] : [{ bench, name: is.name, is, verdict: 'new' }],
      ),
    ];
  });
}

export function isRegression({ verdict }: Verdict): boolean {
  return verdict === 'worse' || verdict === 'gone';
}

/**
 * Worse only where the middle has moved by more than the slack and the spreads lie apart: three quarters of the new rounds are then
 * worse than three quarters of the old ones.
 *
 * Times, lower is better, kept 1.0 (0.9 to 1.2): a new 1.4 (1.3 to 1.6) is worse; 1.4 (1.1 to 1.9) may be a busy machine; 1.22 (1.21 to
 * 1.23) lies apart, but by less than the slack.
 */
function judge(was: Ratio, is: Ratio): Verdict['verdict'] {
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
