/** Expected values: the published test vectors of FNV-1a. */
import { describe, expect, it } from 'vitest';
import { digest } from '../../../shared/model/digest.ts';
import { fnv1a } from '../../../shared/model/fnv1a.ts';

describe('the hash of a text', () => {
  it.each([
    ['', '6c62272e07bb014262b821756295c58d'],
    ['a', 'd228cb696f1a8caf78912b704e4a8964'],
    ['foobar', '343e1662793c64bf6f0d3597ba446f18'],
  ])('of %j, in 128 bits, is %s', (text, hash) => {
    expect(digest(text)).toBe(hash);
  });

  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('of %j, in 32 bits, is %i', (text, hash) => {
    expect(fnv1a(text)).toBe(hash);
  });

  it('always has 32 digits', () => {
    const lengths = Array.from({ length: 1000 }, (_, index) => digest(String(index)).length);
    expect(new Set(lengths)).toEqual(new Set([32]));
  });
});
