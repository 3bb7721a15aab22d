import { describe, expect, it } from 'vitest';
import { geometryOf, ROW, viewIn } from '../../../console/fleet/heat-geometry.ts';

const screen = { width: 900, height: 600 };

describe('the geometry of the heat map', () => {
  it('has wide columns with horizontal names for few clusters, and narrow ones with vertical names for many', () => {
    expect(geometryOf(screen, 3, 7)).toMatchObject({ columnWidth: 200, isAcross: true, headHeight: 32 });
    expect(geometryOf(screen, 200, 9)).toMatchObject({
      columnWidth: 34,
      isAcross: false,
      headHeight: 115,
      fullWidth: 280 + 6800,
    });
  });

  it('leaves more than half of a phone screen for cells', () => {
    const { nameWidth, bodyWidth } = geometryOf({ width: 352, height: 400 }, 4, 7);
    expect(nameWidth + bodyWidth).toBe(352);
    expect(bodyWidth).toBeGreaterThan(352 / 2);
  });

  it('draws only the visible cells of 5,000 × 200', () => {
    const { rows, columns } = viewIn(
      geometryOf(screen, 200, 9),
      { rows: 5000, columns: 200 },
      { left: 3400, top: 2600 * ROW },
    );
    expect(rows).toEqual({ from: 2600, to: 2619 });
    expect(columns).toEqual({ from: 100, to: 119 });
  });

  it('accepts a frame without a size', () => {
    expect(viewIn(geometryOf({ width: 0, height: 0 }, 3, 7), { rows: 5, columns: 3 }, { left: 0, top: 0 })).toEqual({
      rows: { from: 0, to: 0 },
      columns: { from: 0, to: 0 },
    });
  });
});
