import { describe, expect, it } from 'vitest';
import { followed, positionAfter, positionWithin } from '../../../shared/karmada/resync-position.ts';
import { at } from '../../builders.ts';

const HOURS = 3600;
const rest = { plural: 'resourcebindings', token: 'next' };
const compared = {
  ...{ versions: { resourcebindings: '7' }, open: ['shop/web-deployment'], context: 'clusters' },
  ...{ isComplete: true, began: at(5), counts: { seen: 500 } },
};
const stored = { ...positionAfter(compared, undefined), revision: 1 };

describe('a position', () => {
  it('after a comparison has the time at which that began', () => {
    expect(stored).toEqual({
      ...{ versions: { resourcebindings: '7' }, open: ['shop/web-deployment'], context: 'clusters' },
      ...{ listedAt: at(5), revision: 1 },
    });
  });

  it('within a comparison has what is left of it', () => {
    expect(positionWithin(compared, rest)).toEqual({
      ...{ versions: { resourcebindings: '7' }, open: ['shop/web-deployment'], context: 'clusters', listedAt: 0 },
      rest: { ...rest, began: at(5), counts: { seen: 500 } },
    });
    expect(positionWithin(compared, undefined)).toBeUndefined();
  });

  it('with more open bindings than a row may have keeps its place, and then has every binding compared again', () => {
    const open = Array.from({ length: 10_000 }, (_, index) => `namespace-${index}/name-of-a-binding`);
    const within = positionWithin({ ...compared, open }, rest);
    expect(within).toMatchObject({ open: [], rest: { ...rest, began: 0 } });
    expect(positionAfter({ ...compared, open }, undefined)).toMatchObject({ open: [], context: '', listedAt: 0 });
    expect(positionWithin({ ...compared, context: 'x'.repeat(200_001) }, rest)).toBeUndefined();
  });

  it.each([
    ['less than six hours old', stored, at(6 * HOURS + 4.999), true],
    ['six hours old', stored, at(6 * HOURS + 5), false],
    ['within a comparison, however old', { ...stored, rest: { ...rest, began: 0, counts: {} } }, at(99 * HOURS), true],
  ])('that is %s is followed: %#', (_, position, now, isFollowed) => {
    expect(followed(position, { now, context: 'clusters' })).toEqual(isFollowed ? position : undefined);
    expect(followed(position, { now })).toEqual(isFollowed ? position : undefined);
    expect(followed(position, { now, context: 'others' })).toBeUndefined();
  });
});
