/** Policies by pressure and price on single fleets: which workloads move, how many replicas, where to, and why others stay. */
import { describe, expect, it } from 'vitest';
import { evaluationContextOf } from '../../../shared/rebalance-policy/evaluation-context.ts';
import type { PlannedRun } from '../../../shared/rebalance-policy/plan-run.ts';
import type { WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import { shiftChecker } from '../../../shared/rebalance-policy/shift-planner.ts';
import { byStaticWeight, DUPLICATED, DYNAMIC } from '../../placed-objects.ts';
import { NOW } from './candidates.ts';
import {
  candidateOf,
  type FleetCluster,
  type FleetWorkload,
  hubOf,
  planFleet,
  type ShiftFleet,
  shiftPolicy,
} from './shift-fleet.ts';

const core: FleetCluster = { cpu: 10_000, memory: 40_960, otherCpu: 0, otherMemory: 0 };
const one: Omit<FleetWorkload, 'on'> = { cpu: 1000, memory: 1024 };
const level = shiftPolicy({ pressure: { resources: ['cpu'] } });

function fleet(
  workloads: ShiftFleet['workloads'],
  { m1 = {}, m2 = {}, m3 = { otherCpu: 7000 } }: Readonly<Record<string, Partial<FleetCluster>>> = {},
): ShiftFleet {
  return { clusters: { m1: { ...core, ...m1 }, m2: { ...core, ...m2 }, m3: { ...core, ...m3 } }, workloads };
}

const nexts = ({ waves }: PlannedRun) =>
  Object.fromEntries(waves.flat().map(({ workload, next }) => [workload.name, next]));
const reasons = ({ skipped, still }: PlannedRun) => [...skipped, ...still].map(({ reason }) => reason);

describe('a plan by pressure', () => {
  it('moves replicas off the cluster above the high watermark to the one below the low one, down to the target', () => {
    const planned = planFleet(fleet({ web: { ...one, on: { m1: 9 } } }), level);
    expect(planned.waves.flat()).toMatchObject([
      { next: { m1: 7, m2: 2 }, moves: 2, why: 'm1 is at 90 % of its cpu; 2 replicas go to m2 at 0 %' },
    ]);
  });

  it('moves nothing at exactly the high watermark', () => {
    const planned = planFleet(fleet({ web: { ...one, on: { m1: 8 } } }), level);
    expect([nexts(planned), reasons(planned)]).toEqual([{}, ['it has no replicas on a cluster above 80 %']]);
  });

  it('moves the one large replica that is enough, rather than several small ones', () => {
    const workloads = { big: { ...one, cpu: 2500, on: { m1: 1 } }, small: { ...one, cpu: 500, on: { m1: 13 } } };
    expect(nexts(planFleet(fleet(workloads), level))).toEqual({ big: { m2: 1 } });
  });

  it('moves the replica that is the smaller share of its workload', () => {
    const workloads = {
      few: { ...one, on: { m1: 2 } },
      many: { ...one, on: { m1: 6 } },
      other: { ...one, cpu: 500, on: { m1: 1 } },
    };
    expect(nexts(planFleet(fleet(workloads), level))).toEqual({ many: { m1: 4, m2: 2 } });
  });

  it('moves replicas to a cluster that the spread constraint allows only after another of its clusters is empty', () => {
    const spreadConstraints = [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }];
    const web = { ...one, on: { m1: 3, m2: 1 }, placement: { replicaScheduling: DYNAMIC, spreadConstraints } };
    const others = { m1: { otherCpu: 5500 }, m2: { cpu: 20_000, otherCpu: 15_500 }, m3: { otherCpu: 1000 } };
    expect(nexts(planFleet(fleet({ web }, others), level))).toEqual({ web: { m1: 1, m3: 3 } });
  });

  it.each<[string, Partial<FleetCluster>, Partial<FleetWorkload>]>([
    ['is at the low watermark', { otherCpu: 6000 }, {}],
    ['would be above the target with one more replica', { otherCpu: 5500 }, { cpu: 1600, on: { m1: 6 } }],
    ['has no capacity for pods', { pods: 0 }, {}],
    ['has no capacity for another resource', { otherMemory: 40_900 }, {}],
    ['is cordoned', { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }] }, {}],
    ['has a taint of a user', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }, {}],
    [
      'is not selected by the placement',
      {},
      { placement: { replicaScheduling: DYNAMIC, clusterAffinity: { clusterNames: ['m1', 'm3'] } } },
    ],
    [
      'exceeds the spread constraint',
      {},
      {
        placement: {
          replicaScheduling: DYNAMIC,
          spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
        },
      },
    ],
  ])('leaves the replicas where the only other cluster %s', (_, m2, workload) => {
    const planned = planFleet(fleet({ web: { ...one, on: { m1: 9 }, ...workload } }, { m2 }), level);
    expect([nexts(planned), reasons(planned)]).toEqual([
      {},
      ['no cluster below 60 % has capacity for a replica of it up to 70 %'],
    ]);
  });

  it.each<[string, Partial<FleetWorkload>, string]>([
    [
      'Duplicated',
      { placement: { replicaScheduling: DUPLICATED }, on: { m1: 9 } },
      'it is Duplicated: each cluster has all of its replicas',
    ],
    [
      'divided by static weights',
      { placement: { replicaScheduling: byStaticWeight({ m1: 1 }) } },
      'its weights are static: the scheduler would divide it by them again when it is scaled',
    ],
    [
      'excluded by a user',
      { annotations: { 'evenkeel.dev/rebalancing': 'Never' } },
      'evenkeel.dev/rebalancing on the binding keeps policies away',
    ],
    [
      'just moved',
      { annotations: { 'evenkeel.dev/assigned-at': '2026-11-21T09:59:00Z' } },
      'it was moved 60 s ago and cools down',
    ],
  ])('leaves a workload alone that is %s, with the reason', (_, workload, reason) => {
    const planned = planFleet(fleet({ web: { ...one, on: { m1: 9 }, ...workload } }), level);
    expect([nexts(planned), reasons(planned)]).toEqual([{}, [reason]]);
  });

  it('counts replicas that are assigned and do not run yet where they will be', () => {
    const arriving = { ...one, on: { m2: 7 }, reported: { m2: 0 } };
    const planned = planFleet(fleet({ arriving, web: { ...one, on: { m1: 9 } } }), level);
    expect(nexts(planned)).toEqual({});
  });

  it('counts replicas that are held as gone from their cluster', () => {
    const held = { ...one, on: { m2: 2 }, reported: { m1: 2, m2: 2 } };
    const planned = planFleet(fleet({ held, web: { ...one, on: { m1: 7 } } }), level);
    expect(nexts(planned)).toEqual({});
  });

  it('cuts waves so that their assignments fit in an annotation, with 500 workloads on 20 clusters each', () => {
    const others = Array.from({ length: 20 }, (_, i) => `member-${i}-${'x'.repeat(40)}`);
    const on = Object.fromEntries(['m1', ...others].map((name) => [name, 1]));
    const workloads = Object.fromEntries(
      Array.from({ length: 500 }, (_, i): [string, FleetWorkload] => [`w${i}`, { cpu: 10, memory: 1, on }]),
    );
    const clusters = {
      m1: { ...core, otherCpu: 5000 },
      m2: { ...core, cpu: 20_000 },
      ...Object.fromEntries(others.map((name) => [name, { ...core, cpu: 7500 }])),
    };
    const policy = shiftPolicy(
      { pressure: { high: 80, low: 20, resources: ['cpu'] } },
      { strategy: { waves: { size: 500 } } },
    );
    const { waves } = planFleet({ clusters, workloads }, policy);
    const texts = waves.map((wave) =>
      JSON.stringify(Object.fromEntries(wave.map(({ binding: { name }, next }) => [`shop/${name}`, next]))),
    );
    expect(waves.flat().length).toBeGreaterThan(300);
    expect(waves.length).toBeGreaterThan(1);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(256 * 1024);
  });
});

describe('a plan by price', () => {
  const priced = (m1: number, m2: number, m3: number, workloads: ShiftFleet['workloads']) =>
    fleet(workloads, { m1: { price: m1 }, m2: { price: m2 }, m3: { price: m3, otherCpu: 0 } });
  const cheap = shiftPolicy({ price: {} });

  it('moves the replicas whose own score is high enough, and leaves the others', () => {
    const planned = planFleet(priced(0.1, 0.03, 0.05, { web: { ...one, on: { m1: 4, m3: 4 } } }), cheap);
    expect(planned.waves.flat()).toMatchObject([
      { next: { m2: 4, m3: 4 }, score: 93, why: 'saves 47 % of its cost for 50 % of its replicas: score 0.93' },
    ]);
  });

  it('prefers the price in the policy to the annotation of the cluster', () => {
    const policy = shiftPolicy({ price: { clusters: [{ name: 'm2', price: '0.2' }] } });
    const planned = planFleet(priced(0.1, 0.03, 0.1, { web: { ...one, on: { m1: 4 } } }), policy);
    expect([nexts(planned), reasons(planned)]).toEqual([{}, ['no cluster is cheaper']]);
  });

  it.each<[string, FleetWorkload, string]>([
    ['requests no cpu', { cpu: 0, memory: 64, on: { m1: 4 } }, 'it requests no cpu, so that its cost is unknown'],
    ['saves too little', { ...one, on: { m1: 1, m3: 8 } }, 'no move saves enough: the best score is 0.09'],
  ])('leaves a workload that %s, with the reason', (_, workload, reason) => {
    const planned = planFleet(priced(1.1, 1, 1.1, { web: workload }), shiftPolicy({ price: { minScore: 20 } }));
    expect([nexts(planned), reasons(planned)]).toEqual([{}, [reason]]);
  });

  it('gives the scarce capacity of the cheap cluster to the moves with the best score', () => {
    const workloads = { some: { ...one, on: { m1: 6, m2: 6 } }, all: { ...one, cpu: 2000, on: { m1: 2, m3: 4 } } };
    const planned = planFleet(
      fleet(workloads, { m1: { price: 0.1, cpu: 20_000 }, m2: { price: 0.01 }, m3: { price: 0.1, otherCpu: 0 } }),
      cheap,
    );
    expect(nexts(planned)).toEqual({ some: { m1: 2, m2: 10 } });
  });
});

describe('a planned shift, when its wave starts', () => {
  const decision = { current: { m1: 9 }, next: { m1: 7, m2: 2 } } as unknown as WorkloadDecision;
  const recheck = (now: ShiftFleet, policy = level, planned = decision) => {
    const hub = hubOf(now, NOW);
    const web = now.workloads.web ?? { ...one, on: {} };
    return shiftChecker(policy, hub)?.recheck(candidateOf('web', web), planned, evaluationContextOf(hub))?.reason;
  };
  const web = { ...one, on: { m1: 9 } };

  it.each<[string, ShiftFleet, string | undefined]>([
    ['nothing has changed', fleet({ web }), undefined],
    [
      'it was scaled',
      fleet({ web: { ...one, on: { m1: 10 } } }),
      'since the plan: it was scaled or assigned otherwise',
    ],
    [
      'its cluster is relieved',
      fleet({ web }, { m1: { cpu: 20_000 } }),
      'since the plan: m1 is at 45 % of its cpu, not above 70 % any more',
    ],
    [
      'the receiver is full',
      fleet({ web }, { m2: { otherCpu: 5500 } }),
      'since the plan: m2 would be at 75 % of its cpu, above 70 %',
    ],
    [
      'the receiver is not healthy',
      fleet({ web }, { m2: { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }] } }),
      'since the plan: m2 is not healthy, or drained',
    ],
    [
      'the receiver has no capacity',
      fleet({ web }, { m2: { pods: 1 } }),
      'since the plan: cluster m2 has capacity for 1 of the 2 replicas that it is to get',
    ],
  ])('is written or skipped by what is there then: %s', (_, now, reason) => {
    expect(recheck(now)).toBe(reason);
  });

  it('is skipped by price when its score fell below the least', () => {
    const now = fleet({ web }, { m1: { price: 0.1 }, m2: { price: 0.06 } });
    expect(recheck(now, shiftPolicy({ price: {} }))).toBe('since the plan: its score is 0.40, below 0.50');
  });
});
