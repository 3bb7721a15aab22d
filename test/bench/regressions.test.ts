/** Which ratios of a run are worse than those that were kept: made-up results. */
import { describe, expect, it } from 'vitest';
import { isRegression, regressions } from '../../bench/regressions.ts';
import type { Ratio, Result } from '../../bench/result.ts';
import { verdictsTable } from '../../bench/verdicts-table.ts';

type Numbers = readonly [low: number, median: number, high: number];

function ratioOf([low, median, high]: Numbers, more: Partial<Ratio> = {}): Ratio {
  return { name: 'ours to theirs', kind: 'time', better: 'lower', low, median, high, rounds: 7, ...more };
}

function resultOf(ratios: readonly Ratio[], bench = 'a'): Result {
  const machine = { cores: 2, memoryGb: 8, cpu: 'a cpu', node: 'v24', loadBefore: 0 };
  const measuredAt = '2026-11-22T10:00:00Z';
  return { bench, command: 'node bench/a.ts', measuredAt, machine, versions: {}, figures: [], ratios };
}

function verdictOf(was: Numbers, is: Numbers, more: Partial<Ratio> = {}): string | undefined {
  return regressions([resultOf([ratioOf(was, more)])], [resultOf([ratioOf(is, more)])])[0]?.verdict;
}

describe('a new run, compared with what was kept', () => {
  it('is worse where the middle moved far and the spreads lie apart', () => {
    expect(verdictOf([0.9, 1, 1.2], [1.3, 1.4, 1.6])).toBe('worse');
  });

  it('is as before where the spreads overlap: that may be a busy machine', () => {
    expect(verdictOf([0.9, 1, 1.2], [1.1, 1.4, 1.9])).toBe('as before');
  });

  it('is as before where the middle moved by less than the slack, however little it spread', () => {
    expect(verdictOf([1, 1, 1], [1.24, 1.24, 1.24])).toBe('as before');
    expect(verdictOf([1, 1, 1], [1.26, 1.26, 1.26])).toBe('worse');
  });

  it('tells what has got better', () => {
    expect(verdictOf([0.9, 1, 1.2], [0.5, 0.6, 0.7])).toBe('better');
  });

  it('knows ratios of which more is better', () => {
    const higher = { better: 'higher' } as const;
    expect(verdictOf([13, 14, 15], [9, 10, 11], higher)).toBe('worse');
    expect(verdictOf([13, 14, 15], [19, 20, 21], higher)).toBe('better');
    expect(verdictOf([13, 14, 15], [12, 12.5, 13], higher)).toBe('as before');
  });

  it('allows memory less than time, and a number of requests next to nothing', () => {
    const one: Numbers = [1, 1, 1];
    const more = (by: number): Numbers => [1 + by, 1 + by, 1 + by];
    expect(verdictOf(one, more(0.2), { kind: 'time' })).toBe('as before');
    expect(verdictOf(one, more(0.2), { kind: 'memory' })).toBe('worse');
    expect(verdictOf(one, more(0.01), { kind: 'count' })).toBe('as before');
    expect(verdictOf(one, more(0.03), { kind: 'count' })).toBe('worse');
  });

  it('never looks at times', () => {
    const figure = { name: 'ours', unit: 'ms', rounds: 1 };
    const [was, is] = [1, 1000].map((ms) => ({
      ...resultOf([ratioOf([1, 1, 1])]),
      figures: [{ ...figure, min: ms, median: ms, max: ms }],
    }));
    expect(regressions(was ? [was] : [], is ? [is] : []).map(({ verdict }) => verdict)).toEqual(['as before']);
  });

  it('finds a ratio that is no longer measured, and one that is measured for the first time', () => {
    const [was, is] = [ratioOf([1, 1, 1], { name: 'old' }), ratioOf([1, 1, 1], { name: 'renamed' })];
    const found = regressions([resultOf([was])], [resultOf([is])]);
    expect(found.map(({ name, verdict }) => [name, verdict, isRegression({ bench: 'a', name, verdict })])).toEqual([
      ['old', 'gone', true],
      ['renamed', 'new', false],
    ]);
  });

  it('says nothing of benches that were not run', () => {
    const kept = [resultOf([ratioOf([1, 1, 1])], 'a'), resultOf([ratioOf([1, 1, 1])], 'b')];
    expect(regressions(kept, [resultOf([ratioOf([1, 1, 1])], 'b')]).map(({ bench }) => bench)).toEqual(['b']);
  });

  it('is told in a line a change, and how many were looked at', () => {
    const kept = [resultOf([ratioOf([1, 1, 1], { name: 'x' }), ratioOf([1, 1, 1], { name: 'y' })])];
    const fresh = [resultOf([ratioOf([2, 2, 2], { name: 'x' }), ratioOf([1, 1, 1], { name: 'y' })])];
    expect(verdictsTable(regressions(kept, fresh)).split('\n')).toEqual([
      'bench  what, to what  was         is',
      'a      x              1 (1 to 1)  2 (2 to 2)  worse',
      '2 ratios compared with those in bench/results: 1 worse or gone',
    ]);
    expect(verdictsTable(regressions(kept, kept))).toBe(
      '2 ratios compared with those in bench/results: 0 worse or gone',
    );
  });
});
