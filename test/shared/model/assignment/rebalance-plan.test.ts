import { describe, expect, it } from 'vitest';
import {
  compareKeys,
  distributionOf,
  movedBetween,
  planFresh,
  sharedRooms,
} from '../../../../shared/model/assignment/rebalance-plan.ts';
import { byStaticWeight, cluster, clusters, placedBinding, replicasOf } from '../../../placed-objects.ts';

const even = { replicaScheduling: byStaticWeight({ m1: 1, m2: 1 }) };
const twoClusters = clusters({ m1: 100, m2: 100 });

describe('what assigning a binding anew would change', () => {
  it('is the replicas that clusters have and would lose', () => {
    const binding = placedBinding({ replicas: 10, placement: even, current: { m2: 2, m1: 8 } });
    const plan = planFresh(binding, twoClusters, () => 100);
    expect(plan.key).toEqual({ namespace: 'shop', name: 'web-deployment' });
    expect([...plan.current]).toEqual([
      ['m1', 8],
      ['m2', 2],
    ]);
    expect(plan.fresh.outcome).toBe('Success');
    expect(plan.moves).toBe(3);
    expect(plan.binding).toBe(binding);
  });

  it('is all of them where no cluster fits, and none where there is too little room', () => {
    const current = { m1: 8, m2: 2 };
    const nowhere = { ...even, clusterAffinity: { clusterNames: ['m9'] } };
    expect(planFresh(placedBinding({ placement: nowhere, current }), twoClusters, () => 100).moves).toBe(10);
    expect(planFresh(placedBinding({ replicas: 20, current }), twoClusters, () => 1).moves).toBe(0);
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

  it('are looked at in the order of the names of clusters', () => {
    expect([...distributionOf(replicasOf({ b: 1, c: 2, a: 3 })).keys()]).toEqual(['a', 'b', 'c']);
  });
});

describe('room for workloads that ask for the same', () => {
  const asking = (cpu: string) => placedBinding({ spec: { replicaRequirements: { resourceRequest: { cpu } } } });

  it('is worked out once, and for others apart', () => {
    const rooms = sharedRooms();
    expect(rooms(asking('1'))).toBe(rooms(asking('1')));
    expect(rooms(asking('1'))).not.toBe(rooms(asking('2')));
    expect(rooms(placedBinding())).not.toBe(rooms(asking('1')));
  });

  it('is the same as what is asked for alone, each time', () => {
    const room = sharedRooms()(placedBinding());
    const [small, large] = [cluster('small', { pods: 3 }), cluster('large', { pods: 50 })];
    expect([room(small), room(large), room(small)]).toEqual([3, 50, 3]);
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
