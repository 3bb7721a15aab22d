/** Generates docs/proof/benchmarks.md and docs/operations/cost.md from the results of the benchmarks. */
import { z } from 'zod';
import { billOf, totalOf } from '../bench/function-cost/bill.ts';
import { countsSchema, gbSecondsOf, memoryMb } from '../bench/function-cost/counts.ts';
import { PRICES_READ } from '../bench/function-cost/prices.ts';
import type { Ratio, Result } from '../bench/result.ts';

export type TableFormat = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

/** The others follow, sorted by name. */
const FIRST = ['rebalance', 'reaction', 'assignment'];

/** One line per published ratio. */
export function figuresBlock(results: readonly Result[], table: TableFormat): string {
  const shown = results.filter(({ ratios }) => ratios.some(({ published }) => published));
  const rows = inOrder(shown).flatMap(({ bench, ratios }) =>
    ratios.flatMap((one) => (one.published ? [[one.name, ratioText(one), goalText(one), resultLink(bench)]] : [])),
  );
  return `${table(['comparison', 'ratio (quartiles of the rounds)', 'goal', 'benchmark'], rows)}\n\n${measuredOn(shown)}`;
}

function inOrder(results: readonly Result[]): readonly Result[] {
  const place = ({ bench }: Result): number => (FIRST.includes(bench) ? FIRST.indexOf(bench) : FIRST.length);
  return [...results].sort((a, b) => place(a) - place(b) || (a.bench < b.bench ? -1 : 1));
}

function ratioText({ median, low, high, rounds }: Ratio): string {
  return rounds === 1 || low === high ? number(median) : `${number(median)} (${number(low)} to ${number(high)})`;
}

function goalText({ goal, better }: Ratio): string {
  return goal === undefined ? '' : `${better === 'lower' ? 'at most' : 'at least'} ${number(goal)}`;
}

function resultLink(bench: string): string {
  return `[\`${bench}\`](../../bench/results/${bench}.json)`;
}

/** Three significant digits, at most two decimals. */
function number(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** Machines and versions, each once: a table with figures from several machines lists them all. */
function measuredOn(results: readonly Result[]): string {
  const machines = results.map(({ machine: { cores, cpu, memoryGb, node } }) => {
    return `${cores} cores (${cpu.trim()}), ${memoryGb} GB, Node ${node}`;
  });
  const versions = results.flatMap((result) =>
    Object.entries(result.versions).map(([what, version]) => `${what} ${version}`),
  );
  const days = results.map(({ measuredAt }) => measuredAt.slice(0, 10)).sort();
  const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
  const when = from === to ? `on ${from}` : `from ${from} to ${to}`;
  return `Measured ${when} on ${[...new Set(machines)].join('; ')}; ${[...new Set(versions)].sort().join(', ')}.`;
}

const details = z.object({
  workloads: z.number(),
  latencyMs: z.record(z.string(), z.number()),
  counts: countsSchema,
});

/** The price of a million workloads, by the counts of the benchmark. */
export function millionWorkloads(result: Result): string {
  const { workloads, counts } = details.parse(result.details);
  return dollars(totalOf(billOf(counts, workloads, memoryMb)));
}

/** `monthly`: the section of the monthly bill. */
export function costDoc(result: Result, table: TableFormat, monthly: string): string {
  const { workloads, latencyMs, counts } = details.parse(result.details);
  const bill = billOf(counts, workloads, memoryMb);
  const lines = bill.map(({ unit, counted, price, dollarsAMillion }) => [
    unit,
    plain(counted),
    price,
    dollars(dollarsAMillion),
  ]);
  const invocations = Object.entries(counts.invocations).map(([name, { count, ms }]) => [
    `\`${name}\``,
    String(count),
    String(ms),
    `${memoryMb(name)} MB`,
    plain((ms / 1000) * (memoryMb(name) / 1024)),
  ]);
  return `# Cost

\`npm run docs\` generates this page from [bench/results/function-cost.json](../../bench/results/function-cost.json), which \`${result.command}\` measured on
${result.measuredAt.slice(0, 10)}: a \`WorkloadRebalancer\` of ${plain(workloads)} workloads, from the audit event of its creation to its deletion at its TTL. Prices are AWS's
public prices of ${PRICES_READ}: us-east-1, arm64, the first tier, without the free tier.

## A million workloads

${table(['unit', `counted for ${plain(workloads)} workloads`, 'price', 'for 1,000,000 workloads'], lines)}

Total ${dollars(totalOf(bill))} for a million workloads: each count / ${plain(workloads)} × 1,000,000 × its price.

The ${plain(gbSecondsOf(counts, memoryMb))} GB-seconds by function:

${table(['function', 'invocations', 'total ms', 'memory', 'GB-seconds'], invocations)}

The simulated latencies are those within a region: ${Object.entries(latencyMs)
    .map(([what, ms]) => `${what} ${ms} ms`)
    .join(', ')}. The result is slightly higher than on AWS: the local queues don't batch messages as SQS does, and all
functions share one core. Cold starts (below) and the latency of a distant hub are not included.

${monthly}

## Cold starts

Load time of each function's bundle in a new Node process, and the memory of that process:

${table(['function', 'bundle', 'cold start: median (min to max)', 'resident'], startRows(result))}
`;
}

function startRows({ figures }: Result): readonly (readonly string[])[] {
  const of = (name: string, what: string) => figures.find((figure) => figure.name === `${name}: ${what}`);
  return figures.flatMap(({ name: text }) => {
    const name = /^(.*): cold start$/.exec(text)?.[1];
    if (name === undefined) return [];
    const [bytes, start, resident] = ['bundle, minified', 'cold start', 'resident after it'].map((what) =>
      of(name, what),
    );
    if (!bytes || !start || !resident) throw new Error(`${name} lacks a figure; run: npm run bench -- function-cost`);
    const took = `${plain(start.median)} ms (${plain(start.min)} to ${plain(start.max)})`;
    return [[`\`${name}\``, `${plain(bytes.median / 1000)} kB`, took, `${plain(resident.median)} MB`]];
  });
}

export function plain(value: number): string {
  const digits = value >= 10 ? 0 : value >= 0.1 ? 2 : 6;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function dollars(value: number): string {
  return `$${value.toFixed(3)}`;
}
