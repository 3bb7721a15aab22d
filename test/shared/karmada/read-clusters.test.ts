import { describe, expect, it } from 'vitest';
import { createObjectStore } from '../../../local/practice-hub/store/object-store.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { readClusters } from '../../../shared/karmada/read-clusters.ts';
import { passing, StoreHub } from '../../fakes/store-hub.ts';

const actor = { username: 'karmada', manager: 'karmada' };

function object(name: string) {
  return { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name } };
}

type Store = ReturnType<typeof createObjectStore>;

function sceneWith(...names: readonly string[]) {
  const store = createObjectStore({ now: () => 0, newUid: () => 'uid' });
  for (const name of names) store.create('clusters', object(name), actor);
  return { store, hub: new StoreHub('karmada', store) };
}

function hubWith(...names: readonly string[]): StoreHub {
  return sceneWith(...names).hub;
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

  describe('of a hub with more than a page of them', () => {
    const names = Array.from({ length: 150 }, (_, i) => `m${i}`);
    const relabel = (store: Store, name: string) =>
      store.patch(
        'clusters',
        { namespace: '', name },
        { type: 'merge', body: { metadata: { labels: { at: 'later' } } } },
        actor,
      );
    const readAgain = async (change: (store: Store, hub: StoreHub) => void) => {
      const { hub, store } = sceneWith(...names);
      await readClusters(hub);
      hub.calls.length = 0;
      change(store, hub);
      const clusters = await readClusters(hub);
      return { clusters, calls: hub.calls.map(({ verb, name }) => `${verb} ${name}`.trim()) };
    };

    it('reads those that changed, one by one, and no other', async () => {
      const { clusters, calls } = await readAgain((store) => {
        relabel(store, 'm7');
        store.delete('clusters', { namespace: '', name: 'm8' }, actor);
        store.create('clusters', object('m-new'), actor);
      });
      expect(calls.sort()).toEqual(['get m-new', 'get m7', 'list']);
      expect(clusters.map(({ name }) => name).sort()).toEqual(
        [...names.filter((name) => name !== 'm8'), 'm-new'].sort(),
      );
      expect(clusters.find(({ name }) => name === 'm7')?.labels).toEqual({ at: 'later' });
    });

    it('lists all of them if more than a page changed', async () => {
      const { clusters, calls } = await readAgain((store) => {
        for (const name of names.slice(0, 101)) relabel(store, name);
      });
      expect(calls).toEqual(['list', 'list']);
      expect(clusters.filter(({ labels }) => labels?.at === 'later')).toHaveLength(101);
    });

    it('lists all of them if one may not be read, and throws another fault', async () => {
      const failing = (reason: string) => (store: Store, hub: StoreHub) => {
        relabel(store, 'm7');
        hub.interference.before = ({ verb }) => {
          if (verb === 'get') throw new Fault('terminal', 'clusters "m7" is forbidden', { reason });
        };
      };
      const { clusters } = await readAgain(failing('Forbidden'));
      expect(clusters.find(({ name }) => name === 'm7')?.labels).toEqual({ at: 'later' });
      await expect(readAgain(failing('HubUnreachable'))).rejects.toMatchObject({ reason: 'HubUnreachable' });
    });
  });
});
