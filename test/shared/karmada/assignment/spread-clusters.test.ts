/** Which clusters hold a workload if the placement limits their number. */
import { describe, expect, it } from 'vitest';
import type { SpreadConstraint } from '../../../../shared/karmada/assignment/placement.ts';
import { rankClusters } from '../../../../shared/karmada/assignment/rank-clusters.ts';
import { spreadClusters } from '../../../../shared/karmada/assignment/spread-clusters.ts';
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
  const constraints = [{ spreadByField: 'cluster', minGroups: min, maxGroups: max }];
  return spreadBy(constraints, { clusters: named(capacities), current, ...(replicas !== undefined && { replicas }) });
}

interface Located {
  readonly name: string;
  readonly available: number;
  readonly region?: string;
}

interface Demand {
  readonly clusters: readonly Located[];
  readonly current?: Numbers;
  readonly replicas?: number;
}

function spreadBy(
  constraints: readonly SpreadConstraint[],
  { clusters, current = {}, replicas }: Demand,
): readonly string[] | string {
  const candidates = rankClusters({
    candidates: clusters,
    current: new Map(Object.entries(current)),
    available: ({ available }) => available,
    tierOf: () => 0,
  });
  const answer = spreadClusters({ candidates, constraints, replicas: replicas ?? 10, divided: replicas !== undefined });
  return 'failure' in answer ? answer.failure : answer.chosen.map(({ name }) => name);
}

function named(capacities: Numbers): readonly Located[] {
  return Object.entries(capacities).map(([name, available]) => ({ name, available }));
}

/** `{ north: { m1: 10 } }` */
function inRegions(regions: Readonly<Record<string, Numbers>>): readonly Located[] {
  return Object.entries(regions).flatMap(([region, capacities]) =>
    named(capacities).map((cluster) => ({ ...cluster, ...(region !== '-' && { region }) })),
  );
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

describe('a spread by region', () => {
  const regions = (minGroups: number, maxGroups: number) => ({ spreadByField: 'region', minGroups, maxGroups });
  const clusters = (minGroups: number, maxGroups: number) => ({ spreadByField: 'cluster', minGroups, maxGroups });
  const four = inRegions({ east: { e1: 30, e2: 10 }, north: { n1: 20, n2: 15 }, south: { s1: 40 }, west: { w1: 5 } });

  it('takes the regions with capacity for their part, of equal ones those with more clusters, and the best cluster of each', () => {
    expect(spreadBy([regions(2, 2)], { clusters: four, replicas: 20 })).toEqual(['e1', 'n1']);
  });

  it('adds the best other clusters of these regions up to maxGroups clusters', () => {
    expect(spreadBy([regions(2, 2), clusters(2, 3)], { clusters: four, replicas: 20 })).toEqual(['e1', 'n1', 'n2']);
    expect(spreadBy([regions(2, 2), clusters(2, 9)], { clusters: four, replicas: 20 })).toEqual([
      'e1',
      'n1',
      'n2',
      'e2',
    ]);
  });

  it('takes one cluster of each region, even if these are more than maxGroups clusters', () => {
    expect(spreadBy([regions(2, 2), clusters(1, 1)], { clusters: four, replicas: 20 })).toHaveLength(2);
  });

  it('prefers a region with capacity for its part of the replicas', () => {
    const two = inRegions({ east: { e1: 5, e2: 4 }, south: { s1: 30 } });
    expect(spreadBy([regions(1, 1)], { clusters: two, replicas: 20 })).toEqual(['s1']);
    expect(spreadBy([regions(1, 1)], { clusters: two, replicas: 9 })).toEqual(['e1']);
  });

  it('prefers, of regions with enough capacity, one that holds the workload', () => {
    const two = inRegions({ east: { e1: 50, e2: 50 }, south: { s1: 30 } });
    expect(spreadBy([regions(1, 1)], { clusters: two, replicas: 20, current: { s1: 1 } })).toEqual(['s1']);
  });

  it('takes further regions if fewer do not have the clusters that the constraint by cluster requires', () => {
    expect(spreadBy([regions(1, 4), clusters(5, 5)], { clusters: four, replicas: 20 })).toEqual([
      'e1',
      'n1',
      's1',
      'n2',
      'e2',
    ]);
  });

  it('counts, for a workload that goes everywhere, the clusters with capacity for all replicas', () => {
    const two = inRegions({ east: { e1: 30 }, north: { n1: 9, n2: 9, n3: 9 } });
    expect(spreadBy([regions(1, 1)], { clusters: two })).toEqual(['e1']);
    expect(spreadBy([regions(1, 1)], { clusters: inRegions({ east: { e1: 9 }, north: { n1: 8, n2: 8 } }) })).toEqual([
      'n1',
    ]);
  });

  it('takes as many regions as there are, if so many are required', () => {
    const two = inRegions({ east: { e1: 9 }, west: { w1: 8 } });
    expect(spreadBy([regions(2, 2)], { clusters: two, replicas: 8 })).toEqual(['e1', 'w1']);
  });

  describe('scores a region', () => {
    const best = (demand: Demand, clustersMin = 1) =>
      spreadBy([regions(1, 1), clusters(clustersMin, 1)], { replicas: 10, ...demand });

    it('by its first clusters that have capacity for its part, and not by the others', () => {
      const two = inRegions({ a: { a1: 9, a2: 9, a3: 9, a4: 9 }, c: { c1: 9, c2: 9, c3: 9 } });
      expect(best({ clusters: two, current: { a1: 1, c1: 1, c2: 1 } })).toEqual(['a1']);
    });

    it('by one cluster, if that has just the capacity', () => {
      const two = inRegions({ a: { a1: 9, a2: 5 }, b: { b1: 30 } });
      expect(best({ clusters: two, current: { a1: 1, b1: 1 } })).toEqual(['a1']);
    });

    it('by as many clusters as the constraint by cluster requires', () => {
      const some = inRegions({ a: { a1: 9, a2: 10 }, b: { b1: 9, b2: 9 } });
      expect(best({ clusters: some, current: { a1: 1, b1: 1, b2: 1 } }, 2)).toEqual(['b1']);
      const more = inRegions({ a: { a1: 9, a2: 9, a3: 1 }, b: { b1: 9, b2: 9 } });
      expect(best({ clusters: more, current: { a1: 1, a2: 1, b1: 1, b2: 1 } }, 2)).toEqual(['a1']);
    });

    it('by its capacity first, if it is too low for its part, then by the clusters that hold the workload', () => {
      const two = inRegions({ a: { a1: 4, a2: 3 }, b: { b1: 5 } });
      expect(best({ clusters: two, current: { b1: 1 } })).toEqual(['a1']);
      expect(best({ clusters: inRegions({ a: { a1: 7 }, b: { b1: 6 } }), current: { b1: 1 } })).toEqual(['b1']);
    });

    it('without regard to capacity, if no region is required', () => {
      const two = inRegions({ a: { a1: 50 }, b: { b1: 4 } });
      const demand = { clusters: two, current: { b1: 1 }, replicas: 10 };
      expect(spreadBy([regions(0, 1), clusters(1, 1)], demand)).toEqual(['b1']);
    });

    it('by its clusters that hold the workload, if each cluster gets all replicas and equally many have capacity', () => {
      const everywhere = (demand: Demand) => spreadBy([regions(1, 1)], demand);
      const equal = inRegions({ a: { a1: 10 }, b: { b1: 9 } });
      expect(everywhere({ clusters: equal, current: { b1: 1 } })).toEqual(['b1']);
      const more = inRegions({ a: { a1: 9 }, b: { b1: 10, b2: 10 } });
      expect(everywhere({ clusters: more, current: { a1: 1 } })).toEqual(['b1']);
    });
  });

  it('ignores clusters without a region, and reads of several constraints by region the last', () => {
    const two = inRegions({ '-': { m1: 99 }, east: { e1: 9 }, west: { w1: 8 } });
    expect(spreadBy([regions(3, 3), regions(1, 1)], { clusters: two, replicas: 8 })).toEqual(['e1']);
  });

  it('fails with fewer regions than minGroups, or fewer clusters in them than minGroups clusters', () => {
    expect(spreadBy([regions(5, 5)], { clusters: four, replicas: 20 })).toBe(
      'the number of feasible region is less than spreadConstraint.MinGroups',
    );
    expect(spreadBy([regions(1, 2), clusters(5, 9)], { clusters: four, replicas: 20 })).toBe(
      'the number of clusters is less than the cluster spreadConstraint.MinGroups',
    );
  });
});

describe('a spread by zone, provider or label', () => {
  const two = named({ m1: 10, m2: 30 });

  it.each([[{ spreadByField: 'zone' }], [{ spreadByField: 'provider' }], [{ spreadByLabel: 'tier' }]])(
    'alone fails: %j',
    (constraint) => {
      expect(spreadBy([constraint], { clusters: two, replicas: 5 })).toBe(
        'just support cluster and region spread constraint',
      );
    },
  );

  it('has no effect beside one by cluster', () => {
    const constraints = [
      { spreadByField: 'zone', minGroups: 5 },
      { spreadByField: 'cluster', maxGroups: 1 },
    ];
    expect(spreadBy(constraints, { clusters: two, replicas: 5 })).toEqual(['m2']);
  });
});
