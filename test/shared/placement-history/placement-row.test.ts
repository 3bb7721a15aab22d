import { describe, expect, it } from 'vitest';
import { changedClusters, isSameReplicas, replicasByCluster } from '../../../shared/placement-history/placement-row.ts';

describe('replicas by cluster', () => {
  it('are without zeros and in the order of the names', () => {
    const replicas = replicasByCluster([
      ['m3', 1],
      ['m1', 2],
      ['m2', 0],
      ['m0', 4],
    ]);
    expect(JSON.stringify(replicas)).toBe('{"m0":4,"m1":2,"m3":1}');
  });

  it.each([
    [{ m1: 1 }, { m1: 1 }, true],
    [{ m1: 1 }, { m1: 1, m2: 0 }, true],
    [{ m1: 1 }, { m1: 1, m2: 1 }, false],
    [{ m1: 1, m2: 1 }, { m1: 1 }, false],
    [{ m1: 1, m2: 2 }, { m1: 2, m2: 2 }, false],
    [{}, {}, true],
  ])('%j and %j are the same: %s', (a, b, expected) => {
    expect(isSameReplicas(a, b)).toBe(expected);
  });

  it('that differ are listed by name', () => {
    expect(changedClusters({ m2: 1, m1: 4, m4: 2 }, { m3: 5, m1: 4, m2: 3 })).toEqual([
      { cluster: 'm2', from: 1, to: 3 },
      { cluster: 'm3', from: 0, to: 5 },
      { cluster: 'm4', from: 2, to: 0 },
    ]);
  });
});
