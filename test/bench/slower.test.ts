/** Comparison of the times of two commits. The results are invented. */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../bench/result.ts';
import { timedRatios } from '../../bench/slower.ts';

function resultOf(median: number, unit = 'ms', bench = 'a'): Result {
  const machine = { cores: 2, memoryGb: 8, cpu: 'a cpu', node: 'v24', loadBefore: 0 };
  const figures = [{ name: 'ours', unit, min: median, median, max: median, rounds: 1 }];
  const measuredAt = '2026-11-22T10:00:00Z';
  return { bench, command: 'node bench/a.ts', measuredAt, machine, versions: {}, figures, ratios: [] };
}

function isSlower(pairs: readonly (readonly [base: number, head: number])[]): boolean | undefined {
  const turns = pairs.map(([base, head]) => ({ base: [resultOf(base)], head: [resultOf(head)] }));
  return timedRatios(turns)[0]?.isSlower;
}

describe('a commit, compared with its base', () => {
  it.each<[string, boolean, readonly (readonly [number, number])[]]>([
    ['is slower if it takes a third more in every turn', true, Array(5).fill([100, 133])],
    ['is not slower at a fifth more', false, Array(5).fill([100, 120])],
    [
      'is not slower if the machine was slow for both',
      false,
      [
        [100, 101],
        [300, 310],
        [100, 99],
      ],
    ],
    [
      'is not slower if one turn was slow for it alone',
      false,
      [
        [100, 100],
        [100, 100],
        [100, 900],
      ],
    ],
    [
      'is not slower if it was faster in more than a quarter of the turns',
      false,
      [
        [100, 90],
        [100, 95],
        [100, 130],
        [100, 130],
        [100, 130],
      ],
    ],
    [
      'is slower although the machine got faster meanwhile',
      true,
      [
        [400, 600],
        [200, 300],
        [100, 150],
      ],
    ],
  ])('%s', (_, expected, pairs) => {
    expect(isSlower(pairs)).toBe(expected);
  });

  it('is compared by times that both have: no counts, no benchmark of one of them', () => {
    const turn = { base: [resultOf(1, 'requests', 'b')], head: [resultOf(9, 'requests', 'b'), resultOf(9)] };
    expect(timedRatios([turn])).toEqual([]);
  });
});
