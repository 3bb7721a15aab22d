/** The readiness that a move costs. The expected numbers are areas computed by hand. */
import { describe, expect, it } from 'vitest';
import { replicaSecondsLost } from '../../bench/ready/lost.ts';

type Step = readonly [ms: number, total: number];

describe('the replica-seconds that a move of 4 replicas loses', () => {
  it.each<[string, number, readonly Step[]]>([
    [
      'are the missing replicas times the seconds they are missing',
      20,
      [
        [0, 4],
        [500, 2],
        [10_500, 4],
      ],
    ],
    [
      'count each number of ready replicas until the next change',
      6,
      [
        [0, 4],
        [1000, 2],
        [2000, 1],
        [3000, 3],
        [4000, 4],
      ],
    ],
    [
      'begin at the first point',
      6,
      [
        [0, 2],
        [3000, 4],
      ],
    ],
    [
      'end at the last point',
      2,
      [
        [0, 4],
        [1000, 2],
        [2000, 0],
      ],
    ],
    [
      'are none if there are always at least 4 ready replicas',
      0,
      [
        [0, 4],
        [1000, 6],
        [9000, 4],
      ],
    ],
    [
      'are not reduced by the time with more than 4 ready replicas',
      1,
      [
        [0, 4],
        [1000, 6],
        [5000, 3],
        [6000, 4],
      ],
    ],
  ])('%s', (_, expected, steps) => {
    const points = steps.map(([ms, total]) => ({ ms, total }));
    expect(replicaSecondsLost(points, 4)).toBe(expected);
  });
});
