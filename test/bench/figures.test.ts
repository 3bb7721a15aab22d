/** The figures of a bench: small rows whose answers are worked out by hand. */
import { describe, expect, it } from 'vitest';
import { median, percentile, rounded } from '../../bench/figures.ts';

describe('the figures of a bench', () => {
  it.each([
    ['the middle of an odd row, in whatever order it comes', [9, 1, 5], 5],
    ['the mean of the two in the middle of an even row', [4, 1, 2, 100], 3],
    ['the middle by number, not by text', [10, 9, 100], 10],
    ['none of nothing', [], Number.NaN],
  ])('has for a median %s', (_, row, middle) => {
    expect(median(row)).toBe(middle);
  });

  it('leaves the row it is given in its order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('takes of a hundred the smallest that so many are no larger than', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(values, 1), percentile(values, 50), percentile(values, 99)]).toEqual([1, 50, 99]);
    expect(percentile([7], 99)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });

  it('keeps three decimals, and of little three figures', () => {
    expect(rounded(1234.56789)).toBe(1234.568);
    expect(rounded(0.000123456)).toBe(0.000123);
    expect(rounded(0)).toBe(0);
  });
});
