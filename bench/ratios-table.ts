/** The ratios of benchmark results, one per line. */

import { aligned } from '../cli/aligned.ts';
import type { Ratio, Result } from './result.ts';

export function ratiosTable(results: readonly Pick<Result, 'bench' | 'ratios'>[]): string {
  const head = ['bench', 'what, to what', 'ratio', 'half of the rounds', 'rounds', 'goal'];
  const rows = results.flatMap(({ bench, ratios }) =>
    ratios.map((one) => [
      bench,
      one.name,
      String(one.median),
      `${one.low} to ${one.high}`,
      String(one.rounds),
      goalOf(one),
    ]),
  );
  return aligned([head, ...rows]).join('\n');
}

function goalOf({ goal, better, median }: Ratio): string {
  if (goal === undefined) return '';
  const reached = better === 'lower' ? median <= goal : median >= goal;
  return `${better === 'lower' ? 'at most' : 'at least'} ${goal}${reached ? '' : ': missed'}`;
}
