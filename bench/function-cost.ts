/**
 * Measures the cost of the functions: bundle size, cold start and memory of each; and everything that AWS bills for a rebalance of 1,000 workloads, from its audit event
 * to its deletion. docs/operations/cost.md is generated from it.
 *
 *   node bench/function-cost.ts [--rounds 5] [--starts 7] [--workloads 1000]
 *
 * Bus, table and hub respond with the latency of deployed ones (function-cost/deployment.ts). The result is saved in results/function-cost.json.
 */
import { parseArgs } from 'node:util';
import { sum } from '../shared/core/sum.ts';
import { billOf, totalOf } from './function-cost/bill.ts';
import { type ColdStarts, coldStarts } from './function-cost/cold-starts.ts';
import { gbSecondsOf, type InvocationCounts, invocationsOf, memoryMb } from './function-cost/counts.ts';
import { LATENCY } from './function-cost/deployment.ts';
import { rebalanceCosts } from './function-cost/rebalance.ts';
import { type Figure, figure, type Ratio, ratio } from './result.ts';
import { begin } from './results.ts';

const LIMIT_BYTES = 600_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    starts: { type: 'string', default: '7' },
    workloads: { type: 'string', default: '1000' },
  },
});
const workloads = Number(values.workloads);

function startFigures({ name, bytes, ms, residentMb }: ColdStarts): readonly Figure[] {
  return [
    figure(`${name}: bundle, minified`, 'bytes', [bytes]),
    figure(`${name}: cold start`, 'ms', ms),
    figure(`${name}: resident after it`, 'MB', residentMb),
  ];
}

/** The sum of all functions, round by round, to the same number of times the base. */
function startRatios(functions: readonly ColdStarts[], base: ColdStarts): readonly Ratio[] {
  const total = (of: (one: ColdStarts) => readonly number[]) =>
    base.ms.map((_, round) => sum(functions.map((one) => of(one)[round] ?? Number.NaN)));
  const times = (of: readonly number[]) => of.map((one) => one * functions.length);
  const { length } = functions;
  return [
    ratio('cold start of all functions, to that of client-dynamodb alone', {
      ...{ values: total(({ ms }) => ms), base: times(base.ms) },
      ...{ kind: 'time', better: 'lower', published: true },
    }),
    ratio('memory after a cold start of all functions, to that of client-dynamodb alone', {
      ...{ values: total(({ residentMb }) => residentMb), base: times(base.residentMb) },
      ...{ kind: 'memory', better: 'lower' },
    }),
    ratio(`bundles of all functions, to ${LIMIT_BYTES.toLocaleString('en')} bytes each`, {
      ...{ values: [sum(functions.map(({ bytes }) => bytes))], base: [LIMIT_BYTES * length] },
      ...{ kind: 'count', better: 'lower', goal: 1 },
    }),
  ];
}

const HUB_REQUESTS = 'requests to the hub';
const counted: Readonly<Record<string, (counts: InvocationCounts) => number>> = {
  [HUB_REQUESTS]: ({ hubRequests }) => hubRequests,
  'write units': ({ writeUnits }) => writeUnits,
  'read units': ({ readUnits }) => readUnits,
  events: ({ events }) => events,
  'requests of queues': ({ queueRequests }) => queueRequests,
  invocations: invocationsOf,
};

const bench = begin('function-cost');
const { functions, base } = await coldStarts(Number(values.starts));
const costs = await rebalanceCosts(workloads, Number(values.rounds));
const label = `a rebalance of ${workloads.toLocaleString('en')} workloads`;
const seconds = costs.map((counts) => gbSecondsOf(counts, memoryMb));
const dollars = costs.map((counts) => totalOf(billOf(counts, workloads, memoryMb)));
const middle =
  costs[[...dollars.keys()].sort((a, b) => (dollars[a] ?? 0) - (dollars[b] ?? 0))[dollars.length >> 1] ?? 0];
await bench.keep({
  figures: [
    ...[base, ...functions].flatMap(startFigures),
    figure(`${label}: billed duration`, 'GB-seconds', seconds),
    figure('a million workloads', 'dollars', dollars),
  ],
  ratios: [
    ...startRatios(functions, base),
    ...Object.entries(counted).map(([what, of]) =>
      ratio(`${label}: ${what} a workload`, {
        ...{ values: costs.map(of), base: costs.map(() => workloads) },
        // The other counts grow with the duration: progress is reported and saved meanwhile.
        ...{ kind: what === HUB_REQUESTS ? 'count' : 'time', better: 'lower', published: what === HUB_REQUESTS },
      }),
    ),
  ],
  details: { workloads, latencyMs: LATENCY, counts: middle },
});
