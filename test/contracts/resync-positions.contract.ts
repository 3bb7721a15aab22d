/** Requirements of every store of resync positions. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { PositionKey, ResyncPosition, ResyncPositions } from '../../shared/karmada/resync-position.ts';
import { at } from '../builders.ts';

const position: ResyncPosition = {
  versions: { resourcebindings: '12345678901234567890', clusterresourcebindings: '7' },
  open: ['shop/web-deployment', '/role-clusterrole'],
  context: 'a digest',
  listedAt: at(0),
};
const later: ResyncPosition = { versions: {}, open: [], context: '', listedAt: at(300) };

export function resyncPositionsContract(name: string, open: () => Promise<ResyncPositions>): void {
  describe(`resync positions: ${name}`, () => {
    let positions: ResyncPositions;
    beforeAll(async () => {
      positions = await open();
    });
    const keyOf = (hub: string): PositionKey => ({ hub, function: 'find-unscheduled' });

    it('returns nothing for a hub without a position', async () => {
      expect(await positions.read(keyOf('never'))).toBeUndefined();
    });

    it('returns what was saved, per hub and function', async () => {
      expect(await positions.save(keyOf('one'), position, undefined)).toBe(true);
      expect(await positions.read(keyOf('one'))).toEqual({ ...position, revision: 1 });
      expect(await positions.read({ hub: 'one', function: 'find-reductions' })).toBeUndefined();
      expect(await positions.read(keyOf('other'))).toBeUndefined();
    });

    it('returns what is left of a comparison, until a position without it is saved', async () => {
      const key = keyOf('in-parts');
      const rest = { plural: 'resourcebindings', token: 'next', began: at(9), counts: { seen: 500 } };
      await positions.save(key, { ...position, rest }, undefined);
      const read = await positions.read(key);
      expect(read).toEqual({ ...position, rest, revision: 1 });
      await positions.save(key, position, read);
      expect(await positions.read(key)).toEqual({ ...position, revision: 2 });
    });

    it('saves over the position that was read, and over no later one', async () => {
      const key = keyOf('raced');
      await positions.save(key, position, undefined);
      expect(await positions.save(key, later, undefined)).toBe(false);
      const read = await positions.read(key);
      expect(await positions.save(key, later, read)).toBe(true);
      expect(await positions.save(key, position, read)).toBe(false);
      expect(await positions.read(key)).toEqual({ ...later, revision: 2 });
    });

    it('forgets the positions of a hub and of no other, and forgets none twice', async () => {
      const saved: readonly PositionKey[] = [
        { hub: 'moved', function: 'find-unscheduled' },
        { hub: 'moved', function: 'find-reductions' },
        keyOf('stayed'),
      ];
      for (const key of saved) await positions.save(key, position, undefined);
      await positions.forget('moved');
      await positions.forget('moved');
      expect(await Promise.all(saved.map((key) => positions.read(key)))).toEqual([
        undefined,
        undefined,
        { ...position, revision: 1 },
      ]);
    });

    it('saves nothing over a position that was forgotten since it was read', async () => {
      await positions.save(keyOf('left'), position, undefined);
      const read = await positions.read(keyOf('left'));
      await positions.forget('left');
      expect(await positions.save(keyOf('left'), later, read)).toBe(false);
      expect(await positions.read(keyOf('left'))).toBeUndefined();
    });
  });
}
