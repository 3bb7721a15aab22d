/** Which clusters hold a workload where the placement says how many may. */
import { describe, expect, it } from 'vitest';
import { type SpreadRequest, spreadClusters } from '../../../../shared/model/assignment/spread-clusters.ts';
import type { Numbers } from '../../../placed-objects.ts';

interface Case {
  readonly rooms: Numbers;
  readonly current?: Numbers;
  readonly min?: number;
  readonly max: number;
  /** Absent: room does not count. */
  readonly replicas?: number;
}

function spread({ rooms, current = {}, min = 1, max, replicas }: Case): readonly string[] | string {
  const request: SpreadRequest<{ name: string; available: number }> = {
    candidates: Object.entries(rooms).map(([name, available]) => ({ name, available })),
    constraint: { spreadByField: 'cluster', minGroups: min, maxGroups: max },
    replicas,
    current: new Map(Object.entries(current)),
  };
  const answer = spreadClusters(request);
  return 'failure' in answer ? answer.failure : answer.chosen.map(({ name }) => name);
}

describe('a constraint on the number of clusters', () => {
  it('takes the roomiest, no more than maxGroups of them', () => {
    expect(spread({ rooms: { m1: 10, m2: 30, m3: 20 }, max: 2, replicas: 5 })).toEqual(['m2', 'm3']);
  });

  it('takes all where there are fewer than maxGroups', () => {
    expect(spread({ rooms: { m1: 10, m2: 30 }, max: 5, replicas: 5 })).toEqual(['m2', 'm1']);
  });

  it('takes by name where the room is the same', () => {
    for (const rooms of [
      { m3: 10, m1: 10, m2: 10 },
      { m1: 10, m2: 10, m3: 10 },
      { m3: 10, m2: 10, m1: 10 },
    ])
      expect(spread({ rooms, max: 2, replicas: 5 })).toEqual(['m1', 'm2']);
  });

  it('keeps to the clusters that hold the workload, though others are roomier', () => {
    expect(spread({ rooms: { m1: 1, m2: 50, m3: 60 }, current: { m1: 4 }, max: 1, replicas: 5 })).toEqual(['m1']);
    expect(spread({ rooms: { m2: 50, m3: 60, m1: 1 }, current: { m1: 4 }, max: 1, replicas: 5 })).toEqual(['m1']);
  });

  it('counts the replicas that a cluster holds as room there', () => {
    expect(spread({ rooms: { m1: 0, m2: 3 }, current: { m1: 5 }, max: 1, replicas: 5 })).toEqual(['m1']);
  });

  it('gives the last ones up for the roomiest of the others where the room is short', () => {
    const rooms = { m1: 30, m2: 20, m3: 60 };
    expect(spread({ rooms, current: { m1: 10, m2: 10 }, max: 2, replicas: 80 })).toEqual(['m1', 'm3']);
  });

  it('gives up no more of them than it must', () => {
    const rooms = { m1: 10, m2: 10, m3: 40, m4: 50 };
    expect(spread({ rooms, current: { m1: 10, m2: 10 }, max: 2, replicas: 60 })).toEqual(['m1', 'm4']);
  });

  it('gives up the only one as well', () => {
    expect(spread({ rooms: { m1: 1, m2: 50 }, current: { m1: 1 }, max: 1, replicas: 40 })).toEqual(['m2']);
  });

  it('takes one that does not hold it before one that does and has less room, and of two as roomy the first by name', () => {
    const current = { m1: 10, m2: 10, m3: 5 };
    expect(spread({ rooms: { m1: 10, m2: 10, m3: 1, m5: 60, m4: 60 }, current, max: 2, replicas: 75 })).toEqual([
      'm1',
      'm4',
    ]);
  });

  it.each([50, 60])('gives up nobody for one that is not roomier: %i', (other) => {
    const rooms = { m1: 4, m2: 60, m3: other };
    expect(spread({ rooms, current: { m1: 1 }, max: 2, replicas: 100 })).toEqual(['m3', 'm2']);
  });

  it('fails where even the roomiest together have too little', () => {
    const rooms = { m1: 10, m2: 20, m3: 30 };
    expect(spread({ rooms, max: 2, replicas: 51 })).toBe('no enough resource when selecting 2 clusters');
  });

  it('asks for no room where every cluster gets all (Duplicated)', () => {
    expect(spread({ rooms: { m1: 0, m2: 0, m3: 1 }, max: 2 })).toEqual(['m3', 'm1']);
  });

  it('fails where fewer clusters fit than minGroups', () => {
    const failure = 'the number of feasible clusters is less than spreadConstraint.MinGroups';
    expect(spread({ rooms: { m1: 10, m2: 10 }, min: 3, max: 5, replicas: 5 })).toBe(failure);
  });

  it('fails where it allows none', () => {
    expect(spread({ rooms: { m1: 10 }, max: 0, replicas: 5 })).toBe('no clusters available to schedule');
  });
});
