/** Comparison of the ratios of a run with the recorded ones. The results are invented. */
import { describe, expect, it } from 'vitest';
import { comparisonsTable } from '../../bench/comparisons-table.ts';
import { isRegression, regressions } from '../../bench/regressions.ts';
import type { Ratio, Result } from '../../bench/result.ts';

type Numbers = readonly [low: number, median: number, high: number];

function ratioOf([low, median, high]: Numbers, more: Partial<Ratio> = {}): Ratio {
  return { name: 'ours to theirs', kind: 'time', better: 'lower', low, median, high, rounds: 7, ...more };
}

function resultOf(ratios: readonly Ratio[], bench = 'a'): Result {
  const machine = { cores: 2, memoryGb: 8, cpu: 'a cpu', node: 'v24', loadBefore: 0 };
  const measuredAt = '2026-11-22T10:00:00Z';
  return { bench, command: 'node bench/a.ts', measuredAt, machine, versions: {}, figures: [], ratios };
}

function comparisonOf(was: Numbers, is: Numbers, more: Partial<Ratio> = {}): string | undefined {
  return regressions([resultOf([ratioOf(was, more)])], [resultOf([ratioOf(is, more)])])[0]?.change;
}

describe('a new run, compared with the recorded results', () => {
  const higher = { better: 'higher' } as const;
  const all = (one: number): Numbers => [one, one, one];

  it.each<[string, string, Numbers, Numbers, Partial<Ratio>?]>([
    ['worse', 'the middle moved far and the spreads lie apart', [0.9, 1, 1.2], [1.3, 1.4, 1.6]],
    ['as before', 'the spreads overlap: that may be a busy machine', [0.9, 1, 1.2], [1.1, 1.4, 1.9]],
    ['as before', 'the middle moved by less than the slack, however little it spread', all(1), all(1.24)],
    ['worse', 'it moved by more', all(1), all(1.26)],
    ['better', 'it moved far down', [0.9, 1, 1.2], [0.5, 0.6, 0.7]],
    ['worse', 'more is better, and there is less', [13, 14, 15], [9, 10, 11], higher],
    ['better', 'more is better, and there is more', [13, 14, 15], [19, 20, 21], higher],
    ['as before', 'more is better, and there is hardly less', [13, 14, 15], [12, 12.5, 13], higher],
    ['as before', 'time is a fifth more', all(1), all(1.2), { kind: 'time' }],
    ['worse', 'memory is a fifth more', all(1), all(1.2), { kind: 'memory' }],
    ['as before', 'requests are a hundredth more', all(1), all(1.01), { kind: 'count' }],
    ['worse', 'requests are three hundredths more', all(1), all(1.03), { kind: 'count' }],
  ])('is %s where %s', (comparison, _, was, is, more) => {
    expect(comparisonOf(was, is, more)).toBe(comparison);
  });

  it('ignores times', () => {
    const figure = { name: 'ours', unit: 'ms', rounds: 1 };
    const [was, is] = [1, 1000].map((ms) => ({
      ...resultOf([ratioOf([1, 1, 1])]),
      figures: [{ ...figure, min: ms, median: ms, max: ms }],
    }));
    expect(regressions(was ? [was] : [], is ? [is] : []).map(({ change: comparison }) => comparison)).toEqual([
      'as before',
    ]);
  });

  it('finds a ratio that is no longer measured, and one that is measured for the first time', () => {
    const [was, is] = [ratioOf([1, 1, 1], { name: 'old' }), ratioOf([1, 1, 1], { name: 'renamed' })];
    const found = regressions([resultOf([was])], [resultOf([is])]);
    expect(
      found.map(({ name, change: comparison }) => [
        name,
        comparison,
        isRegression({ bench: 'a', name, change: comparison }),
      ]),
    ).toEqual([
      ['old', 'gone', true],
      ['renamed', 'new', false],
    ]);
  });

  it('does not compare benchmarks that did not run', () => {
    const kept = [resultOf([ratioOf([1, 1, 1])], 'a'), resultOf([ratioOf([1, 1, 1])], 'b')];
    expect(regressions(kept, [resultOf([ratioOf([1, 1, 1])], 'b')]).map(({ bench }) => bench)).toEqual(['b']);
  });

  it('is printed as one line per change, with the number of compared ratios', () => {
    const kept = [resultOf([ratioOf([1, 1, 1], { name: 'x' }), ratioOf([1, 1, 1], { name: 'y' })])];
    const fresh = [resultOf([ratioOf([2, 2, 2], { name: 'x' }), ratioOf([1, 1, 1], { name: 'y' })])];
    expect(comparisonsTable(regressions(kept, fresh)).split('\n')).toEqual([
      'bench  what, to what  was         is',
      'a      x              1 (1 to 1)  2 (2 to 2)  worse',
      '2 ratios compared with those in bench/results: 1 worse or gone',
    ]);
    expect(comparisonsTable(regressions(kept, kept))).toBe(
      '2 ratios compared with those in bench/results: 0 worse or gone',
    );
  });
});
