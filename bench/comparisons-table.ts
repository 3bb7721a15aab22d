/** The result of a check: a line for each changed ratio. */
import { aligned } from '../cli/aligned.ts';
import { isRegression, type RatioChange } from './regressions.ts';

export function comparisonsTable(comparisons: readonly RatioChange[]): string {
  const changed = comparisons.filter(({ change: comparison }) => comparison !== 'as before');
  const head = ['bench', 'what, to what', 'was', 'is', ''];
  const rows = changed.map(({ bench, name, was, is, change: comparison }) => [
    bench,
    name,
    ratioText(was),
    ratioText(is),
    comparison,
  ]);
  const bad = comparisons.filter(isRegression).length;
  const all = `${comparisons.length} ratios compared with those in bench/results`;
  return [...(rows.length > 0 ? aligned([head, ...rows]) : []), `${all}: ${bad} worse or gone`].join('\n');
}

function ratioText(ratio: RatioChange['was']): string {
  return ratio === undefined ? '–' : `${ratio.median} (${ratio.low} to ${ratio.high})`;
}
