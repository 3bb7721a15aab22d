/** Which workloads get a binding, its content, and when it is deleted. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import {
  byAvailable,
  deployment,
  type PracticeFleet,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';

const web = { namespace: 'shop', name: 'web' };
const start = (): PracticeFleet => startPracticeFleet({ members: three });
const clusters = (...clusterNames: string[]) => ({ clusterAffinity: { clusterNames } });

function apply(hub: PracticeFleet, ...objects: readonly object[]): void {
  for (const object of objects as readonly KubeObject[]) {
    const plural = { Deployment: 'deployments', PropagationPolicy: 'propagationpolicies', ClusterRole: 'clusterroles' }[
      object.kind
    ];
    hub.store.create(plural ?? 'clusterpropagationpolicies', object, user);
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
  it('creates a binding with the workload, its replicas, their requirements and the placement', () => {
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

  describe('with a policy of activationPreference Lazy', () => {
    const lazy = (placement: object): object => {
      const object = policy('web', placement) as { spec: object };
      return { ...object, spec: { ...object.spec, activationPreference: 'Lazy' } };
    };
    const placement = (hub: PracticeFleet) => hub.binding('web').spec?.placement;
    const movePolicy = (hub: PracticeFleet) => {
      const body = { spec: { placement: clusters('member2') } };
      hub.store.patch('propagationpolicies', web, { type: 'merge', body }, user);
      hub.clock.runAll();
    };

    it('creates the binding of a workload that is created after the policy', () => {
      const hub = start();
      apply(hub, lazy(clusters('member1')), deployment('web', { replicas: 3 }));
      expect(placement(hub)).toMatchObject(clusters('member1'));
    });

    it('creates no binding of a workload that is older than the policy, until the workload changes', () => {
      const hub = start();
      apply(hub, deployment('web', { replicas: 3 }));
      apply(hub, lazy(clusters('member1')));
      const at = { namespace: 'shop', name: 'web-deployment' };
      expect(hub.store.get('resourcebindings', at)).toBeUndefined();
      hub.store.patch('deployments', web, { type: 'merge', body: { spec: { replicas: 4 } } }, user);
      hub.clock.runAll();
      expect(placement(hub)).toMatchObject(clusters('member1'));
    });

    it('applies an edit of the policy with the next change of the workload', () => {
      const hub = start();
      apply(hub, lazy(clusters('member1')), deployment('web', { replicas: 3 }));
      movePolicy(hub);
      expect(placement(hub)).toMatchObject(clusters('member1'));
      hub.store.patch('deployments', web, { type: 'merge', body: { spec: { replicas: 4 } } }, user);
      hub.clock.runAll();
      expect(placement(hub)).toMatchObject(clusters('member2'));
    });
  });

  it('divides the replicas of a policy whose replicaScheduling has no type, as the CRD does by default', () => {
    const hub = start();
    const { replicaSchedulingType: _, ...untyped } = byAvailable.replicaScheduling;
    apply(hub, policy('web', { replicaScheduling: untyped }), deployment('web', { replicas: 9 }));
    expect(hub.binding('web').spec).toMatchObject({
      placement: byAvailable,
      clusters: three.map(({ name }) => ({ name, replicas: 3 })),
    });
  });

  it('sums the requests of the containers of a pod', () => {
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

  it('creates no binding if no policy selects the workload', () => {
    const hub = start();
    apply(hub, policy('other', byAvailable), deployment('web', { replicas: 1 }));
    expect(hub.store.list('resourcebindings')).toEqual([]);
  });

  it('selects by labels, and reacts to a label that is added later', () => {
    const hub = start();
    apply(
      hub,
      policy('gold', byAvailable, { labelSelector: { matchLabels: { tier: 'gold' } } }),
      deployment('web', { replicas: 1 }),
    );
    expect(hub.store.list('resourcebindings')).toEqual([]);
    hub.store.patch('deployments', web, { type: 'merge', body: { metadata: { labels: { tier: 'gold' } } } }, user);
    hub.clock.runAll();
    expect(hub.binding('web').spec?.replicas).toBe(1);
  });

  it('finds workloads that are older than their policy', () => {
    const hub = start();
    apply(hub, deployment('web', { replicas: 1 }), policy('web', byAvailable));
    expect(hub.binding('web').spec?.replicas).toBe(1);
  });

  it('replaces the whole placement when the policy changes', () => {
    const hub = start();
    apply(hub, policy('web', { ...byAvailable, ...clusters('member1') }), deployment('web', { replicas: 1 }));
    const body = [{ op: 'replace', path: '/spec/placement', value: clusters('member2') }];
    hub.store.patch('propagationpolicies', web, { type: 'json', body }, user);
    hub.clock.runAll();
    expect(hub.binding('web').spec?.placement).toEqual(clusters('member2'));
    expect(hub.assigned('web')).toEqual({ member2: 1 });
  });

  it('prefers the namespace’s policy, then priority, then the more specific selector, then the name', () => {
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
      user,
    );
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member2: 1 });
  });

  it('does not apply a PropagationPolicy to another namespace', () => {
    const hub = start();
    const header = { apiVersion: 'v1', kind: 'Namespace' };
    hub.store.create('namespaces', { ...header, metadata: { name: 'bank' } }, user);
    const elsewhere = { ...policy('web', byAvailable), metadata: { name: 'web', namespace: 'bank' } };
    apply(hub, elsewhere, deployment('web', { replicas: 1 }));
    expect(hub.store.list('resourcebindings')).toEqual([]);
  });

  it('propagates a cluster-scoped resource to all clusters, with the binding name of Karmada', () => {
    const hub = start();
    const selectors = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'system:Reader' }];
    apply(hub, clusterPolicy('roles', {}, selectors), role('system:Reader'));
    const binding = hub.store.get('clusterresourcebindings', { namespace: '', name: 'system.reader-clusterrole' });
    expect(binding?.spec?.clusters).toEqual([{ name: 'member1' }, { name: 'member2' }, { name: 'member3' }]);
    expect(binding?.status?.aggregatedStatus).toEqual(
      ['member1', 'member2', 'member3'].map((clusterName) => ({ clusterName, applied: true, health: 'Unknown' })),
    );
  });

  it('deletes the binding and the pods with the workload', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    hub.store.delete('deployments', web, user);
    hub.clock.runAll();
    expect(hub.store.list('resourcebindings')).toEqual([]);
    const summary = hub.store.get('clusters', { namespace: '', name: 'member1' })?.status?.resourceSummary;
    expect(summary).toMatchObject({ allocated: { pods: '0' } });
  });

  it('creates another binding and other pods for a workload that was deleted and recreated', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    const { uid } = hub.binding('web').metadata;
    hub.store.delete('deployments', web, user);
    hub.store.create('deployments', deployment('web', { replicas: 3 }), user);
    hub.clock.advance(100);
    expect(hub.binding('web').metadata.uid).not.toBe(uid);
    expect(hub.ready('web')).toEqual({ member1: 0, member2: 0, member3: 0 });
    hub.clock.runAll();
    expect(hub.ready('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('keeps the binding when its policy is deleted', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    hub.store.delete('propagationpolicies', web, user);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });

  it('recreates a binding that a user deletes', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    hub.store.delete('resourcebindings', { namespace: 'shop', name: 'web-deployment' }, user);
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });
});

describe('Events', () => {
  const eventsOf = ({ store }: PracticeFleet, kind: string, name: string): readonly string[] =>
    store
      .list('events')
      .map((event) => event as unknown as { involvedObject: ObjectReference; reason: string; message: string })
      .filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name)
      .map(({ reason, message }) => `${reason}: ${message}`)
      .toSorted();

  it('are on the workload and on its binding, with the reasons and messages of Karmada', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    const scheduled =
      'ScheduleBindingSucceed: Binding has been scheduled successfully. Result: {member1:1, member2:1, member3:1}';
    expect(eventsOf(hub, 'Deployment', 'web')).toEqual([
      'ApplyPolicySucceed: Apply policy(shop/web) succeed',
      scheduled,
    ]);
    expect(eventsOf(hub, 'ResourceBinding', 'web-deployment')).toEqual([scheduled]);
  });

  it('of a workload without a fitting cluster are warnings on both', () => {
    const hub = start();
    apply(hub, policy('web', clusters('elsewhere')), deployment('web', { replicas: 3 }));
    const failed = expect.stringMatching(/^ScheduleBindingFailed: 0\/3 clusters are available/) as string;
    expect(eventsOf(hub, 'Deployment', 'web')).toEqual(['ApplyPolicySucceed: Apply policy(shop/web) succeed', failed]);
    expect(eventsOf(hub, 'ResourceBinding', 'web-deployment')).toEqual([failed]);
  });

  it('of a cluster-scoped workload are in the namespace default, and name the cluster policy', () => {
    const hub = start();
    const selectors = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' }];
    apply(hub, clusterPolicy('roles', clusters('member1'), selectors), role('reader'));
    expect(eventsOf(hub, 'ClusterRole', 'reader')[0]).toBe('ApplyPolicySucceed: Apply cluster policy(roles) succeed');
    expect(new Set(hub.store.list('events').map(({ metadata }) => metadata.namespace))).toEqual(new Set(['default']));
  });

  it('are not repeated if a change of a policy does not change the binding', () => {
    const hub = start();
    apply(hub, policy('web', byAvailable), deployment('web', { replicas: 3 }));
    const body = { metadata: { labels: { team: 'shop' } } };
    hub.store.patch('propagationpolicies', web, { type: 'merge', body }, user);
    hub.clock.runAll();
    const event = hub.store
      .list('events')
      .find((one) => (one as unknown as { reason: string }).reason === 'ApplyPolicySucceed');
    expect((event as unknown as { count: number }).count).toBe(1);
  });
});
