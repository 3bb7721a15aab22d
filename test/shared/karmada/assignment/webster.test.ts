/** Webster's division: the textbook and the ties. */
import { describe, expect, it } from 'vitest';
import {
  divideByWebster,
  type Party,
  type TieOrder,
  tieOrderOf,
} from '../../../../shared/karmada/assignment/webster.ts';

const parties = (weights: Record<string, number>): Party[] =>
  Object.entries(weights).map(([name, weight]) => ({ name, weight }));
const divide = (seats: number, weights: Record<string, number>, ties: TieOrder = 'ascending') =>
  Object.fromEntries(divideByWebster(seats, parties(weights), ties));

describe('divideByWebster', () => {
  it('divides 8 seats of 100,000 : 80,000 : 30,000 : 20,000 votes as the textbook does', () => {
    expect(divide(8, { a: 100_000, b: 80_000, c: 30_000, d: 20_000 })).toEqual({ a: 3, b: 3, c: 1, d: 1 });
  });
  it.each([
    [7, { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, { a: 0, b: 1, c: 1, d: 1, e: 2, f: 2 }],
    [21, { a: 53, b: 24, c: 23 }, { a: 11, b: 5, c: 5 }],
    [50, { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8 }, { a: 1, b: 3, c: 4, d: 6, e: 7, f: 8, g: 10, h: 11 }],
    [1000, { a: 3, b: 2, c: 1 }, { a: 500, b: 333, c: 167 }],
    [1001, { a: 3, b: 2, c: 1 }, { a: 500, b: 334, c: 167 }],
    [6_000_000, { a: 3, b: 2, c: 1 }, { a: 3_000_000, b: 2_000_000, c: 1_000_000 }],
  ])('divides %i seats by %j into %j, as giving seat by seat would', (seats, weights, shares) => {
    expect(divide(seats, weights)).toEqual(shares);
  });
  it('assigns the remaining seats among many equal parties to the first names, or to the last', () => {
    const equals = { a: 5, b: 5, c: 5, d: 5, e: 5, f: 5, g: 5 };
    expect(divide(100, equals)).toEqual({ a: 15, b: 15, c: 14, d: 14, e: 14, f: 14, g: 14 });
    expect(divide(100, equals, 'descending')).toEqual({ a: 14, b: 14, c: 14, d: 14, e: 14, f: 15, g: 15 });
  });
  it('orders by name at a tie, regardless of the order of the parties', () => {
    expect([divide(1, { b: 1, a: 1 }), divide(1, { a: 1, b: 1 })]).toEqual([
      { a: 1, b: 0 },
      { a: 1, b: 0 },
    ]);
    const last = [divide(1, { b: 1, a: 1 }, 'descending'), divide(1, { a: 1, b: 1 }, 'descending')];
    expect(last).toEqual([
      { a: 0, b: 1 },
      { a: 0, b: 1 },
    ]);
  });
  it('assigns a tied seat to the party with fewer seats', () => {
    // The fourth seat: b claims 3/1, a has 9/3 = 3 as well; the seat goes to b, which holds none.
    expect(divide(2, { a: 9, b: 3 })).toEqual({ a: 1, b: 1 });
  });
  it('assigns a tied seat between equal parties to the first name, or to the last if ties are reversed', () => {
    expect(divide(4, { a: 1, b: 1, c: 1 })).toEqual({ a: 2, b: 1, c: 1 });
    expect(divide(4, { a: 1, b: 1, c: 1 }, 'descending')).toEqual({ a: 1, b: 1, c: 2 });
  });
  it('assigns no seats to a party of weight 0', () => {
    expect(divide(100, { a: 0, b: 7 })).toEqual({ a: 0, b: 100 });
  });
  it('assigns no seats if no party has a weight, and returns no parties if there are none', () => {
    expect(divide(5, { a: 0, b: 0 })).toEqual({ a: 0, b: 0 });
    expect(divide(5, {})).toEqual({});
  });
  it('lets a party of overwhelming weight have all but the seats its rivals can claim', () => {
    expect(divide(10, { a: 1_000_000, b: 1 })).toEqual({ a: 10, b: 0 });
  });
});

describe('tieOrderOf', () => {
  it('follows the last bit of FNV-1a: "a" is e40c292c, "b" is e70c2de5, "foobar" is bf9cf968', () => {
    expect([tieOrderOf('a'), tieOrderOf('b'), tieOrderOf('foobar')]).toEqual(['ascending', 'descending', 'ascending']);
  });
  it('is ascending without a uid, although the hash of the empty string is odd', () => {
    expect(tieOrderOf('')).toBe('ascending');
  });
});
