/** What the docs tell of the benches, made from their results: the figures in the README, and what a million workloads cost. */
import { z } from 'zod';
import { billOf, totalOf } from '../bench/function-cost/bill.ts';
import { countsSchema, gbSecondsOf } from '../bench/function-cost/counts.ts';
import { PRICES_READ } from '../bench/function-cost/prices.ts';
import type { Ratio, Result } from '../bench/result.ts';
import { routes } from '../shared/events/routes.ts';
import { type FunctionName, functions } from '../shared/functions.ts';

export type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

/** The others follow by name. */
const FIRST = ['rebalance', 'reaction', 'assignment'];

/** A line a ratio that its bench has told to be here. */
export function figuresBlock(results: readonly Result[], table: Table): string {
  const told = results.filter(({ ratios }) => ratios.some(({ inReadme }) => inReadme));
  const rows = inOrder(told).flatMap(({ bench, ratios }) =>
    ratios.flatMap((one) => (one.inReadme ? [[one.name, ratioText(one), goalText(one), resultLink(bench)]] : [])),
  );
  return `${table(['what, to what', 'ratio (half of the rounds)', 'goal', 'bench'], rows)}\n\n${measuredOn(told)}`;
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
  return `[\`${bench}\`](bench/results/${bench}.json)`;
}

/** Three figures that count, and no more than two decimals. */
function number(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** Machines and versions, each once: a table of figures from several machines says so. */
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

/** A long poll of SQS; Lambda keeps five of them open on a queue with nothing in it. */
const POLL_SECONDS = 20;
const POLLERS = 5;
const MONTH_SECONDS = 730 * 3600;

export function costDoc(result: Result, table: Table): string {
  const { workloads, latencyMs, counts } = details.parse(result.details);
  const memoryMb = (name: string): number => functions[name as FunctionName].memoryMb;
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
  const polls = (MONTH_SECONDS / POLL_SECONDS) * POLLERS;
  const allPolls = polls * routes.length;
  return `# What it costs

Made by \`npm run docs\` from [bench/results/function-cost.json](../bench/results/function-cost.json), which \`${result.command}\` measured on
${result.measuredAt.slice(0, 10)}: a \`WorkloadRebalancer\` of ${plain(workloads)} workloads, from the audit event of its creation to its deletion at its ttl. Prices are AWS's
public ones of ${PRICES_READ}: us-east-1, arm64, the first tier, nothing of what is free each month.

## A million workloads

${table(['unit', `counted for ${plain(workloads)} workloads`, 'price', 'for 1,000,000 workloads'], lines)}

Together ${dollars(totalOf(bill))} for a million workloads: each counted number / ${plain(workloads)} × 1,000,000 × its price.

The GB-seconds, ${plain(gbSecondsOf(counts, memoryMb))} of them, are those of

${table(['function', 'invocations', 'ms in all', 'memory', 'GB-seconds'], invocations)}

with calls that take as long as in a region: ${Object.entries(latencyMs)
    .map(([what, ms]) => `${what} ${ms} ms`)
    .join(
      ', ',
    )}. It is somewhat more than AWS would count: the local queues don't gather messages into a batch as SQS does, and all
functions share one core. It leaves out cold starts, which are below, and what a hub that is far away adds.

## What stands still

Lambda keeps about ${POLLERS} long polls of ${POLL_SECONDS} s open on each queue, also on an empty one: ${plain(polls)} requests a queue and month. There are ${routes.length} queues, so
${plain(allPolls)} requests, which are ${dollars((allPolls / 1_000_000) * 0.4)} a month.

## Cold starts

Loading each function's bundle in a fresh Node, and what the process holds then:

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

function plain(value: number): string {
  const digits = value >= 10 ? 0 : value >= 0.1 ? 2 : 6;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function dollars(value: number): string {
  return `$${value.toFixed(3)}`;
}
