import { describe, expect, it } from 'vitest';
import { LocalHubs } from '../../local/local-hubs.ts';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import { StoreHub } from '../fakes/store-hub.ts';

describe('the hubs of a local run', () => {
  it('have an event that comes before the hub is connected delivered again', async () => {
    const hubs = new LocalHubs('karmada', []);
    await expect(hubs.connect('karmada')).rejects.toMatchObject({ verdict: 'retryable', reason: 'HubNotConnected' });
    const hub = new StoreHub('karmada', createObjectStore({ now: () => 0, newUid: () => 'uid' }));
    hubs.opened(hub);
    expect(await hubs.connect('karmada')).toBe(hub);
  });

  it('say of a hub what its connection says', async () => {
    const hubs = new LocalHubs('karmada', []);
    expect([await hubs.accountOf(), await hubs.estimatorOf()]).toEqual([undefined, undefined]);
    const hub = new StoreHub('karmada', createObjectStore({ now: () => 0, newUid: () => 'uid' }));
    hubs.opened(hub, { account: 'us', estimator: { kind: 'pods' } });
    expect([await hubs.accountOf(), await hubs.estimatorOf()]).toEqual(['us', { kind: 'pods' }]);
  });

  it('give up on an event of another hub', async () => {
    const hubs = new LocalHubs('karmada', []);
    await expect(hubs.connect('other')).rejects.toMatchObject({ verdict: 'terminal', reason: 'UnknownHub' });
  });
});
