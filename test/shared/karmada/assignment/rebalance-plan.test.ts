import { describe, expect, it } from 'vitest';
import {
  compareKeys,
  distributionOf,
  movedBetween,
  planFresh,
  sharedCapacities,
} from '../../../../shared/karmada/assignment/rebalance-plan.ts';
import { byStaticWeight, cluster, clusters, placedBinding, replicasOf } from '../../../placed-objects.ts';

const even = { replicaScheduling: byStaticWeight({ m1: 1, m2: 1 }) };
const twoClusters = clusters({ m1: 100, m2: 100 });

describe('the changes of a new assignment', () => {
  it('is the replicas that clusters have and would lose', () => {
    const binding = placedBinding({ replicas: 10, placement: even, current: { m2: 2, m1: 8 } });
    const plan = planFresh(binding, { clusters: twoClusters, capacity: () => 100 });
    expect(plan.key).toEqual({ namespace: 'shop', name: 'web-deployment' });
    expect([...plan.current]).toEqual([
      ['m1', 8],
      ['m2', 2],
    ]);
    expect(plan.fresh.outcome).toBe('Success');
    expect(plan.moves).toBe(3);
    expect(plan.binding).toBe(binding);
  });

  it('are all replicas if no cluster fits, and none if the capacity is too low', () => {
    const current = { m1: 8, m2: 2 };
    const nowhere = { ...even, clusterAffinity: { clusterNames: ['m9'] } };
    expect(
      planFresh(placedBinding({ placement: nowhere, current }), { clusters: twoClusters, capacity: () => 100 }).moves,
    ).toBe(10);
    expect(
      planFresh(placedBinding({ replicas: 20, current }), { clusters: twoClusters, capacity: () => 1 }).moves,
    ).toBe(0);
  });
});

describe('replicas that move', () => {
  it.each([
    [{ m1: 4, m2: 4 }, { m1: 4, m2: 4 }, 0],
    [{ m1: 4, m2: 4 }, { m1: 8 }, 4],
    [{ m1: 4 }, { m1: 9, m2: 3 }, 0],
    [{ m1: 4, m2: 3 }, {}, 7],
  ])('from %j to %j are %i', (before, after, moved) => {
    expect(movedBetween(distributionOf(replicasOf(before)), distributionOf(replicasOf(after)))).toBe(moved);
  });

  it('are planned in the order of the cluster names', () => {
    expect([...distributionOf(replicasOf({ b: 1, c: 2, a: 3 })).keys()]).toEqual(['a', 'b', 'c']);
  });
});

describe('the capacity for workloads with equal requests', () => {
  const asking = (cpu: string) => placedBinding({ spec: { replicaRequirements: { resourceRequest: { cpu } } } });

  it('is worked out once, and for others apart', () => {
    const capacities = sharedCapacities();
    expect(capacities(asking('1'))).toBe(capacities(asking('1')));
    expect(capacities(asking('1'))).not.toBe(capacities(asking('2')));
    expect(capacities(placedBinding())).not.toBe(capacities(asking('1')));
  });

  it('is the same as what is asked for alone, each time', () => {
    const capacity = sharedCapacities()(placedBinding());
    const [small, large] = [cluster('small', { pods: 3 }), cluster('large', { pods: 50 })];
    expect([capacity(small), capacity(large), capacity(small)]).toEqual([3, 50, 3]);
  });
});

describe('the order of bindings', () => {
  it('is by namespace, and then by name', () => {
    const keys = ['b/a', 'a/c', 'a/b', '/z'].map((text) => {
      const [namespace = '', name = ''] = text.split('/');
      return { namespace, name };
    });
    expect(keys.toSorted(compareKeys).map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      '/z',
      'a/b',
      'a/c',
      'b/a',
    ]);
    expect(compareKeys({ namespace: 'a', name: 'b' }, { namespace: 'a', name: 'b' })).toBe(0);
  });
});
