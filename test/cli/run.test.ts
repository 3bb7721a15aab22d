/** `evenkeel run` on a hub over HTTP; the test writes the status that our functions would. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromTimestamp } from '../../shared/core/time.ts';
import { user } from '../fakes/practice-fleet.ts';
import { evenkeel, type Ran } from './plan-scene.ts';
import { type RebalanceScene, startRebalanceScene } from './rebalance-scene.ts';

let scene: RebalanceScene;
const run = (...args: readonly string[]): Promise<Ran> => evenkeel('run', '--kubeconfig', scene.kubeconfig, ...args);
const key = { namespace: '', name: 'home' };
beforeEach(async () => {
  scene = await startRebalanceScene(['web']);
});
afterEach(() => scene.close());

function policy(spec: object = {}, status: object = {}): void {
  const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata: { name: 'home' } };
  scene.hub.store.create('rebalancepolicies', { ...object, spec: { triggers: { capacityFreed: {} }, ...spec } }, user);
  scene.hub.store.patch('rebalancepolicies', key, { type: 'merge', body: { status }, subresource: 'status' }, user);
}

function requestedAt(): string {
  const { spec } = scene.hub.store.get('rebalancepolicies', key) as unknown as {
    spec: { triggers: { requestedAt?: string } };
  };
  return spec.triggers.requestedAt ?? '';
}

describe('evenkeel run', () => {
  it('requests a run now, and again a second after an earlier request', async () => {
    policy();
    const { code, out } = await run('home');
    expect([code, out]).toEqual([0, 'rebalancepolicy.evenkeel.dev/home: a run is requested\n']);
    const first = fromTimestamp(requestedAt()) ?? 0;
    expect(first).toBeGreaterThan(
      fromTimestamp(scene.hub.store.get('rebalancepolicies', key)?.metadata.creationTimestamp ?? '') ?? 0,
    );
    await run('home');
    expect(fromTimestamp(requestedAt())).toBeGreaterThan(first);
  });

  it('requests a run at a time, after the one that is in progress', async () => {
    const counts = { waves: 2, wavesDone: 1, workloads: 3, moved: 2, skipped: 0 };
    const lastRun = { name: 'r1', triggers: [], state: 'Running', startedAt: '2026-11-21T10:00:00Z', ...counts };
    policy({}, { state: 'Waiting', lastRun });
    const { out } = await run('home', '--at', '2031-11-25T22:00:00Z');
    expect(out).toBe(
      'rebalancepolicy.evenkeel.dev/home: a run is requested for 2031-11-25T22:00:00Z, after r1, which is in progress\n',
    );
    expect(requestedAt()).toBe('2031-11-25T22:00:00Z');
  });

  it.each([
    ['another', {}, {}, 'another: the hub has no RebalancePolicy of that name; it has home'],
    ['home', { suspend: true }, {}, 'home is suspended, and starts no run; set spec.suspend to false'],
    [
      'home',
      {},
      { state: 'Stopped', message: 'wave 1 was not ready in time' },
      'home is Stopped, and starts no run before it is edited: wave 1 was not ready in time',
    ],
  ])('starts none for %s with %o and %o', async (name, spec, status, message) => {
    policy(spec, status);
    const { code, errors } = await run(name);
    expect([code, errors]).toEqual([2, [message]]);
    expect(requestedAt()).toBe('');
  });

  it('needs a time that can be read', async () => {
    const { code, errors } = await run('home', '--at', 'tonight');
    const message = '--at tonight: not an RFC 3339 time; write it like 2026-11-25T22:00:00Z, or leave it out';
    expect([code, errors]).toEqual([2, [message]]);
  });
});
