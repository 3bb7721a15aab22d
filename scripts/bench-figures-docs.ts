/** Tables of single benchmarks for docs/proof/tests.md: the duration of a rebalance, the time from an event to its trigger, the cost of a hold. */
import type { Figure, Result } from '../bench/result.ts';
import { millionWorkloads, type TableFormat } from './bench-docs.ts';

function figureOf({ bench, figures }: Result, name: string): Figure {
  const found = figures.find((figure) => figure.name === name);
  if (found === undefined)
    throw new Error(`bench/results/${bench}.json has no "${name}"; run: npm run bench -- ${bench}`);
  return found;
}

function medianOf(result: Result, name: string): number {
  return figureOf(result, name).median;
}

/** "3000 workloads, Evenkeel: plan" → 3000 workloads, Evenkeel; each once, in the order of the figures. */
function labelsOf(figures: readonly Figure[], pattern: RegExp): readonly RegExpExecArray[] {
  const found = figures.map(({ name }) => pattern.exec(name)).filter((match) => match !== null);
  return [...new Map(found.map((match) => [match[0], match])).values()];
}

export interface NoticedResults {
  readonly moved: Result;
  readonly ready: Result;
  readonly reaction: Result;
  readonly cost: Result;
}

/** Seconds until all workloads are rescheduled, by client. */
function movedSeconds({ figures }: Result): readonly { workloads: string; client: string; seconds: string }[] {
  return figures.flatMap(({ name, median }) => {
    const [, workloads, client] = /^(\d+) bindings, from create to rescheduled: (?!floor)(.*)$/.exec(name) ?? [];
    if (client === undefined) return [];
    return [{ workloads: Number(workloads).toLocaleString('en'), client, seconds: `${Math.round(median / 1000)} s` }];
  });
}

/** Ready replica-minutes that a move loses, by client. */
function lostReadiness(
  ready: Result,
): readonly { replicas: string; after: string; client: string; minutes: string; lowest: string }[] {
  return ready.figures.flatMap(({ name, median }) => {
    const [, move, replicas = '', after = '', client] =
      /^(half of (\d+) replicas moved, pods ready after (\d+ s)), lost: (.*)$/.exec(name) ?? [];
    if (client === undefined) return [];
    const lowest = String(figureOf(ready, `${move}, lowest: ${client}`).min);
    // Three significant digits: a small loss is not shown as 0.
    return [{ replicas, after, client, minutes: String(Number((median / 60).toPrecision(3))), lowest }];
  });
}

/** What users notice: how long until replicas move, what readiness that costs, and the price. */
export function noticedBlock({ moved, ready, reaction, cost }: NoticedResults, table: TableFormat): string {
  const label = '1 rebalancers a second: event to trigger';
  const [p50, p99] = ['p50', 'p99'].map((which) => Math.round(medianOf(reaction, `${label}, ${which}`)));
  return table(
    ['what', 'by', 'figure'],
    [
      ...movedSeconds(moved).map(({ workloads, client, seconds }) => [
        ...[`${workloads} workloads, from the create of a rebalancer until all are rescheduled`, client, seconds],
      ]),
      ...lostReadiness(ready).map(({ replicas, after, client, minutes, lowest }) => [
        `ready replica-minutes lost while half of ${replicas} replicas move; a pod is ready after ${after}`,
        ...[client, `${minutes}; at the lowest ${lowest} of ${replicas} ready`],
      ]),
      ['from an event at the hook to the trigger', 'Evenkeel', `${p50} ms at p50, ${p99} ms at p99`],
      ['a million workloads rebalanced, on AWS', 'Evenkeel', millionWorkloads(cost)],
    ],
  );
}

/** Of README.md: three lines of that, beside Karmada's own rebalancer and scheduler. */
export function readmeFiguresBlock(
  { moved, ready, cost }: Omit<NoticedResults, 'reaction'>,
  table: TableFormat,
): string {
  const [ours, theirs] = ['Evenkeel', 'Karmada, defaults'] as const;
  const move = (client: string) => ofClient(moved, movedSeconds(moved), client);
  const loss = (client: string) => ofClient(ready, lostReadiness(ready), client);
  const { replicas, after } = loss(ours);
  return table(
    ['[measured](docs/proof/benchmarks.md)', ours, theirs],
    [
      [
        `${move(ours).workloads} workloads, from create until rescheduled`,
        ...[move(ours).seconds, `${move(theirs).seconds} (unlimited: ${move('Karmada, unlimited').seconds})`],
      ],
      [
        `ready replica-minutes lost while half of ${replicas} replicas move; pods ready after ${after}`,
        ...[loss(ours).minutes, loss(theirs).minutes],
      ],
      ['price of a million rebalanced workloads', millionWorkloads(cost), ''],
    ],
  );
}

function ofClient<T extends { readonly client: string }>({ bench }: Result, all: readonly T[], client: string): T {
  const found = all.find((one) => one.client === client);
  if (found === undefined)
    throw new Error(`bench/results/${bench}.json has no figure of "${client}"; run: npm run bench -- ${bench}`);
  return found;
}

/** Duration and API server load of each client. */
export function rebalanceBlock(result: Result, table: TableFormat): string {
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
  const head = ['workloads', 'client', 'from create to finish', 'stages: event + plan + triggers + report, ms'];
  return table([...head, "API server's CPU per workload", 'requests per workload'], rows);
}

/** Time to the first trigger of a rebalance. */
export function firstTriggerBlock(result: Result, table: TableFormat): string {
  const label = '100 workloads, Evenkeel';
  const rows = (['the event at the hook', 'create'] as const).map((from) => {
    const { median, min, max, rounds } = figureOf(result, `${label}: from ${from} to the first trigger`);
    const spread = `${Math.round(min)} to ${Math.round(max)} ms`;
    return [`from ${from}`, `${Math.round(median)} ms`, spread, String(rounds)];
  });
  return table(['first of 100 triggers', 'median', 'range', 'rounds'], rows);
}

/** Duration of one scheduling decision, by size. */
export function decisionsBlock(result: Result, table: TableFormat): string {
  const found = result.figures.flatMap(({ name, median }) => {
    const [, decision, size] = /^(.*), (1?,?\d+ clusters and .* replicas)$/.exec(name) ?? [];
    return decision === undefined || size === undefined ? [] : [{ decision, size, median }];
  });
  const sizes = [...new Set(found.map(({ size }) => size))];
  const rows = [...Map.groupBy(found, ({ decision }) => decision)].map(([decision, figures]) => [
    decision,
    ...sizes.map((each) => `${figures.find(({ size }) => size === each)?.median.toFixed(1) ?? '-'} ms`),
  ]);
  return table(['decision', ...sizes], rows);
}

export function reactionBlock(result: Result, table: TableFormat): string {
  const labels = labelsOf(result.figures, /^\d+ rebalancers a second/).map(([label]) => label);
  const of = (label: string, what: string, unit: string) =>
    `${Math.round(medianOf(result, `${label}: ${what}`))}${unit}`;
  const rows = labels.map((label) => [
    label,
    ...['p50', 'p99'].map((which) => of(label, `event to trigger, ${which}`, ' ms')),
    of(label, 'triggers not seen in time', ''),
    ...['kube-apiserver', 'Evenkeel'].map((process) => of(label, `CPU of ${process} a rebalancer`, ' ms')),
  ]);
  const cpu = ['kube-apiserver', 'Evenkeel'].map((process) => `CPU of ${process} a rebalancer`);
  const heads = ['rate', 'event to trigger, p50', 'p99', 'not seen 20 s after the last event', ...cpu];
  const floor = Math.round(medianOf(result, 'floor: bare writes of a rebalancer'));
  return `${table(heads, rows)}\n\nThe bare writes alone: ${floor} rebalancers a second.`;
}

const writes = {
  shrinks: 'removes a cluster',
  'label of a held one': 'a label, with a hold',
  label: 'a label, without a hold',
} as const;

export function holdsBlock(result: Result, table: TableFormat): string {
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
  const ways = ['policy', 'webhook'].map((way) => `${way}: ratio, difference, p50 / p99`);
  return table(['write', 'in flight', ...ways, 'bare p50 / p99'], rows);
}

/** Of docs/guides/history.md: queries of recorded placements. */
export function historyQueriesBlock({ figures }: Result, table: TableFormat): string {
  const rows = figures.flatMap(({ name, unit, median, max }) => {
    const [, query, count] = /^query: (.*) \((\d+) rows\)$/.exec(name) ?? [];
    if (query === undefined || count === undefined) return [];
    return [[query, Number(count).toLocaleString('en'), `${Math.round(median)} ${unit}`, `${Math.round(max)} ${unit}`]];
  });
  return table(['query', 'rows', 'median', 'slowest'], rows);
}

/** What each function that reads a whole hub costs, by the size of the hub. */
export function scaleFunctionsBlock(result: Result, table: TableFormat): string {
  const rows = labelsOf(result.figures, /^(\S+) clusters and (\S+) bindings, (\S+\/\S+)(?=: time$)/).map(
    ([label, clusters = '', bindings = '', name = '']) => {
      const of = (what: string) => medianOf(result, `${label}: ${what}`);
      const seconds = (what: string) => `${(of(what) / 1000).toFixed(2)} s`;
      const megabytes = (what: string) => `${Math.round(of(what))} MB`;
      const read = [String(of('requests')), megabytes('read'), seconds('time')];
      return [
        clusters,
        bindings,
        `\`${name}\``,
        ...read,
        seconds('time with nothing changed'),
        megabytes('peak memory'),
      ];
    },
  );
  const heads = ['clusters', 'bindings', 'function', 'requests', 'read', 'time', 'again, with nothing changed'];
  return table([...heads, 'peak memory of the process'], rows);
}

/** From create to assigned of 100 new bindings, by the size of the hub. */
export function scalePlacementsBlock(result: Result, table: TableFormat): string {
  const rows = labelsOf(result.figures, /^(\S+) clusters and (\S+) bindings, 100 at once, (.*)(?=: p50$)/).map(
    ([label, clusters = '', bindings = '', name = '']) => {
      const of = (which: string) => `${(medianOf(result, `${label}: ${which}`) / 1000).toFixed(1)} s`;
      return [clusters, bindings, name, of('p50'), of('p90'), of('all')];
    },
  );
  return table(['clusters', 'bindings', 'scheduler', 'p50', 'p90', 'until the last'], rows);
}
