/** Worked examples of replica assignment: each strategy, each mode, and invalid inputs. */
import { describe, expect, it } from 'vitest';
import {
  type Assignment,
  type AssignmentMode,
  type AssignmentRequest,
  assignReplicas,
} from '../../../../shared/karmada/assignment/assign-replicas.ts';
import type { Strategy } from '../../../../shared/karmada/assignment/placement.ts';

type Numbers = Record<string, number>;

const dynamic: Strategy = { kind: 'DynamicWeight' };
const aggregated: Strategy = { kind: 'Aggregated' };

function request(replicas: number, available: Numbers, more: Partial<AssignmentRequest> = {}): AssignmentRequest {
  const clusters = Object.entries(available).map(([name, capacity]) => ({ name, available: capacity }));
  return { replicas, strategy: dynamic, clusters, current: new Map(), mode: 'Steady', uid: '', ...more };
}

function sharesOf(assignment: Assignment): Numbers | string {
  if (assignment.outcome !== 'Assigned') return assignment.outcome;
  return Object.fromEntries(assignment.clusters.map(({ name, replicas }) => [name, replicas]));
}

const assign = (replicas: number, available: Numbers, more?: Partial<AssignmentRequest>) =>
  sharesOf(assignReplicas(request(replicas, available, more)));
const now = (current: Numbers, mode: AssignmentMode = 'Steady') => ({
  current: new Map(Object.entries(current)),
  mode,
});
const weights = (rules: Numbers): Strategy => ({
  kind: 'StaticWeight',
  weights: Object.entries(rules).map(([name, weight]) => ({ targetCluster: { clusterNames: [name] }, weight })),
});

describe('by dynamic weight', () => {
  it('divides the first time by available replicas', () => {
    expect(assign(12, { m1: 20, m2: 20, m3: 20 })).toEqual({ m1: 4, m2: 4, m3: 4 });
    expect(assign(12, { m1: 30, m2: 20, m3: 10 })).toEqual({ m1: 6, m2: 4, m3: 2 });
  });
  it('scaling up keeps the current replicas and divides only the difference', () => {
    expect(assign(12, { m1: 20, m2: 16, m3: 16 }, now({ m2: 4, m3: 4 }))).toEqual({ m1: 2, m2: 5, m3: 5 });
  });
  it('scaling up needs capacity for the difference only, not for the running replicas', () => {
    expect(assign(12, { m1: 0, m2: 2 }, now({ m1: 10 }))).toEqual({ m1: 10, m2: 2 });
  });
  it('scaling down removes in proportion to the current replicas, regardless of capacity', () => {
    expect(assign(6, { m1: 0, m2: 0, m3: 99 }, now({ m1: 2, m2: 4, m3: 6 }))).toEqual({ m1: 1, m2: 2, m3: 3 });
  });
  it('moves no replica while the sum is correct, even if another cluster is empty again', () => {
    expect(assign(12, { m1: 20, m2: 14, m3: 14 }, now({ m2: 6, m3: 6 }))).toEqual({ m2: 6, m3: 6 });
  });
  it('divides again when Fresh, with the current replicas counted as capacity', () => {
    expect(assign(12, { m1: 20, m2: 14, m3: 14 }, now({ m2: 6, m3: 6 }, 'Fresh'))).toEqual({ m1: 4, m2: 4, m3: 4 });
    expect(assign(6, { m1: 0, m2: 0 }, now({ m1: 4, m2: 2 }, 'Fresh'))).toEqual({ m1: 4, m2: 2 });
  });
  it('replaces the replicas of a cluster that is no candidate any more', () => {
    expect(assign(12, { m2: 8, m3: 8 }, now({ m1: 4, m2: 4, m3: 4 }))).toEqual({ m2: 6, m3: 6 });
  });
  it('is unschedulable without enough capacity, all or nothing, with the message of the scheduler', () => {
    expect(assignReplicas(request(10, { m1: 1, m2: 1 }))).toMatchObject({
      outcome: 'Unschedulable',
      message: 'Clusters available replicas 2 are not enough to schedule.',
    });
    expect(assign(12, { m1: 1 }, now({ m2: 8 }))).toBe('Unschedulable');
  });
  it('counts the current replicas in the capacity that a Fresh assignment lacks', () => {
    expect(assignReplicas(request(12, { m1: 1, m2: 1 }, now({ m1: 8 }, 'Fresh')))).toMatchObject({
      message: 'Clusters available replicas 10 are not enough to schedule.',
    });
  });
  it('treats an unlimited cluster as one with capacity for all replicas', () => {
    expect(assign(12, { m1: 2 ** 31 - 1, m2: 12 })).toEqual({ m1: 6, m2: 6 });
  });
  it('assigns the odd replica by the uid', () => {
    expect(assign(1, { m1: 5, m2: 5 }, { uid: 'a' })).toEqual({ m1: 1 });
    expect(assign(1, { m1: 5, m2: 5 }, { uid: 'b' })).toEqual({ m2: 1 });
  });
  it('has no cluster left when scaled to 0', () => {
    expect(assign(0, { m1: 5, m2: 5 }, now({ m1: 3, m2: 3 }))).toEqual({});
    expect(assign(0, { m1: 5 }, now({ m1: 3 }, 'Fresh'))).toEqual({});
  });
  it.each<[string, AssignmentRequest]>([
    ['DynamicWeight, Steady: 8 stay, 4 more', request(12, { m1: 20, m2: 16 }, now({ m2: 8 }))],
    ['DynamicWeight, Steady: all 8 stay', request(8, { m1: 20, m2: 16 }, now({ m2: 8 }))],
    ['DynamicWeight, Steady: 3 of 8 taken away in proportion', request(5, { m1: 20, m2: 16 }, now({ m2: 8 }))],
    ['Aggregated, Fresh: all divided anew', request(5, { m1: 20 }, { strategy: aggregated, ...now({}, 'Fresh') })],
    ['DynamicWeight, Steady: 0 stay, 9 more: capacity for 2 of 9', request(9, { m1: 2 })],
    ['Duplicated: every cluster gets all', request(9, { m1: 2 }, { strategy: { kind: 'Duplicated' } })],
    ['StaticWeight: divided by the weights of the placement', request(9, { m1: 2 }, { strategy: weights({ m1: 1 }) })],
    ['it has no replicas to divide; every cluster gets it', request(0, { m1: 2 }, { workload: false })],
    ['there is no cluster to choose from', request(9, {})],
  ])('reports its result: %s', (reason, asked) => {
    expect(assignReplicas(asked).reason).toBe(reason);
  });
  it('assigns the entire capacity, and not one replica more', () => {
    expect(assign(5, { m1: 3, m2: 2 })).toEqual({ m1: 3, m2: 2 });
    expect(assign(6, { m1: 3, m2: 2 })).toBe('Unschedulable');
  });
});

describe('aggregated', () => {
  const strategy = aggregated;
  it('selects only the cluster with the most capacity if that suffices', () => {
    expect(assign(12, { m1: 15, m2: 20, m3: 5 }, { strategy })).toEqual({ m2: 12 });
  });
  it('selects as few clusters as suffice and divides among them by capacity', () => {
    // 20 + 15 suffice for 28: 28 × 20/35 = 16 and 28 × 15/35 = 12.
    expect(assign(28, { m1: 15, m2: 20, m3: 5 }, { strategy })).toEqual({ m1: 12, m2: 16 });
  });
  it('grows on the current cluster first', () => {
    expect(assign(12, { m1: 20, m2: 8, m3: 20 }, { strategy, ...now({ m2: 4 }) })).toEqual({ m2: 12 });
    expect(assign(12, { m1: 20, m2: 5, m3: 20 }, { strategy, ...now({ m2: 4 }) })).toEqual({ m1: 6, m2: 6 });
  });
  it('consolidates on one cluster again when Fresh, but not when Steady', () => {
    const current = { m1: 4, m2: 8 };
    expect(assign(12, { m1: 0, m2: 10 }, { strategy, ...now(current) })).toEqual(current);
    expect(assign(12, { m1: 0, m2: 10 }, { strategy, ...now(current, 'Fresh') })).toEqual({ m2: 12 });
  });
  it('removes the smallest holdings first when scaled down', () => {
    // The shortest sufficient prefix of 6, 4, 2 for 5 replicas is the first alone.
    expect(assign(5, { m1: 9, m2: 9, m3: 9 }, { strategy, ...now({ m1: 2, m2: 4, m3: 6 }) })).toEqual({ m3: 5 });
  });
  it('selects one more cluster if the first lacks one replica, and no more if it just suffices', () => {
    expect(assign(20, { m1: 15, m2: 20, m3: 5 }, { strategy })).toEqual({ m2: 20 });
    expect(assign(21, { m1: 15, m2: 20, m3: 5 }, { strategy })).toEqual({ m1: 9, m2: 12 });
  });
  it('prefers, of two equal holdings when it shrinks, the first in spec.clusters', () => {
    expect(assign(3, { m1: 9, m2: 9 }, { strategy, ...now({ m2: 3, m1: 3 }) })).toEqual({ m2: 3 });
    expect(assign(3, { m1: 9, m2: 9 }, { strategy, ...now({ m1: 3, m2: 3 }) })).toEqual({ m1: 3 });
  });
  it('prefers, of clusters with equal capacity, the first in the given order', () => {
    expect(assign(2, { m2: 9, m1: 9 }, { strategy })).toEqual({ m2: 2 });
    expect(assign(2, { m1: 9, m2: 9 }, { strategy })).toEqual({ m1: 2 });
    expect(assign(5, { m2: 9, m1: 12 }, { strategy, ...now({ m2: 3 }, 'Fresh') })).toEqual({ m2: 5 });
    expect(assign(9, { m2: 5, m1: 5 }, { strategy, ...now({ m1: 1, m2: 3 }) })).toEqual({ m1: 1, m2: 8 });
  });
});

describe('by static weight and duplicated', () => {
  it('divides by the weights, in every mode the same, whatever is available', () => {
    for (const mode of ['Steady', 'Fresh'] as const) {
      const more = { strategy: weights({ m1: 2, m2: 1 }), ...now({ m2: 9 }, mode) };
      expect(assign(9, { m1: 0, m2: 0 }, more)).toEqual({ m1: 6, m2: 3 });
    }
  });
  it('leaves out a cluster in no rule, or of weight 0', () => {
    expect(assign(9, { m1: 0, m2: 0, m3: 0 }, { strategy: weights({ m1: 2, m2: 1 }) })).toEqual({ m1: 6, m2: 3 });
    expect(assign(4, { m1: 0, m2: 0 }, { strategy: weights({ m1: 0, m2: 1 }) })).toEqual({ m2: 4 });
  });
  it('weighs every cluster equally if no rule matches', () => {
    expect(assign(4, { m1: 0, m2: 0 }, { strategy: weights({ m1: 0, m2: 0 }) })).toEqual({ m1: 2, m2: 2 });
    expect(assign(5, { m1: 0, m2: 0 }, { strategy: weights({}) })).toEqual({ m1: 3, m2: 2 });
  });
  it('uses the highest weight of the rules that match a cluster, by label too', () => {
    const strategy: Strategy = {
      kind: 'StaticWeight',
      weights: [
        { targetCluster: {}, weight: 1 },
        { targetCluster: { labelSelector: { matchLabels: { zone: 'a' } } }, weight: 3 },
      ],
    };
    const clusters = [
      { name: 'm1', available: 0, labels: { zone: 'a' } },
      { name: 'm2', available: 0, labels: { zone: 'b' } },
    ];
    expect(assign(8, {}, { strategy, clusters })).toEqual({ m1: 6, m2: 2 });
  });
  it('assigns all replicas to every cluster when duplicated', () => {
    expect(assign(5, { m1: 0, m2: 0 }, { strategy: { kind: 'Duplicated' } })).toEqual({ m1: 5, m2: 5 });
  });
});

describe('inputs at the edge', () => {
  it('propagates a workload without replicas to every cluster', () => {
    expect(assign(0, { m2: 0, m1: 0 }, { workload: false })).toEqual({ m1: 0, m2: 0 });
  });
  it('reports that no cluster fits if there is none, without the current ones', () => {
    expect(assignReplicas(request(3, {}, now({ m1: 3 })))).toMatchObject({
      outcome: 'NoClusterFit',
      message: '0/0 clusters are available: no cluster exists.',
    });
  });
  it('reads a negative, broken or missing number of available replicas as zero', () => {
    expect(assign(4, { m1: -5, m2: Number.NaN, m3: 4 })).toEqual({ m3: 4 });
    expect(assign(1, { m1: 0.9 })).toBe('Unschedulable');
  });
  it('reads a negative or broken number of current replicas as zero', () => {
    expect(assign(2, { m1: 9, m2: 0 }, now({ m1: Number.NaN, m2: -3 }))).toEqual({ m1: 2 });
  });
  it('counts a cluster that is listed twice once', () => {
    const clusters = [
      { name: 'm1', available: 3 },
      { name: 'm1', available: 3 },
    ];
    expect(assign(4, {}, { clusters })).toBe('Unschedulable');
  });
  it('rejects an invalid number of replicas instead of removing all replicas', () => {
    for (const replicas of [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY]) {
      expect(() => assignReplicas(request(replicas, { m1: 9 }))).toThrow(
        expect.objectContaining({
          message: `replicas: ${replicas} is not a whole number from 0`,
          retryClass: 'terminal',
          reason: 'InvalidReplicas',
        }) as Error,
      );
    }
  });
});
