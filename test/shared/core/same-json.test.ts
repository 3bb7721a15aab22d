import { describe, expect, it } from 'vitest';
import { isSameJson, withoutEmpties } from '../../../shared/core/same-json.ts';

describe('isSameJson', () => {
  it.each([
    [{ a: 1, b: { c: 2, d: [1, 2] } }, { b: { d: [1, 2], c: 2 }, a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: null }, {}, false],
    [{ a: 1 }, { a: '1' }, false],
    [undefined, undefined, true],
    [undefined, null, false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(isSameJson(a, b)).toBe(same);
  });
});

describe('withoutEmpties', () => {
  it('removes empty values at any depth, and nothing else', () => {
    const value = {
      names: [],
      more: { text: '', none: null, deep: { list: [] } },
      zero: 0,
      no: false,
      unsaid: undefined,
      all: [{ a: '' }, 1],
    };
    expect(withoutEmpties(value)).toStrictEqual({ zero: 0, no: false, all: [{}, 1] });
  });
});
