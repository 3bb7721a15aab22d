import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrolledTo, spanInView } from '../../console/virtual-window.ts';

const rows = { count: 5000, size: 26 };

describe('the rows in view', () => {
  it('are those with at least one visible pixel', () => {
    expect(spanInView(rows, 0, 260)).toEqual({ from: 0, to: 10 });
    expect(spanInView(rows, 25, 260)).toEqual({ from: 0, to: 11 });
    expect(spanInView(rows, 26, 260)).toEqual({ from: 1, to: 11 });
  });

  it('end with the list, also if a browser scrolls beyond it', () => {
    expect(spanInView(rows, 5000 * 26, 260)).toEqual({ from: 5000, to: 5000 });
    expect(spanInView(rows, -40, 260)).toEqual({ from: 0, to: 9 });
  });

  it('are none in an empty list, and none in a window without height', () => {
    expect(spanInView({ count: 0, size: 26 }, 0, 260)).toEqual({ from: 0, to: 0 });
    expect(spanInView(rows, 100, 0)).toEqual({ from: 0, to: 0 });
  });

  it('are at most two more than fit, and always within the list', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.integer({ min: -500, max: 300_000 }),
        fc.integer({ min: 1, max: 3000 }),
        (count, scrolled, extent) => {
          const { from, to } = spanInView({ count, size: 26 }, scrolled, extent);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(count);
          expect(to - from).toBeGreaterThanOrEqual(0);
          expect(to - from).toBeLessThanOrEqual(Math.ceil(extent / 26) + 1);
        },
      ),
    );
  });
});

describe('scrolling to a row', () => {
  it('moves no further than necessary', () => {
    const view = { scrolled: 260, extent: 260 };
    expect(scrolledTo(rows, 12, view)).toBe(260);
    expect(scrolledTo(rows, 9, view)).toBe(234);
    expect(scrolledTo(rows, 20, view)).toBe(286);
  });
});
