import { describe, expect, it } from 'vitest';
import type { ContestantName } from '../../bench/rebalance/contestants.ts';
import { inTurn, type Turn } from '../../bench/rebalance/rounds.ts';
import { cutsOf, parseLog, stagesOf } from '../../bench/rebalance/stages.ts';
import { besideRatios, figuresOf, ratiosOf } from '../../bench/rebalance/summary.ts';

const T0 = Date.UTC(2026, 10, 22, 10, 0, 0);

function turn(name: ContestantName, ms: number, over: Partial<Turn> = {}): Turn {
  const use = { requests: {}, total: 3060, sentBytes: 0, readBytes: 0 };
  const memory = { residentMiB: 100, peakMiB: 100 };
  return { name, workloads: 3000, round: 0, ms, use, cpuMs: 0, memory, serverCpuMs: 1, ...over };
}

function log(at: number, fields: object): string {
  return JSON.stringify({ time: new Date(T0 + at).toISOString(), ...fields });
}

describe('the ratios of the rebalance bench', () => {
  const stages = { received: 800, planned: 900, triggered: 5800, reported: 6000 };
  const turns = [
    turn('Evenkeel', 6000, { stages }),
    turn('floor', 5000),
    turn('Karmada, unlimited', 12_000),
    turn('Karmada, defaults', 75_000),
    turn('Evenkeel', 12_000, { round: 1, stages }),
    turn('floor', 10_000, { round: 1 }),
  ];
  const named = (name: string) => ratiosOf(turns).find((ratio) => ratio.name === name);

  it('compares turns of the same round, so a machine that is twice as slow in the second round has no effect', () => {
    expect(named('3000 workloads: Evenkeel from create, to the floor')).toMatchObject({
      low: 1.2,
      median: 1.2,
      high: 1.2,
      rounds: 2,
      goal: 1.15,
    });
  });

  it("excludes the time in the API server's batch from the ratio that starts at the event", () => {
    expect(named('3000 workloads: Evenkeel from the event, to the floor')).toMatchObject({ low: 1.04, high: 1.12 });
  });

  it('compares with Karmada in the rounds that include Karmada', () => {
    expect(named('3000 workloads: Karmada unlimited, to Evenkeel from create')).toMatchObject({ median: 2, rounds: 1 });
    expect(named('3000 workloads: Karmada at its defaults, to Evenkeel from create')).toMatchObject({
      median: 12.5,
      better: 'higher',
    });
    expect(named('3000 workloads: Karmada at its defaults, to the floor')).toMatchObject({ median: 15 });
  });

  it('counts requests per workload', () => {
    expect(named("3000 workloads: Evenkeel's requests, to the workloads")).toMatchObject({ median: 1.02, goal: 1.02 });
  });

  it('has no goals for other sizes, and no ratios of values that were not measured', () => {
    const small = ratiosOf([turn('Evenkeel', 500, { workloads: 100 }), turn('floor', 400, { workloads: 100 })]);
    expect(small.map(({ goal }) => goal).filter((goal) => goal !== undefined)).toEqual([]);
    expect(small.filter(({ name }) => name.includes('first trigger'))).toEqual([]);
  });

  it('compares the time per workload of two sizes, measured from the event', () => {
    const grown = ratiosOf([
      turn('Evenkeel', 1100, { workloads: 1000, stages: { ...stages, received: 100 } }),
      turn('Evenkeel', 3800, { stages: { ...stages, received: 500 } }),
    ]);
    expect(grown.find(({ name }) => name === 'a workload of 3000, to one of 1000')).toMatchObject({ median: 1.1 });
  });

  it('has figures of the time in each stage', () => {
    const parts = figuresOf(turns.slice(0, 1)).map(({ name, median }) => [name.split(': ')[1], median]);
    expect(Object.fromEntries(parts)).toMatchObject({
      "audit event waits for the API server's batch": 800,
      plan: 100,
      triggers: 4900,
      'last report': 200,
    });
  });
});

describe('the latency of another client', () => {
  it('is compared with the latency of that client alone in the same round', () => {
    const other = (p50Ms: number) => ({ perSecond: 1, p50Ms, p99Ms: 3 * p50Ms, limited: 0 });
    const ratios = besideRatios([
      { name: 'no client', round: 0, other: other(10) },
      { name: 'Evenkeel', round: 0, other: other(15) },
    ]);
    expect(ratios.map(({ median }) => median)).toEqual([1.5, 1.5]);
  });
});

describe('the log of the local run', () => {
  const lines = parseLog(
    [
      log(-500, { code: 'EK100', events: 1 }),
      log(300, { code: 'EK100', events: 0 }),
      log(800, { code: 'EK100', events: 1 }),
      log(900, { code: 'EK000', event: 'WorkloadRebalancerChanged' }),
      log(1000, { code: 'EK000', event: 'RebalanceChunkPlanned' }),
      log(1100, { code: 'EK200', inFlight: 8 }),
      log(1200, { code: 'EK000', event: 'RebalanceChunkPlanned' }),
      log(1300, { code: 'EK000', event: 'RebalanceFinished' }),
      '',
    ].join('\n'),
  );

  it('has the stages of the rebalance that starts at that time, up to its last chunk', () => {
    expect(stagesOf(lines, T0)).toEqual({ received: 800, planned: 900, triggered: 1200, reported: 1300 });
  });

  it('has no stages of a rebalance whose end is not logged', () => {
    expect(stagesOf(lines, T0 + 950)).toBeUndefined();
  });

  it('has the concurrency limits that were lowered', () => {
    expect(cutsOf(lines, T0)).toEqual([8]);
    expect(cutsOf(lines, T0 + 1101)).toEqual([]);
  });
});

describe('the order of the contestants', () => {
  it('starts with another contestant in each round', () => {
    expect([0, 1, 2, 3].map((round) => inTurn(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });
});
