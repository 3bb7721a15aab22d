/** Requirements of every ledger of moves. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerMove, MoveLedger } from '../../shared/move-budget/move-ledger.ts';
import { at } from '../builders.ts';

const moves: readonly LedgerMove[] = [
  {
    ...{ binding: { namespace: 'shop', name: 'web-deployment' }, reason: 'Drain', mover: 'one', generation: 3 },
    ...{ leaves: { m1: 2, constructor: 1 }, at: at(0) },
  },
  {
    ...{ binding: { namespace: '', name: 'all' }, reason: 'Rebalance', mover: 'two/uid', generation: 1 },
    ...{ leaves: {}, at: at(5), over: true },
  },
];
const expiresAt = at(60);

export function moveLedgerContract(name: string, open: () => Promise<MoveLedger>): void {
  describe(`ledger of moves: ${name}`, () => {
    let ledger: MoveLedger;
    beforeAll(async () => {
      ledger = await open();
    });

    it('has none of a hub of which none were saved', async () => {
      expect(await ledger.read('never')).toBeUndefined();
    });

    it('returns what was saved, per hub', async () => {
      expect(await ledger.save('one', moves, { before: undefined, expiresAt })).toBe(true);
      expect(await ledger.read('one')).toEqual({ moves, version: 1 });
      expect(await ledger.read('other')).toBeUndefined();
    });

    it('saves over those that were read, and over no later ones', async () => {
      await ledger.save('raced', moves, { before: undefined, expiresAt });
      expect(await ledger.save('raced', [], { before: undefined, expiresAt })).toBe(false);
      const before = await ledger.read('raced');
      expect(await ledger.save('raced', moves.slice(1), { before, expiresAt })).toBe(true);
      expect(await ledger.save('raced', [], { before, expiresAt })).toBe(false);
      expect(await ledger.read('raced')).toEqual({ moves: moves.slice(1), version: 2 });
    });

    it('is saved once by two invocations at the same time', async () => {
      const saved = await Promise.all(
        [moves, []].map((each) => ledger.save('both', each, { before: undefined, expiresAt })),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
    });

    it('holds 4,000 moves, the most that are counted', async () => {
      const many = Array.from(
        { length: 4000 },
        (_, i): LedgerMove => ({
          ...{ binding: { namespace: `team-${i % 97}`, name: `service-${i * 7919}-deployment` }, generation: i },
          ...{ reason: 'Policy', mover: `come-home-${i % 80}`, leaves: { [`member${i % 31}`]: i % 50 }, at: at(i) },
        }),
      );
      expect(await ledger.save('many', many, { before: undefined, expiresAt })).toBe(true);
      expect((await ledger.read('many'))?.moves).toEqual(many);
    });
  });
}
