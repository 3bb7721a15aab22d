/** Objects are deleted with their owners, on the practice hub as on a real one. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { type PracticeFleet, startPracticeFleet, three, user } from '../fakes/practice-fleet.ts';
import { policyOf } from '../shared/rebalance-policy/policy-cases.ts';

const spec = { triggers: { capacityFreed: {} } };

function policy({ store }: PracticeFleet, name: string): KubeObject {
  return store.create('rebalancepolicies', policyOf(name, spec), user);
}

function ownedBy({ apiVersion, kind, metadata: { name, uid } }: KubeObject) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: false };
}

function wave({ store }: PracticeFleet, name: string, ownerReferences: readonly object[]): void {
  const workloads = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }];
  const header = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer' };
  store.create('workloadrebalancers', { ...header, metadata: { name, ownerReferences }, spec: { workloads } }, user);
}

const remove = ({ store }: PracticeFleet, plural: string, name: string) =>
  store.delete(plural, { namespace: '', name }, user);
const waves = ({ store }: PracticeFleet) => store.list('workloadrebalancers').map(({ metadata }) => metadata.name);

describe('an object with an owner', () => {
  it('is deleted with it, and objects of other owners stay', () => {
    const hub = startPracticeFleet({ members: three });
    const [home, other] = [policy(hub, 'come-home'), policy(hub, 'other')];
    wave(hub, 'home-1', [ownedBy(home)]);
    wave(hub, 'home-2', [ownedBy(home)]);
    wave(hub, 'other-1', [ownedBy(other)]);
    wave(hub, 'mine', []);
    hub.clock.runAll();
    remove(hub, 'rebalancepolicies', 'come-home');
    hub.clock.runAll();
    expect(waves(hub)).toEqual(['mine', 'other-1']);
    expect(hub.faults).toEqual([]);
  });

  it('is deleted with the last of its owners only', () => {
    const hub = startPracticeFleet({ members: three });
    const [home, other] = [policy(hub, 'come-home'), policy(hub, 'other')];
    wave(hub, 'both', [ownedBy(home), ownedBy(other)]);
    remove(hub, 'rebalancepolicies', 'come-home');
    hub.clock.runAll();
    const left = hub.store.get('workloadrebalancers', { namespace: '', name: 'both' });
    expect(left?.metadata.ownerReferences).toEqual([ownedBy(other)]);
    remove(hub, 'rebalancepolicies', 'other');
    hub.clock.runAll();
    expect(waves(hub)).toEqual([]);
  });

  it('whose owner was deleted earlier is deleted at once, even if another object has the name of the owner', () => {
    const hub = startPracticeFleet({ members: three });
    const home = policy(hub, 'come-home');
    remove(hub, 'rebalancepolicies', 'come-home');
    policy(hub, 'come-home');
    wave(hub, 'late', [ownedBy(home)]);
    hub.clock.runAll();
    expect(waves(hub)).toEqual([]);
  });

  it('of a kind that is not served stays, because its owner cannot be read', () => {
    const hub = startPracticeFleet({ members: three });
    wave(hub, 'foreign', [{ apiVersion: 'example.org/v1', kind: 'Plan', name: 'p', uid: 'u' }]);
    hub.clock.runAll();
    expect(waves(hub)).toEqual(['foreign']);
  });

  it('with a finalizer gets a deletionTimestamp, and is deleted when the finalizer is removed', () => {
    const hub = startPracticeFleet({ members: three });
    wave(hub, 'held', [ownedBy(policy(hub, 'come-home'))]);
    const at = { namespace: '', name: 'held' };
    const finalizers = (given: readonly string[]) =>
      hub.store.patch('workloadrebalancers', at, { type: 'merge', body: { metadata: { finalizers: given } } }, user);
    finalizers(['example.org/kept']);
    remove(hub, 'rebalancepolicies', 'come-home');
    hub.clock.runAll();
    expect(hub.store.get('workloadrebalancers', at)?.metadata.deletionTimestamp).toBe('2026-11-21T10:00:00Z');
    finalizers([]);
    expect(waves(hub)).toEqual([]);
  });
});
