/** The figures of a bench: small rows whose answers are worked out by hand. */
import { describe, expect, it } from 'vitest';
import { median, medianRatio, rounded, spread } from '../../bench/figures.ts';

describe('the figures of a bench', () => {
  it('takes the middle of an odd row, in whatever order it comes', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('takes the mean of the two in the middle of an even row', () => {
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it('has no median of nothing', () => {
    expect(median([])).toBeNaN();
  });

  it('leaves the row it is given in its order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('sorts as numbers, not as text', () => {
    expect(median([10, 9, 100])).toBe(10);
  });

  it('spreads a row from its least to its greatest', () => {
    expect(spread([2, 8, 3])).toEqual({ min: 2, median: 3, max: 8 });
  });

  it('compares round by round, so that a slow round does not count against either', () => {
    // Rounds 1, 2 and 3 have ratios 2, 2 and 2; the machine was ten times slower in round 2, for both.
    expect(medianRatio([2, 20, 4], [1, 10, 2])).toBe(2);
    // The ratio of the medians would be 10 / 10 = 1; round by round it is 10, 1 and 2.
    expect(medianRatio([10, 10, 40], [1, 10, 20])).toBe(2);
  });

  it('leaves out rounds that the base did not have', () => {
    expect(medianRatio([3, 3, 900], [1, 1])).toBe(3);
  });

  it('keeps three decimals', () => {
    expect(rounded(0.12349)).toBe(0.123);
  });
});
