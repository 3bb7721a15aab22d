/** `evenkeel approve` on a hub over HTTP; the test writes the status that our functions would. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { user } from '../fakes/practice-fleet.ts';
import { evenkeel, type Ran } from './plan-scene.ts';
import { type RebalanceScene, startRebalanceScene } from './rebalance-scene.ts';

const RUN = '2026-11-21T10:00:00Z-a1';
let scene: RebalanceScene;
const approve = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('approve', '--kubeconfig', scene.kubeconfig, ...args);
beforeEach(async () => {
  scene = await startRebalanceScene(['web']);
});
afterEach(() => scene.close());

interface Made {
  readonly kind?: 'RebalancePolicy' | 'ClusterDrain';
  readonly name?: string;
  readonly approval?: string;
  readonly state?: string;
  readonly run?: string;
}

function policy({
  kind = 'RebalancePolicy',
  name = 'home',
  approval = 'EachWave',
  state = 'Running',
  run = RUN,
}: Made) {
  const plural = kind === 'RebalancePolicy' ? 'rebalancepolicies' : 'clusterdrains';
  const own = kind === 'RebalancePolicy' ? { triggers: { capacityFreed: {} } } : { cluster: 'member2' };
  const object = {
    apiVersion: 'evenkeel.dev/v1alpha1',
    kind,
    metadata: { name },
    spec: { ...own, strategy: { approval } },
  };
  scene.hub.store.create(plural, object, user);
  const counts = { waves: 5, wavesDone: 1, workloads: 9, moved: 4, skipped: 0 };
  const lastRun = { name: run, triggers: [], state, startedAt: '2026-11-21T10:00:00Z', ...counts };
  const body = { status: { lastRun } };
  scene.hub.store.patch(plural, { namespace: '', name }, { type: 'merge', body, subresource: 'status' }, user);
}

function approvedOn(plural: string, name: string): unknown {
  return scene.hub.store.get(plural, { namespace: '', name })?.metadata.annotations?.['evenkeel.dev/approved'];
}

describe('evenkeel approve', () => {
  it('lets the next wave of a run start', async () => {
    policy({});
    const { code, out } = await approve(RUN);
    expect([code, out]).toEqual([0, 'rebalancepolicy.evenkeel.dev/home: wave 2 of 5 is approved\n']);
    expect(approvedOn('rebalancepolicies', 'home')).toBe(`${RUN}/2`);
  });

  it('lets all waves of a drain start with --all', async () => {
    policy({ kind: 'ClusterDrain', name: 'away', approval: 'AfterFirstWave' });
    const { code, out } = await approve(RUN, '--all');
    expect([code, out]).toEqual([0, 'clusterdrain.evenkeel.dev/away: all waves of the run are approved\n']);
    expect(approvedOn('clusterdrains', 'away')).toBe(`${RUN}/All`);
  });

  it.each([
    [{ state: 'Finished' }, `${RUN}: no run of that name is in progress; those in progress: none`],
    [{ run: 'other' }, `${RUN}: no run of that name is in progress; those in progress: other`],
    [{ approval: 'None' }, `${RUN}: its waves wait for no approval (strategy.approval of home is None)`],
  ])('rejects a run of %j', async (made, message) => {
    policy(made);
    const { code, errors } = await approve(RUN);
    expect([code, errors]).toEqual([2, [message]]);
    expect(approvedOn('rebalancepolicies', 'home')).toBeUndefined();
  });
});
