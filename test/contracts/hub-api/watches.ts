/** What the hub API promises of watches. */
import { describe, expect, it } from 'vitest';
import { type Body, type HubClient, REBALANCERS } from './client.ts';

interface Event {
  readonly type: string;
  readonly object: Body;
}

/** The first events of a watch; what happens meanwhile happens when it is open. */
async function take(client: HubClient, query: string, count: number, act = async () => {}): Promise<readonly Event[]> {
  const events: Event[] = [];
  const lines = await client.lines(`${REBALANCERS}?watch=true&${query}`);
  await act();
  for await (const line of lines) {
    events.push(JSON.parse(line) as Event);
    if (events.length >= count) break;
  }
  return events;
}

function only(name: string): string {
  return `fieldSelector=metadata.name%3D${name}`;
}

export function watchContract(client: () => HubClient): void {
  describe('watch', () => {
    it('returns all changes since a resourceVersion, in order', async () => {
      const before = (await client().get(REBALANCERS)).body.metadata.resourceVersion;
      const { path, object } = await client().rebalancer('past');
      await client().merge(path, { spec: { ttlSecondsAfterFinished: 1 } });
      await client().send('DELETE', path);
      const { name, resourceVersion } = object.metadata;
      const events = await take(client(), `resourceVersion=${before}&${only(name)}`, 3);
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      const [first, second, third] = events.map((event) => Number(event.object.metadata.resourceVersion));
      expect(first).toBe(Number(resourceVersion));
      expect(second).toBeGreaterThan(first ?? Number.NaN);
      expect(third).toBeGreaterThan(second ?? Number.NaN);
    });

    it('returns changes while it is open', async () => {
      const { path, object } = await client().rebalancer('live');
      const { name, resourceVersion } = object.metadata;
      const act = async () => {
        await client().merge(path, { metadata: { labels: { a: '1' } } });
      };
      const events = await take(client(), `resourceVersion=${resourceVersion}&${only(name)}`, 1, act);
      expect(events).toMatchObject([{ type: 'MODIFIED', object: { metadata: { name, labels: { a: '1' } } } }]);
    });

    it.each(['', 'resourceVersion=0&'])('from no version or 0 ("%s") begins with all there is', async (from) => {
      const { object } = await client().rebalancer('present');
      const { name, uid } = object.metadata;
      const events = await take(client(), `${from}${only(name)}`, 1);
      expect(events).toMatchObject([{ type: 'ADDED', object: { metadata: { uid } } }]);
    });

    it('with a selector sees an object go when it stops to match, and come when it begins', async () => {
      const { path, object } = await client().rebalancer('in-and-out', { labels: { seen: 'yes' } });
      for (const seen of ['no', 'yes']) await client().merge(path, { metadata: { labels: { seen } } });
      const query = `resourceVersion=${object.metadata.resourceVersion}&labelSelector=seen%3Dyes`;
      const events = await take(client(), query, 2);
      const seen = events.map(({ type, object: { metadata } }) => [type, metadata.name]);
      expect(seen).toEqual([
        ['DELETED', object.metadata.name],
        ['ADDED', object.metadata.name],
      ]);
    });

    it('reports its progress with a bookmark, though no watched object has changed', async () => {
      const { object } = await client().rebalancer('marked');
      const { name, resourceVersion } = object.metadata;
      const timeout = `timeoutSeconds=${client().hub.bookmarkedSeconds ?? 5}`;
      const query = `resourceVersion=${resourceVersion}&allowWatchBookmarks=true&${timeout}&${only(name)}`;
      const another = async () => {
        await client().rebalancer('another');
      };
      const events = await take(client(), query, 100, another);
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['BOOKMARK']));
      const marked = events.at(-1)?.object;
      expect(marked).toMatchObject({ kind: 'WorkloadRebalancer', apiVersion: 'apps.karmada.io/v1alpha1' });
      expect(Number(marked?.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
    });

    it('from a version that is long forgotten is an ERROR event with 410', async () => {
      const events = await take(client(), 'resourceVersion=1', 1);
      expect(events).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', reason: 'Expired', code: 410 } }]);
    });
  });
}
