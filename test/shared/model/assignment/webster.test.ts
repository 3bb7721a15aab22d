/** Webster's division: the textbook, the ties, and a seat-by-seat reference that the quick one must agree with. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideByWebster, type Party, type TieOrder, tieOrderOf } from '../../../../shared/model/assignment/webster.ts';

/** The definition, read aloud: each next seat to the greatest weight / (2 × seats + 1). */
function seatBySeat(seats: number, parties: readonly Party[], ties: TieOrder): Record<string, number> {
  const held: Record<string, number> = Object.fromEntries(parties.map(({ name }) => [name, 0]));
  if (parties.every(({ weight }) => weight === 0)) return held;
  for (let seat = 0; seat < seats; seat++) {
    const [first] = [...parties].sort((a, b) => {
      const [heldByA, heldByB] = [held[a.name] ?? 0, held[b.name] ?? 0];
      const byClaim = b.weight / (2 * heldByB + 1) - a.weight / (2 * heldByA + 1);
      const byName = (a.name < b.name ? -1 : 1) * (ties === 'ascending' ? 1 : -1);
      return byClaim || heldByA - heldByB || byName;
    });
    if (first) held[first.name] = (held[first.name] ?? 0) + 1;
  }
  return held;
}

const parties = (weights: Record<string, number>): Party[] =>
  Object.entries(weights).map(([name, weight]) => ({ name, weight }));
const divide = (seats: number, weights: Record<string, number>, ties: TieOrder = 'ascending') =>
  Object.fromEntries(divideByWebster(seats, parties(weights), ties));
const anyParties = (maxWeight: number) =>
  fc
    .array(fc.integer({ min: 0, max: maxWeight }), { minLength: 1, maxLength: 12 })
    .map((weights) => weights.map((weight, i) => ({ name: `m${String(i).padStart(2, '0')}`, weight })));
const anyTies = fc.constantFrom<TieOrder>('ascending', 'descending');

describe('divideByWebster', () => {
  it('divides 8 seats of 100,000 : 80,000 : 30,000 : 20,000 votes as the textbook does', () => {
    expect(divide(8, { a: 100_000, b: 80_000, c: 30_000, d: 20_000 })).toEqual({ a: 3, b: 3, c: 1, d: 1 });
  });
  it('gives a tied seat to the party that holds fewer', () => {
    // The fourth seat: b claims 3/1, a has 9/3 = 3 as well; the seat goes to b, which holds none.
    expect(divide(2, { a: 9, b: 3 })).toEqual({ a: 1, b: 1 });
  });
  it('gives a tied seat between equals to the first name, or to the last where ties are turned round', () => {
    expect(divide(4, { a: 1, b: 1, c: 1 })).toEqual({ a: 2, b: 1, c: 1 });
    expect(divide(4, { a: 1, b: 1, c: 1 }, 'descending')).toEqual({ a: 1, b: 1, c: 2 });
  });
  it('gives nothing to a party of weight 0', () => {
    expect(divide(100, { a: 0, b: 7 })).toEqual({ a: 0, b: 100 });
  });
  it('gives nothing to anybody where nobody has weight, and has no party in the answer where there is none', () => {
    expect(divide(5, { a: 0, b: 0 })).toEqual({ a: 0, b: 0 });
    expect(divide(5, {})).toEqual({});
  });
  it('lets a party of overwhelming weight have all but the seats its rivals can claim', () => {
    expect(divide(10, { a: 1_000_000, b: 1 })).toEqual({ a: 10, b: 0 });
  });
  it('agrees with giving seat by seat', () => {
    fc.assert(
      fc.property(fc.nat(60), anyParties(50), anyTies, (seats, among, ties) => {
        expect(Object.fromEntries(divideByWebster(seats, among, ties))).toEqual(seatBySeat(seats, among, ties));
      }),
      { numRuns: 500 },
    );
  });
  it('keeps the sum and leaves equal weights at most one seat apart, however large the numbers', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), anyParties(2 ** 31 - 1), anyTies, (seats, among, ties) => {
        fc.pre(among.some(({ weight }) => weight > 0));
        const shares = divideByWebster(seats, among, ties);
        expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBe(seats);
        for (const a of among)
          for (const b of among)
            if (a.weight === b.weight)
              expect(Math.abs((shares.get(a.name) ?? 0) - (shares.get(b.name) ?? 0))).toBeLessThanOrEqual(1);
      }),
    );
  });
  it('never gives a party more than its weight where there are no more seats than weight', () => {
    fc.assert(
      fc.property(anyParties(1_000), fc.nat(12_000), anyTies, (among, wanted, ties) => {
        const seats = Math.min(
          wanted,
          among.reduce((sum, { weight }) => sum + weight, 0),
        );
        const shares = divideByWebster(seats, among, ties);
        for (const { name, weight } of among) expect(shares.get(name)).toBeLessThanOrEqual(weight);
      }),
    );
  });
  it('never takes a seat from anybody when one more is given', () => {
    fc.assert(
      fc.property(anyParties(100), fc.nat(500), anyTies, (among, seats, ties) => {
        const fewer = divideByWebster(seats, among, ties);
        const more = divideByWebster(seats + 1, among, ties);
        for (const { name } of among) expect(more.get(name)).toBeGreaterThanOrEqual(fewer.get(name) ?? 0);
      }),
    );
  });
  it('divides 1,000,000 seats among 1,000 parties in time that does not grow with the seats', () => {
    const among = Array.from({ length: 1000 }, (_, i) => ({ name: `m${i}`, weight: 1 + ((i * 7919) % 5000) }));
    const started = performance.now();
    const shares = divideByWebster(1_000_000, among, 'ascending');
    // Seat by seat would take about a second; the bound leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(200);
    expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBe(1_000_000);
  });
});

describe('tieOrderOf', () => {
  it('follows the last bit of FNV-1a: "a" is e40c292c, "b" is e70c2de5, "foobar" is bf9cf968', () => {
    expect([tieOrderOf('a'), tieOrderOf('b'), tieOrderOf('foobar')]).toEqual(['ascending', 'descending', 'ascending']);
  });
  it('is ascending without a uid, though the hash of nothing is odd', () => {
    expect(tieOrderOf('')).toBe('ascending');
  });
});
