/** Requirements of every store of events from outside. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExternalEvent, expiryOf } from '../../shared/external-events/external-event.ts';
import type { ExternalEventStore } from '../../shared/external-events/external-event-store.ts';
import { at } from '../builders.ts';

const shift: ExternalEvent = {
  ...{ id: 'ZonalShift/111122223333/eu-central-1/euc1-az1', type: 'ZonalShift', account: '111122223333' },
  ...{ region: 'eu-central-1', zones: ['euc1-az1'], startsAt: at(0), receivedAt: at(1) },
  event: { source: 'aws.arc-zonal-shift', detail: { metadata: { awayFrom: 'euc1-az1' } } },
};

export function externalEventStoreContract(name: string, open: () => Promise<ExternalEventStore>): void {
  describe(`store of events from outside: ${name}`, () => {
    let store: ExternalEventStore;
    beforeAll(async () => {
      store = await open();
    });

    it('has none that was not saved', async () => {
      expect(await store.read('never')).toBeUndefined();
    });

    it('returns what was saved, until it expires', async () => {
      expect(await store.save(shift, 0)).toBe(true);
      expect(await store.read(shift.id)).toEqual({ version: 1, event: shift });
      const until = expiryOf(shift);
      const listed = async (now: number) => (await store.list(now)).filter(({ id }) => id === shift.id);
      expect([await listed(until - 1), await listed(until)]).toEqual([[shift], []]);
    });

    it('saves over the version that was read, and over no later one', async () => {
      const over = { ...shift, id: 'over' };
      await store.save(over, 0);
      expect(await store.save({ ...over, endsAt: at(5) }, 0)).toBe(false);
      expect(await store.save({ ...over, endsAt: at(5) }, 1)).toBe(true);
      expect(await store.save(over, 1)).toBe(false);
      expect(await store.read('over')).toEqual({ version: 2, event: { ...over, endsAt: at(5) } });
    });

    it('is saved once by two invocations at the same time', async () => {
      const both = { ...shift, id: 'both' };
      const saved = await Promise.all([store.save(both, 0), store.save({ ...both, endsAt: at(9) }, 0)]);
      expect(saved.filter(Boolean)).toHaveLength(1);
    });
  });
}
