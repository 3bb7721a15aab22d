import { describe, expect, it } from 'vitest';
import { createObjectStore } from '../../../local/practice-hub/store/object-store.ts';
import { readClusters } from '../../../shared/karmada/read-clusters.ts';
import { passing, StoreHub } from '../../fakes/store-hub.ts';

function hubWith(...names: readonly string[]): StoreHub {
  const store = createObjectStore({ now: () => 0, newUid: () => 'uid' });
  const actor = { username: 'karmada', manager: 'karmada' };
  for (const name of names)
    store.create('clusters', { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name } }, actor);
  return new StoreHub('karmada', store);
}

const lists = (hub: StoreHub) => hub.calls.filter(({ verb }) => verb === 'list').length;

describe('reading clusters', () => {
  it('is one list for all concurrent callers, and another for later callers', async () => {
    const hub = hubWith('m1', 'm2');
    const all = await Promise.all([readClusters(hub), readClusters(hub), readClusters(hub)]);
    expect(all.map((clusters) => clusters.map(({ name }) => name))).toEqual([
      ['m1', 'm2'],
      ['m1', 'm2'],
      ['m1', 'm2'],
    ]);
    expect(lists(hub)).toBe(1);
    await readClusters(hub);
    expect(lists(hub)).toBe(2);
  });

  it('shares no list between hubs', async () => {
    const [one, other] = [hubWith('m1'), hubWith('m2')];
    const [ofOne, ofOther] = await Promise.all([readClusters(one), readClusters(other)]);
    expect([ofOne, ofOther].map((clusters) => clusters.map(({ name }) => name))).toEqual([['m1'], ['m2']]);
  });

  it('that fails returns its error to all waiting callers, and the next caller retries', async () => {
    const hub = hubWith('m1');
    hub.interference.before = () => {
      throw passing();
    };
    const both = await Promise.allSettled([readClusters(hub), readClusters(hub)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    hub.interference = {};
    expect(await readClusters(hub)).toHaveLength(1);
  });
});
