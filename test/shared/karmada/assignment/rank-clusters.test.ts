/** In which order clusters are preferred. */
import { describe, expect, it } from 'vitest';
import { rankClusters } from '../../../../shared/karmada/assignment/rank-clusters.ts';
import type { Numbers } from '../../../placed-objects.ts';

interface Fleet {
  readonly available: Numbers;
  readonly current?: Numbers;
  readonly tiers?: Numbers;
}

function rank({ available, current = {}, tiers = {} }: Fleet) {
  return rankClusters({
    candidates: Object.keys(available).map((name) => ({ name })),
    current: new Map(Object.entries(current)),
    available: ({ name }) => available[name] ?? 0,
    tierOf: ({ name }) => tiers[name] ?? 0,
  });
}

const order = (fleet: Fleet): string =>
  rank(fleet)
    .map(({ name }) => name)
    .join(' ');

describe('the order of clusters', () => {
  it('is by name if all else is equal', () => {
    expect(order({ available: { m3: 5, m1: 5, m2: 5 } })).toBe('m1 m2 m3');
    expect(order({ available: { m1: 5, m2: 5, m3: 5 } })).toBe('m1 m2 m3');
  });

  it('begins with the most capacity, with the replicas that a cluster has counted in', () => {
    expect(order({ available: { m1: 5, m2: 9 } })).toBe('m2 m1');
    expect(order({ available: { m1: 5, m2: 5 }, current: { m1: 1, m2: 3 } })).toBe('m2 m1');
  });

  it('begins with the clusters that hold the workload, even with zero replicas', () => {
    expect(order({ available: { m1: 9, m2: 5 }, current: { m2: 0 } })).toBe('m2 m1');
  });

  it('begins with the lowest tier, whatever holds the workload', () => {
    expect(order({ available: { m1: 9, m2: 5 }, current: { m1: 4 }, tiers: { m1: 1 } })).toBe('m2 m1');
  });

  it('has each cluster with its capacity', () => {
    expect(rank({ available: { m1: 5 }, current: { m1: 2 }, tiers: { m1: 3 } })).toEqual([
      { name: 'm1', available: 5, tier: 3, holds: true, capacity: 7 },
    ]);
  });
});
