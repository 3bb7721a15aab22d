import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupBy } from '../../../shared/core/group-by.ts';

it('groups as Map.groupBy does: keys and items in the order of their first appearance', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 })), (items) => {
      const remainder = (item: number) => item % 3;
      expect([...groupBy(items, remainder)]).toEqual([...Map.groupBy(items, remainder)]);
    }),
  );
});
