/** The format of results, which all benchmarks share. The expected ratios are computed by hand. */
import { describe, expect, it } from 'vitest';
import { figure, ratio, resultSchema } from '../../bench/result.ts';

const lower = { kind: 'time', better: 'lower' } as const;

describe('a ratio', () => {
  it('is computed per round, so that a slow round affects both sides', () => {
    // 2, 2 and 2; the machine was ten times slower in the second round, for both.
    const { median, low, high, rounds } = ratio('a to b', { values: [2, 20, 4], base: [1, 10, 2], ...lower });
    expect({ median, low, high, rounds }).toEqual({ median: 2, low: 2, high: 2, rounds: 3 });
  });

  it('has the quartiles of the rounds', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8];
    const { median, low, high } = ratio('a to b', { values, base: values.map(() => 1), ...lower });
    expect({ median, low, high }).toEqual({ median: 4.5, low: 2, high: 6 });
  });

  it('leaves out rounds that only one side has', () => {
    expect(ratio('a to b', { values: [3, 3, 900], base: [1, 1], ...lower })).toMatchObject({ median: 3, rounds: 2 });
    expect(ratio('a to b', { values: [3], base: [1, 1, 1], ...lower })).toMatchObject({ median: 3, rounds: 1 });
  });

  it('keeps its kind, direction, goal and publication', () => {
    const kept = ratio('a to b', { values: [1], base: [1], kind: 'count', better: 'higher', goal: 2, published: true });
    expect(kept).toEqual({
      ...{ name: 'a to b', kind: 'count', better: 'higher', goal: 2, published: true },
      ...{ low: 1, median: 1, high: 1, rounds: 1 },
    });
  });
});

describe('a figure', () => {
  it('has a minimum, a median and a maximum', () => {
    expect(figure('a', 'ms', [2, 8, 3])).toEqual({ name: 'a', unit: 'ms', min: 2, median: 3, max: 8, rounds: 3 });
  });
});

describe('a result', () => {
  const machine = { cores: 2, memoryGb: 8, cpu: 'a cpu', node: 'v24', loadBefore: 0 };
  const result = { bench: 'a', command: 'node bench/a.ts', measuredAt: '2026-11-22T10:00:00Z', machine, versions: {} };

  it('is rejected if no round was measured', () => {
    const nothing = figure('a', 'ms', []);
    expect(resultSchema.safeParse({ ...result, figures: [nothing], ratios: [] }).success).toBe(false);
    const unmeasured = ratio('a to b', { values: [], base: [], ...lower });
    expect(resultSchema.safeParse({ ...result, figures: [], ratios: [unmeasured] }).success).toBe(false);
  });

  it('is rejected if it has an unknown field', () => {
    expect(resultSchema.safeParse({ ...result, figures: [], ratios: [], more: 1 }).success).toBe(false);
    expect(resultSchema.safeParse({ ...result, figures: [], ratios: [], details: { more: 1 } }).success).toBe(true);
  });
});
