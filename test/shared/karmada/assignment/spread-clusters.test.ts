/** Which clusters hold a workload if the placement limits their number. */
import { describe, expect, it } from 'vitest';
import { type SpreadRequest, spreadClusters } from '../../../../shared/karmada/assignment/spread-clusters.ts';
import type { Numbers } from '../../../placed-objects.ts';

interface Case {
  readonly capacities: Numbers;
  readonly current?: Numbers;
  readonly min?: number;
  readonly max: number;
  /** Absent: capacity is ignored. */
  readonly replicas?: number;
}

function spread({ capacities, current = {}, min = 1, max, replicas }: Case): readonly string[] | string {
  const request: SpreadRequest<{ name: string; available: number }> = {
    candidates: Object.entries(capacities).map(([name, available]) => ({ name, available })),
    constraint: { spreadByField: 'cluster', minGroups: min, maxGroups: max },
    replicas,
    current: new Map(Object.entries(current)),
  };
  const answer = spreadClusters(request);
  return 'failure' in answer ? answer.failure : answer.chosen.map(({ name }) => name);
}

describe('a constraint on the number of clusters', () => {
  it('selects the clusters with the most capacity, at most maxGroups', () => {
    expect(spread({ capacities: { m1: 10, m2: 30, m3: 20 }, max: 2, replicas: 5 })).toEqual(['m2', 'm3']);
  });

  it('selects all clusters if there are fewer than maxGroups', () => {
    expect(spread({ capacities: { m1: 10, m2: 30 }, max: 5, replicas: 5 })).toEqual(['m2', 'm1']);
  });

  it('selects by name if the capacity is equal', () => {
    for (const capacities of [
      { m3: 10, m1: 10, m2: 10 },
      { m1: 10, m2: 10, m3: 10 },
      { m3: 10, m2: 10, m1: 10 },
    ])
      expect(spread({ capacities, max: 2, replicas: 5 })).toEqual(['m1', 'm2']);
  });

  it('keeps to the clusters that hold the workload, though others are roomier', () => {
    expect(spread({ capacities: { m1: 1, m2: 50, m3: 60 }, current: { m1: 4 }, max: 1, replicas: 5 })).toEqual(['m1']);
    expect(spread({ capacities: { m2: 50, m3: 60, m1: 1 }, current: { m1: 4 }, max: 1, replicas: 5 })).toEqual(['m1']);
  });

  it('counts the replicas of a cluster as capacity there', () => {
    expect(spread({ capacities: { m1: 0, m2: 3 }, current: { m1: 5 }, max: 1, replicas: 5 })).toEqual(['m1']);
  });

  it('replaces the last clusters by the one with the most capacity if the capacity is short', () => {
    const capacities = { m1: 30, m2: 20, m3: 60 };
    expect(spread({ capacities, current: { m1: 10, m2: 10 }, max: 2, replicas: 80 })).toEqual(['m1', 'm3']);
  });

  it('replaces no more clusters than necessary', () => {
    const capacities = { m1: 10, m2: 10, m3: 40, m4: 50 };
    expect(spread({ capacities, current: { m1: 10, m2: 10 }, max: 2, replicas: 60 })).toEqual(['m1', 'm4']);
  });

  it('replaces the only one as well', () => {
    expect(spread({ capacities: { m1: 1, m2: 50 }, current: { m1: 1 }, max: 1, replicas: 40 })).toEqual(['m2']);
  });

  it('replaces a current cluster with less capacity by a new one, and of two with equal capacity takes the first by name', () => {
    const current = { m1: 10, m2: 10, m3: 5 };
    expect(spread({ capacities: { m1: 10, m2: 10, m3: 1, m5: 60, m4: 60 }, current, max: 2, replicas: 75 })).toEqual([
      'm1',
      'm4',
    ]);
  });

  it.each([50, 60])('replaces no cluster by one without more capacity: %i', (other) => {
    const capacities = { m1: 4, m2: 60, m3: other };
    expect(spread({ capacities, current: { m1: 1 }, max: 2, replicas: 100 })).toEqual(['m3', 'm2']);
  });

  it('fails if even the clusters with the most capacity together have too little', () => {
    const capacities = { m1: 10, m2: 20, m3: 30 };
    expect(spread({ capacities, max: 2, replicas: 51 })).toBe('no enough resource when selecting 2 clusters');
  });

  it('needs no capacity if every cluster gets all replicas (Duplicated)', () => {
    expect(spread({ capacities: { m1: 0, m2: 0, m3: 1 }, max: 2 })).toEqual(['m3', 'm1']);
  });

  it('fails if fewer clusters fit than minGroups', () => {
    const failure = 'the number of feasible clusters is less than spreadConstraint.MinGroups';
    expect(spread({ capacities: { m1: 10, m2: 10 }, min: 3, max: 5, replicas: 5 })).toBe(failure);
  });

  it('fails if maxGroups is zero', () => {
    expect(spread({ capacities: { m1: 10 }, max: 0, replicas: 5 })).toBe('no clusters available to schedule');
  });
});
