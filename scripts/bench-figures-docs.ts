/** Tables of single benches for docs/proof.md, made from their figures: what a rebalance takes, how soon an event is a trigger, what a hold costs. */
import type { Figure, Result } from '../bench/result.ts';
import type { Table } from './bench-docs.ts';

function medianOf({ bench, figures }: Result, name: string): number {
  const found = figures.find((figure) => figure.name === name);
  if (found === undefined)
    throw new Error(`bench/results/${bench}.json has no "${name}"; run: npm run bench -- ${bench}`);
  return found.median;
}

/** "3000 workloads, Evenkeel: plan" → 3000 workloads, Evenkeel; each once, in the order of the figures. */
function labelsOf(figures: readonly Figure[], pattern: RegExp): readonly RegExpExecArray[] {
  const found = figures.map(({ name }) => pattern.exec(name)).filter((match) => match !== null);
  return [...new Map(found.map((match) => [match[0], match])).values()];
}

/** Who took how long, and for how much of the API server. */
export function rebalanceBlock(result: Result, table: Table): string {
  const rows = result.figures.flatMap(({ name }) => {
    const [, label, workloads, who] = /^((\d+) workloads, (.*)): from create to finish$/.exec(name) ?? [];
    if (label === undefined) return [];
    const ms = (what: string) => `${Math.round(medianOf(result, `${label}: ${what}`))} ms`;
    const stages = ["audit event waits for the API server's batch", 'plan', 'triggers', 'last report'];
    const how = who === 'Evenkeel' ? stages.map((stage) => ms(stage).replace(' ms', '')).join(' + ') : '';
    const cpu = medianOf(result, `${label}: API server's CPU a workload`).toFixed(1);
    const requests = medianOf(result, `${label}: requests a workload`).toFixed(3);
    return [
      [Number(workloads).toLocaleString('en'), who ?? '', ms('from create to finish'), how, `${cpu} ms`, requests],
    ];
  });
  const head = ['workloads', 'who', 'from create to finish', 'of it: event + plan + triggers + report, ms'];
  return table([...head, "API server's CPU a workload", 'requests a workload'], rows);
}

export function reactionBlock(result: Result, table: Table): string {
  const labels = labelsOf(result.figures, /^\d+ rebalancers a second/).map(([label]) => label);
  const of = (label: string, what: string, unit: string) =>
    `${Math.round(medianOf(result, `${label}: ${what}`))}${unit}`;
  const rows = labels.map((label) => [
    label,
    ...['p50', 'p99'].map((which) => of(label, `event to trigger, ${which}`, ' ms')),
    of(label, 'triggers not seen in time', ''),
  ]);
  return table(['rate', 'event to trigger, p50', 'p99', 'not seen 20 s after the last event'], rows);
}

const writes = {
  shrinks: 'takes a cluster away',
  'label of a held one': 'a label, while held',
  label: 'a label, nothing held',
} as const;

export function holdsBlock(result: Result, table: Table): string {
  const rows = labelsOf(result.figures, /^a write \((.*), (\d+) in flight\)/).map(([label, write, inFlight]) => {
    const quantiles = (way: string) =>
      `${['p50', 'p99'].map((which) => Math.round(medianOf(result, `${label}: ${way}, ${which}`))).join(' / ')} ms`;
    const beside = (way: string) => {
      const ratio = result.ratios.find(({ name }) => name === `${label}: ${way}, to bare`)?.median ?? Number.NaN;
      const more = medianOf(result, `${label}: ${way}, more than the bare one beside it`);
      return `${ratio.toFixed(2)}, ${more.toFixed(1)} ms, ${quantiles(way)}`;
    };
    const what = writes[write as keyof typeof writes];
    return [what, inFlight ?? '', beside('policy'), beside('webhook'), quantiles('bare')];
  });
  const ways = ['policy', 'webhook'].map((way) => `${way}: ratio, more, p50 / p99`);
  return table(['write', 'in flight', ...ways, 'bare p50 / p99'], rows);
}
