import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localConnections } from '../../local/local-connections.ts';
import { LocalHubs } from '../../local/local-hubs.ts';
import { localRegistry } from '../../local/local-registry.ts';
import { PauseFile } from '../../local/pause-file.ts';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import { callersOf } from '../../shared/kubernetes/hook-callers.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { hubFeatureNames } from '../../shared/kubernetes/hub-features.ts';
import { hubRecord } from '../fakes/hub-records.ts';
import { StoreHub } from '../fakes/store-hub.ts';

describe('the hubs of a local run', () => {
  it('fail an event that arrives before the hub is connected, so that it is redelivered', async () => {
    const hubs = new LocalHubs('karmada', []);
    await expect(hubs.connect('karmada')).rejects.toMatchObject({ retryClass: 'retryable', reason: 'HubNotConnected' });
    const hub = new StoreHub('karmada', createObjectStore({ now: () => 0, newUid: () => 'uid' }));
    hubs.opened(hub);
    expect(await hubs.connect('karmada')).toBe(hub);
  });

  it('contain only the hub of their name', async () => {
    expect(await new LocalHubs('karmada', []).names()).toEqual(['karmada']);
  });

  it('have all features, failback only if asked', async () => {
    const hubs = new LocalHubs('karmada', []);
    const uses = () => Promise.all(hubFeatureNames.map((feature) => hubs.uses('karmada', feature)));
    expect(await uses()).toEqual(hubFeatureNames.map((feature) => feature !== 'failback'));
    expect(hubs.record().features).toEqual(hubFeatureNames.filter((feature) => feature !== 'failback'));
    hubs.opened({} as Hub, { failback: true });
    expect(await uses()).not.toContain(false);
    expect(hubs.record().features).toEqual(hubFeatureNames);
  });

  it('have budgets only if the hub grants the right to read them', async () => {
    const hubs = new LocalHubs('karmada', []);
    hubs.opened({} as Hub, { budgets: false });
    expect(await hubs.uses('karmada', 'budgets')).toBe(false);
    hubs.opened({} as Hub, { budgets: true });
    expect(await hubs.uses('karmada', 'budgets')).toBe(true);
  });

  it('return account and estimator of the connection of a hub', async () => {
    const hubs = new LocalHubs('karmada', []);
    expect([await hubs.accountOf(), await hubs.estimatorOf()]).toEqual([undefined, undefined]);
    const hub = new StoreHub('karmada', createObjectStore({ now: () => 0, newUid: () => 'uid' }));
    hubs.opened(hub, { account: 'us', estimator: { kind: 'pods' } });
    expect([await hubs.accountOf(), await hubs.estimatorOf()]).toEqual(['us', { kind: 'pods' }]);
  });

  it('stay paused until they are resumed, also after a restart', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'evenkeel-hubs-')), 'pause.json');
    const started = () => {
      const hubs = new LocalHubs('karmada', [], new PauseFile(file));
      hubs.opened(new StoreHub('karmada', createObjectStore({ now: () => 0, newUid: () => 'uid' })));
      return { hubs, connections: localConnections(hubs) };
    };
    const pause = { since: 1000, reason: 'a rollout' };
    expect(await started().connections.pause('karmada', pause)).toEqual(pause);
    const { hubs, connections } = started();
    await expect(hubs.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
    expect((await hubs.open('karmada')).name).toBe('karmada');
    expect(await hubs.pauseOf('karmada')).toEqual(pause);
    expect(await connections.resume('karmada')).toEqual(pause);
    expect((await hubs.connect('karmada')).name).toBe('karmada');
    expect(await started().hubs.pauseOf('karmada')).toBeUndefined();
    rmSync(dirname(file), { recursive: true });
  });

  it('reject a pause of an unknown hub', async () => {
    const connections = localConnections(new LocalHubs('karmada', []));
    await expect(connections.pause('other', { since: 0, reason: '' })).rejects.toMatchObject({ reason: 'UnknownHub' });
  });

  it('reject an event of another hub as terminal', async () => {
    const hubs = new LocalHubs('karmada', []);
    await expect(hubs.connect('other')).rejects.toMatchObject({ retryClass: 'terminal', reason: 'UnknownHub' });
  });
});

describe('the registry of a local run', () => {
  function started() {
    const hubs = new LocalHubs('karmada', ['a-token-of-some-length']);
    const hub = new StoreHub('karmada', createObjectStore({ now: () => 0, newUid: () => 'uid' }));
    hubs.opened(hub, { account: 'us', server: 'http://127.0.0.1:1' });
    return { hubs, registry: localRegistry(hubs) };
  }

  it('has the one hub, with its account, its callers and its pause', async () => {
    const { hubs, registry } = started();
    const pause = { since: 1000, reason: 'a rollout' };
    hubs.setPause('karmada', pause);
    const callers = callersOf('karmada', { hookTokens: ['a-token-of-some-length'] });
    const record = {
      name: 'karmada',
      state: 'Active',
      features: hubFeatureNames.filter((feature) => feature !== 'failback'),
      server: 'http://127.0.0.1:1',
      revision: 1,
    };
    expect(await registry.list()).toEqual([{ ...record, account: 'us', callers, pause }]);
    expect(await registry.read('karmada')).toMatchObject({ name: 'karmada', pause });
    expect(await registry.read('other')).toBe(undefined);
  });

  it('rejects changes, with the way to another hub', async () => {
    const { registry } = started();
    const rejection = {
      retryClass: 'terminal',
      reason: 'NotDeployed',
      message: expect.stringContaining('start it again') as string,
    };
    await expect(registry.write(hubRecord('other'), 0)).rejects.toMatchObject(rejection);
    await expect(registry.delete('karmada', 1)).rejects.toMatchObject(rejection);
  });

  it('keeps until when events are published, and moves it only from the time that was read', async () => {
    const { registry } = started();
    expect(await registry.publishedUntil()).toBe(undefined);
    expect(await registry.markPublished(undefined, 60_000)).toBe('done');
    expect(await registry.markPublished(undefined, 90_000)).toBe('changed');
    expect(await registry.publishedUntil()).toBe(60_000);
  });
});
