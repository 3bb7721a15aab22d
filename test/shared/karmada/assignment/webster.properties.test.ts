/** Webster's division for any weights: a seat-by-seat reference that the quick one must agree with, and what holds of large numbers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideByWebster, type Party, type TieOrder } from '../../../../shared/karmada/assignment/webster.ts';
import { cases } from '../../../depth.ts';
import { workOf } from '../../../work.ts';

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

const anyParties = (maxWeight: number) =>
  fc
    .array(fc.integer({ min: 0, max: maxWeight }), { minLength: 1, maxLength: 12 })
    .map((weights) => weights.map((weight, i) => ({ name: `m${String(i).padStart(2, '0')}`, weight })));
const anyTies = fc.constantFrom<TieOrder>('ascending', 'descending');

describe('divideByWebster', () => {
  it('agrees with giving seat by seat', () => {
    fc.assert(
      fc.property(fc.nat(60), anyParties(50), anyTies, (seats, among, ties) => {
        expect(Object.fromEntries(divideByWebster(seats, among, ties))).toEqual(seatBySeat(seats, among, ties));
      }),
      { numRuns: cases({ few: 150, all: 500 }) },
    );
  });
  it('keeps the sum and assigns parties of equal weight at most one seat apart, for numbers of any size', () => {
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
  it('never assigns a party more seats than its weight if the seats do not exceed the total weight', () => {
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
  it('never takes a seat from a party when one more seat is assigned', () => {
    fc.assert(
      fc.property(anyParties(100), fc.nat(500), anyTies, (among, seats, ties) => {
        const fewer = divideByWebster(seats, among, ties);
        const more = divideByWebster(seats + 1, among, ties);
        for (const { name } of among) expect(more.get(name)).toBeGreaterThanOrEqual(fewer.get(name) ?? 0);
      }),
    );
  });
  it('needs no more steps for 1,000,000 seats than for 1,000, unlike assignment seat by seat', async () => {
    const among = Array.from({ length: 100 }, (_, i) => ({ name: `m${i}`, weight: 1 + ((i * 7919) % 5000) }));
    const few = await workOf(() => divideByWebster(1000, among, 'ascending'));
    expect(await workOf(() => divideByWebster(1_000_000, among, 'ascending'))).toBeLessThan(1.5 * few);
    const ten = await workOf(() => seatBySeat(10, among, 'ascending'));
    expect(await workOf(() => seatBySeat(100, among, 'ascending'))).toBeGreaterThan(8 * ten);
  });
});
