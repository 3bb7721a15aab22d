/** What every store of ElasticWorkloads' memories must do, whatever keeps the rows. Run on memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ElasticRow, ElasticStore } from '../../shared/elastic-workload/elastic-store.ts';
import { at } from '../builders.ts';

let counter = 0;
const LATER = at(3600);

export function elasticStoreContract(name: string, open: () => Promise<ElasticStore>): void {
  describe(`elastic store: ${name}`, () => {
    let store: ElasticStore;
    beforeAll(async () => {
      store = await open();
    });
    const fresh = (over: Partial<ElasticRow> = {}): ElasticRow => ({
      hub: 'ocm',
      uid: `uid-${counter++}`,
      version: 0,
      memory: {
        strategy: 'a digest',
        dueAt: at(300),
        observations: {
          spoke1: { written: 4, reached: true, short: { since: at(0), most: 2 } },
          spoke2: { written: 2, cap: { replicas: 2, until: at(600), unreachable: true }, failures: 3, pin: 1 },
        },
      },
      ...over,
    });

    it('returns nothing for an unknown object', async () => {
      expect(await store.read({ hub: 'ocm', uid: 'missing' })).toBe(undefined);
    });

    it('returns what was saved, in the next version', async () => {
      const row = fresh();
      expect(await store.save(row, LATER)).toBe(true);
      expect(await store.read(row)).toEqual({ ...row, version: 1 });
    });

    it('saves over the version that was read, and no other', async () => {
      const row = fresh();
      await store.save(row, LATER);
      const memory = { ...row.memory, observations: {} };
      expect(await store.save({ ...row, memory }, LATER)).toBe(false);
      expect(await store.save({ ...row, memory, version: 2 }, LATER)).toBe(false);
      expect((await store.read(row))?.memory).toEqual(row.memory);
      expect(await store.save({ ...row, memory, version: 1 }, LATER)).toBe(true);
      expect(await store.read(row)).toEqual({ ...row, memory, version: 2 });
    });

    it('lets one of many win who save over the same version', async () => {
      const row = fresh();
      const saved = await Promise.all(Array.from({ length: 8 }, () => store.save(row, LATER)));
      expect(saved.filter(Boolean)).toHaveLength(1);
    });

    it('keeps a row permanently, unless it is saved with an expiry', async () => {
      const row = fresh();
      expect(await store.save(row)).toBe(true);
      expect(await store.save({ ...row, version: 1 }, LATER)).toBe(true);
      expect(await store.read(row)).toEqual({ ...row, version: 2 });
    });

    it('keeps hubs apart', async () => {
      const row = fresh();
      await store.save(row, LATER);
      expect(await store.read({ ...row, hub: 'other' })).toBe(undefined);
    });

    it('keeps the memory of 5,000 clusters', async () => {
      const observation = (i: number) => ({
        written: i,
        reached: true as const,
        cap: { replicas: i, until: at(i) },
        failures: 2,
      });
      const observations = Object.fromEntries(
        Array.from({ length: 5000 }, (_, i) => [`cluster-${i}.example.org`, observation(i)]),
      );
      const row = fresh({ memory: { strategy: 'a digest', observations } });
      expect(await store.save(row, LATER)).toBe(true);
      expect((await store.read(row))?.memory.observations['cluster-4999.example.org']).toEqual(observation(4999));
    });
  });
}
