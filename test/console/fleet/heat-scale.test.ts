import { describe, expect, it } from 'vitest';
import { heatStep } from '../../../console/fleet/heat-geometry.ts';

describe('the colour of a cell', () => {
  it('is empty for no replica, and at least the lightest for one', () => {
    expect(heatStep(0, 100)).toBe(0);
    expect(heatStep(1, 10_000)).toBe(1);
  });

  it('grows by the root, so that small workloads differ too', () => {
    expect([1, 4, 5, 16, 17, 36, 37, 64, 65, 100].map((replicas) => heatStep(replicas, 100))).toEqual([
      1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]);
  });

  it('is not the darkest for four replicas even if four is the maximum', () => {
    expect(heatStep(4, 4)).toBe(4);
    expect(heatStep(1, 1)).toBe(2);
  });

  it('is empty for invalid numbers, and never beyond the darkest', () => {
    expect(heatStep(Number.NaN, 100)).toBe(0);
    expect(heatStep(-3, 100)).toBe(0);
    expect(heatStep(5, 0)).toBe(0);
    expect(heatStep(200, 100)).toBe(5);
  });
});
