/** Which workloads get a binding, what is in it, and when it goes. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import {
  byAvailable,
  deployment,
  type PracticeFleet,
  person,
  policy,
  startPracticeFleet,
  three,
} from '../fakes/practice-fleet.ts';

const web = { namespace: 'shop', name: 'web' };
const start = (): PracticeFleet => startPracticeFleet({ members: three });
const clusters = (...clusterNames: string[]) => ({ clusterAffinity: { clusterNames } });

function apply(hub: PracticeFleet, ...objects: readonly object[]): void {
  for (const object of objects as readonly KubeObject[]) {
    const plural = { Deployment: 'deployments', PropagationPolicy: 'propagationpolicies', ClusterRole: 'clusterroles' }[
      object.kind
    ];
    hub.store.create(plural ?? 'clusterpropagationpolicies', object, person);
  }
  hub.clock.runAll();
}

function clusterPolicy(name: string, placement: object, resourceSelectors: readonly object[]): object {
  const header = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterPropagationPolicy' };
  return { ...header, metadata: { name }, spec: { placement, resourceSelectors } };
}

const role = (name: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules: [],
});

describe('the detector', () => {
  it('makes a binding with the workload, its replicas, what one needs and the placement', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3, requests: { cpu: '100m' } }));
    const workload = hub.store.get('deployments', web);
    expect(hub.binding('web').spec).toMatchObject({
      resource: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        uid: workload?.metadata.uid,
      },
      replicas: 3,
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
      placement: byAvailable,
      schedulerName: 'default-scheduler',
    });
    expect(hub.binding('web').metadata.annotations).toMatchObject({ 'propagationpolicy.karmada.io/name': 'web' });
  });

  it('adds up what the containers of a pod ask for', () => {
    const hub = start();
    const object = deployment('web', { replicas: 1 }) as { spec: { template: { spec: { containers: object[] } } } };
    object.spec.template.spec.containers = [
      { name: 'a', resources: { requests: { cpu: '100m', memory: '1Ki' } } },
      { name: 'b', resources: { requests: { cpu: '1' } } },
      { name: 'c' },
    ];
    apply(hub, policy('web', byAvailable), object);
    expect(hub.binding('web').spec?.replicaRequirements).toEqual({ resourceRequest: { cpu: '1100m', memory: '1024' } });
  });

  it('makes none where no policy selects the workload', () => {
    const hub = start();
    apply(hub, policy('other', byAvailable), deployment('web', { replicas: 1 }));
    expect(hub.store.list('resourcebindings')).toEqual([]);
  });

  it('selects by labels, and follows a label that is put on later', () => {
    const hub = start();
    apply(
      hub,
      policy('gold', byAvailable, { labelSelector: { matchLabels: { tier: 'gold' } } }),
      deployment('web', { replicas: 1 }),
    );
    expect(hub.store.list('resourcebindings')).toEqual([]);
    hub.store.patch('deployments', web, { type: 'merge', body: { metadata: { labels: { tier: 'gold' } } } }, person);
    hub.clock.runAll();
    expect(hub.binding('web').spec?.replicas).toBe(1);
  });

  it('finds the workloads that were there before their policy', () => {
    const hub = start();
    apply(hub, deployment('web', { replicas: 1 }), policy('web', byAvailable));
    expect(hub.binding('web').spec?.replicas).toBe(1);
  });

  it('replaces the placement whole when the policy changes', () => {
    const hub = start();
    apply(hub, policy('web', { ...byAvailable, ...clusters('member1') }), deployment('web', { replicas: 1 }));
    const body = [{ op: 'replace', path: '/spec/placement', value: clusters('member2') }];
    hub.store.patch('propagationpolicies', web, { type: 'json', body }, person);
    hub.clock.runAll();
    expect(hub.binding('web').spec?.placement).toEqual(clusters('member2'));
    expect(hub.assigned('web')).toEqual({ member2: 1 });
  });

  it('prefers the namespace’s policy, then priority, then the closer selector, then the name', () => {
    const hub = start();
    const all = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
    apply(hub, clusterPolicy('a', clusters('member1'), all), deployment('web', { replicas: 1 }));
    expect(hub.assigned('web')).toEqual({ member1: 1 });
    apply(hub, policy('c', clusters('member2'), {}), policy('b', clusters('member3'), {}));
    expect(hub.assigned('web')).toEqual({ member3: 1 });
    apply(hub, policy('z', clusters('member1'), { name: 'web' }));
    expect(hub.assigned('web')).toEqual({ member1: 1 });
    hub.store.patch(
      'propagationpolicies',
      { namespace: 'shop', name: 'c' },
      { type: 'merge', body: { spec: { priority: 1 } } },
      person,
    );
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member2: 1 });
  });

  it('does not reach into another namespace with a PropagationPolicy', () => {
    const hub = start();
    const header = { apiVersion: 'v1', kind: 'Namespace' };
    hub.store.create('namespaces', { ...header, metadata: { name: 'bank' } }, person);
    const elsewhere = { ...policy('web', byAvailable), metadata: { name: 'web', namespace: 'bank' } };
    apply(hub, elsewhere, deployment('web', { replicas: 1 }));
    expect(hub.store.list('resourcebindings')).toEqual([]);
  });

  it('sends a cluster-scoped resource everywhere, under the name Karmada gives its binding', () => {
    const hub = start();
    const selectors = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'system:Reader' }];
    apply(hub, clusterPolicy('roles', {}, selectors), role('system:Reader'));
    const binding = hub.store.get('clusterresourcebindings', { namespace: '', name: 'system.reader-clusterrole' });
    expect(binding?.spec?.clusters).toEqual([{ name: 'member1' }, { name: 'member2' }, { name: 'member3' }]);
    expect(binding?.status?.aggregatedStatus).toEqual(
      ['member1', 'member2', 'member3'].map((clusterName) => ({ clusterName, applied: true, health: 'Unknown' })),
    );
  });

  it('takes the binding away with the workload, and its pods', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    hub.store.delete('deployments', web, person);
    hub.clock.runAll();
    expect(hub.store.list('resourcebindings')).toEqual([]);
    const summary = hub.store.get('clusters', { namespace: '', name: 'member1' })?.status?.resourceSummary;
    expect(summary).toMatchObject({ allocated: { pods: '0' } });
  });

  it('starts anew for a workload that was deleted and made again: another binding, other pods', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    const { uid } = hub.binding('web').metadata;
    hub.store.delete('deployments', web, person);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), person);
    hub.clock.advance(100);
    expect(hub.binding('web').metadata.uid).not.toBe(uid);
    expect(hub.ready('web')).toEqual({ member1: 0, member2: 0, member3: 0 });
    hub.clock.runAll();
    expect(hub.ready('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('leaves the binding as it is when its policy goes', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    hub.store.delete('propagationpolicies', web, person);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('makes the binding again when somebody deletes it', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    hub.store.delete('resourcebindings', { namespace: 'shop', name: 'web-deployment' }, person);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });
});
