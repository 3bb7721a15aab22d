/** What a check found, a line for each ratio that is not as before, for whoever ran it. */
import { aligned } from './ratios-table.ts';
import { isRegression, type Verdict } from './regressions.ts';

export function verdictsTable(verdicts: readonly Verdict[]): string {
  const changed = verdicts.filter(({ verdict }) => verdict !== 'as before');
  const head = ['bench', 'what, to what', 'was', 'is', ''];
  const rows = changed.map(({ bench, name, was, is, verdict }) => [bench, name, said(was), said(is), verdict]);
  const bad = verdicts.filter(isRegression).length;
  const all = `${verdicts.length} ratios compared with those in bench/results`;
  return [...(rows.length > 0 ? [aligned([head, ...rows])] : []), `${all}: ${bad} worse or gone`].join('\n');
}

function said(ratio: Verdict['was']): string {
  return ratio === undefined ? '–' : `${ratio.median} (${ratio.low} to ${ratio.high})`;
}
