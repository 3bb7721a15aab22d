/** How replicas overflow from the clusters of an affinity term to those of its overflow affinities. */
import { describe, expect, it } from 'vitest';
import type { Assignment } from '../../../../shared/karmada/assignment/assign-replicas.ts';
import { assignTiers } from '../../../../shared/karmada/assignment/assign-tiers.ts';

/** [name, tier, capacity] */
type Tiered = readonly [string, number, number];

function assign(replicas: number, ...clusters: readonly Tiered[]): Assignment {
  return assignTiers({
    replicas,
    strategy: { kind: 'DynamicWeight' },
    clusters: clusters.map(([name, tier, capacity]) => ({ name, tier, capacity, available: capacity, holds: false })),
    current: new Map(),
    mode: 'Steady',
    uid: '',
  });
}

describe('tiers of clusters', () => {
  it('are assigned in order, each up to its capacity, in whatever order the clusters are listed', () => {
    expect(assign(10, ['m2', 1, 20], ['m1', 0, 6], ['m3', 1, 20])).toMatchObject({
      clusters: [
        { name: 'm1', replicas: 6 },
        { name: 'm2', replicas: 2 },
        { name: 'm3', replicas: 2 },
      ],
    });
    expect(assign(6, ['m3', 2, 9], ['m2', 1, 9], ['m1', 0, 6])).toMatchObject({
      clusters: [{ name: 'm1', replicas: 6 }],
    });
  });

  it('are all or nothing', () => {
    expect(assign(10, ['m1', 0, 6], ['m2', 1, 3])).toEqual({
      outcome: 'Unschedulable',
      reason: 'capacity for 9 of 10',
      message: 'Clusters available replicas are not enough to schedule.',
    });
  });
});
