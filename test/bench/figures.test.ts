/** The statistics of benchmarks, with expected values computed by hand. */
import { describe, expect, it } from 'vitest';
import { median, percentile, rounded } from '../../bench/figures.ts';

describe('the statistics of a benchmark', () => {
  it.each([
    ['the middle of an odd number of values, in any order', [9, 1, 5], 5],
    ['the mean of the middle two of an even number of values', [4, 1, 2, 100], 3],
    ['the middle in numeric order', [10, 9, 100], 10],
    ['NaN for no values', [], Number.NaN],
  ])('returns as the median %s', (_, row, middle) => {
    expect(median(row)).toBe(middle);
  });

  it('does not reorder the given values', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('returns the nearest-rank percentile', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(values, 1), percentile(values, 50), percentile(values, 99)]).toEqual([1, 50, 99]);
    expect(percentile([7], 99)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });

  it('rounds to three decimals, and small values to three significant digits', () => {
    expect(rounded(1234.56789)).toBe(1234.568);
    expect(rounded(0.000123456)).toBe(0.000123);
    expect(rounded(0)).toBe(0);
  });
});
