/** The tables that the docs show of benchmark results. The results are invented. */
import { describe, expect, it } from 'vitest';
import { figure, type Ratio, type Result, ratio } from '../../bench/result.ts';
import { costDoc, figuresBlock } from '../../scripts/bench-docs.ts';
import {
  holdsBlock,
  noticedBlock,
  reactionBlock,
  readmeFiguresBlock,
  rebalanceBlock,
} from '../../scripts/bench-figures-docs.ts';

const rowsOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, ...rows].map((row) => row.join(' | ')).join('\n');

function resultOf(bench: string, ratios: readonly Ratio[], more: Partial<Result> = {}): Result {
  const machine = { cores: 2, memoryGb: 8, cpu: 'a cpu', node: 'v24', loadBefore: 0 };
  const about = { command: `node bench/${bench}.ts`, measuredAt: '2026-11-22T10:00:00Z', machine };
  return { bench, ...about, versions: { karmada: 'v1.18.2' }, figures: [], ratios, ...more };
}

function ratioOf(name: string, values: readonly number[], more: Partial<Ratio> = {}): Ratio {
  const base = values.map(() => 1);
  return { ...ratio(name, { values, base, kind: 'time', better: 'higher', published: true }), ...more };
}

function withFigures(bench: string, figures: Readonly<Record<string, number>>, ratios: readonly Ratio[] = []): Result {
  return resultOf(bench, ratios, {
    figures: Object.entries(figures).map(([name, value]) => figure(name, 'ms', [value])),
  });
}

describe('docs/proof/benchmarks.md', () => {
  it('lists the published ratios, rebalance first, with the quartiles of the rounds', () => {
    const results = [
      resultOf('admission', [
        ratioOf('a policy, to bare', [1.234, 1.234]),
        ratioOf('a label, to bare', [1], { published: false }),
      ]),
      resultOf('rebalance', [
        ratioOf("3,000 bindings: Karmada's, to ours", [13.04, 14.06, 15.08, 14.06], { goal: 13 }),
      ]),
      resultOf('policies', [ratioOf('never published', [1], { published: false })]),
    ];
    expect(figuresBlock(results, rowsOf).split('\n')).toEqual([
      'comparison | ratio (quartiles of the rounds) | goal | benchmark',
      "3,000 bindings: Karmada's, to ours | 14.1 (13 to 14.1) | at least 13 | [`rebalance`](../../bench/results/rebalance.json)",
      'a policy, to bare | 1.23 |  | [`admission`](../../bench/results/admission.json)',
      '',
      'Measured on 2026-11-22 on 2 cores (a cpu), 8 GB, Node v24; karmada v1.18.2.',
    ]);
  });

  it('names the days and the machines of all measurements', () => {
    const machine = { cores: 64, memoryGb: 256, cpu: 'another', node: 'v24', loadBefore: 0 };
    const results = [
      resultOf('rebalance', [ratioOf('a', [1])]),
      resultOf('reaction', [ratioOf('b', [1])], { machine, measuredAt: '2026-11-24T10:00:00Z' }),
    ];
    expect(figuresBlock(results, rowsOf).split('\n').at(-1)).toBe(
      'Measured from 2026-11-22 to 2026-11-24 on 2 cores (a cpu), 8 GB, Node v24; 64 cores (another), 256 GB, Node v24; karmada v1.18.2.',
    );
  });
});

describe('what users notice', () => {
  const at = '3000 bindings, from create to rescheduled';
  const move = 'half of 12 replicas moved, pods ready after 10 s';
  const details = {
    workloads: 1000,
    latencyMs: {},
    counts: {
      invocations: {},
      ...{ hookRequests: 0, events: 0, queueRequests: 0, schedules: 0, writeUnits: 628, readUnits: 0 },
      ...{ logBytes: 0, hubRequests: 0 },
    },
  };
  const results = {
    moved: withFigures('moved', {
      [`${at}: Evenkeel`]: 31_260.8,
      [`${at}: floor`]: 1,
      [`${at}: Karmada, unlimited`]: 88_190,
      [`${at}: Karmada, defaults`]: 300_000,
    }),
    ready: withFigures('ready', {
      ...{ [`${move}, lost: Karmada, defaults`]: 62.295, [`${move}, lowest: Karmada, defaults`]: 6 },
      ...{ [`${move}, lost: Evenkeel`]: 0.003, [`${move}, lowest: Evenkeel`]: 11 },
    }),
    reaction: withFigures('reaction', {
      '1 rebalancers a second: event to trigger, p50': 28.6,
      '1 rebalancers a second: event to trigger, p99': 34.4,
    }),
    cost: resultOf('function-cost', [], { details }),
  };

  it('is the time of a move, the readiness that it costs and the price, by client', () => {
    const create = '3,000 workloads, from the create of a rebalancer until all are rescheduled';
    const lost = 'ready replica-minutes lost while half of 12 replicas move; a pod is ready after 10 s';
    expect(noticedBlock(results, rowsOf).split('\n')).toEqual([
      'what | by | figure',
      `${create} | Evenkeel | 31 s`,
      `${create} | Karmada, unlimited | 88 s`,
      `${create} | Karmada, defaults | 300 s`,
      `${lost} | Karmada, defaults | 1.04; at the lowest 6 of 12 ready`,
      // However short it is, a loss is no 0.
      `${lost} | Evenkeel | 0.00005; at the lowest 11 of 12 ready`,
      'from an event at the hook to the trigger | Evenkeel | 29 ms at p50, 34 ms at p99',
      'a million workloads rebalanced, on AWS | Evenkeel | $0.393',
    ]);
  });

  it('has three lines in README.md', () => {
    expect(readmeFiguresBlock(results, rowsOf).split('\n')).toEqual([
      '[measured](docs/proof/benchmarks.md) | Evenkeel | Karmada, defaults',
      '3,000 workloads, from create until rescheduled | 31 s | 300 s (unlimited: 88 s)',
      'ready replica-minutes lost while half of 12 replicas move; pods ready after 10 s | 0.00005 | 1.04',
      'price of a million rebalanced workloads | $0.393 | ',
    ]);
  });

  it('is not shown without a figure of each client', () => {
    const moved = withFigures('moved', { [`${at}: Evenkeel`]: 1 });
    expect(() => readmeFiguresBlock({ ...results, moved }, rowsOf)).toThrow(
      'bench/results/moved.json has no figure of "Karmada, defaults"; run: npm run bench -- moved',
    );
  });
});

describe('the tables of single benchmarks', () => {
  const rows = (block: string) => block.split('\n').slice(1);

  it('show the time of each contestant, and the stages of ours', () => {
    const of = (who: string) => ({
      [`3000 workloads, ${who}: from create to finish`]: 16_519.4,
      [`3000 workloads, ${who}: requests a workload`]: 1.0163,
      [`3000 workloads, ${who}: API server's CPU a workload`]: 9.18,
    });
    const stages = {
      "audit event waits for the API server's batch": 505,
      plan: 654,
      triggers: 13_578,
      'last report': 2,
    };
    const ours = Object.entries(stages).map(([stage, ms]) => [`3000 workloads, Evenkeel: ${stage}`, ms] as const);
    const result = withFigures('rebalance', { ...of('Evenkeel'), ...Object.fromEntries(ours), ...of('floor') });
    expect(rows(rebalanceBlock(result, rowsOf))).toEqual([
      '3,000 | Evenkeel | 16519 ms | 505 + 654 + 13578 + 2 | 9.2 ms | 1.016',
      '3,000 | floor | 16519 ms |  | 9.2 ms | 1.016',
    ]);
  });

  it('show the time from event to trigger', () => {
    const at = '10 rebalancers a second';
    const figures = { [`${at}: event to trigger, p50`]: 35.09, [`${at}: event to trigger, p99`]: 102.1 };
    const cpu = { [`${at}: CPU of kube-apiserver a rebalancer`]: 19.6, [`${at}: CPU of Evenkeel a rebalancer`]: 5 };
    const floor = { 'floor: bare writes of a rebalancer': 76.1 };
    const result = withFigures('reaction', { ...figures, [`${at}: triggers not seen in time`]: 0, ...cpu, ...floor });
    expect(rows(reactionBlock(result, rowsOf))).toEqual([
      `${at} | 35 ms | 102 ms | 0 | 20 ms | 5 ms`,
      '',
      'The bare writes alone: 76 rebalancers a second.',
    ]);
  });

  it('show the cost of a hold', () => {
    const label = 'a write (shrinks, 1 in flight)';
    const ways = { bare: [4.9, 28.2, 0], policy: [8, 36.6, 3.04], webhook: [9, 31.4, 3.98] } as const;
    const figures = Object.entries(ways).flatMap(([way, [p50, p99, more]]) => [
      [`${label}: ${way}, p50`, p50],
      [`${label}: ${way}, p99`, p99],
      [`${label}: ${way}, more than the bare one beside it`, more],
    ]);
    const ratios = [ratioOf(`${label}: policy, to bare`, [1.64]), ratioOf(`${label}: webhook, to bare`, [1.85])];
    const result = withFigures('admission', Object.fromEntries(figures) as Record<string, number>, ratios);
    expect(rows(holdsBlock(result, rowsOf))).toEqual([
      'removes a cluster | 1 | 1.64, 3.0 ms, 8 / 37 ms | 1.85, 4.0 ms, 9 / 31 ms | 5 / 28 ms',
    ]);
  });

  it('name the figure that a result lacks, and the command that measures it', () => {
    expect(() => reactionBlock(withFigures('reaction', { '1 rebalancers a second: created': 1 }), rowsOf)).toThrow(
      'bench/results/reaction.json has no "1 rebalancers a second: event to trigger, p50"; run: npm run bench -- reaction',
    );
  });
});

describe('the cost of a million workloads', () => {
  const counts = {
    invocations: { 'workload-rebalancer/trigger-bindings': { count: 10, ms: 5000 } },
    ...{ hookRequests: 1, events: 30, queueRequests: 100, schedules: 5, writeUnits: 400, readUnits: 400 },
    ...{ logBytes: 20_000, hubRequests: 1020 },
  };
  const details = { workloads: 1000, latencyMs: { hub: 10 }, counts };

  it('is listed by item, with the total', () => {
    const doc = costDoc(resultOf('function-cost', [], { details }), rowsOf, '## Monthly bill');
    expect(doc).toContain('events (EventBridge) | 30 | $1 for 1,000,000 | $0.030');
    // Of a function with 1,024 MB: 5 s are 5 GB-seconds.
    expect(doc).toContain('GB-seconds (Lambda, arm64) | 5 | $0.0000133334 | $0.067');
    // 0.002 + 0.0667 + 0.001 + 0.03 + 0.04 + 0.005 + 0.25 + 0.05 + 0.01.
    expect(doc).toContain('Total $0.455 for a million workloads');
  });

  it('is rejected if the result has no counts', () => {
    expect(() => costDoc(resultOf('function-cost', [], { details: { workloads: 1000 } }), rowsOf, '')).toThrow(
      'counts',
    );
  });
});
