/** A practice hub with members for tests: the real store and controllers, in virtual time. */

import { applyManifests } from '../../local/practice-hub/apply-manifests.ts';
import type { MemberOptions } from '../../local/practice-hub/controllers/member-cluster.ts';
import type { ManagedClusterOptions } from '../../local/practice-hub/controllers/ocm/managed-cluster-simulator.ts';
import { type SimulatedFleet, startFleet } from '../../local/practice-hub/fleet.ts';
import { type ChangeLog, createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import type { KubeObject, ObjectStore } from '../../local/practice-hub/store/objects.ts';
import { createVirtualClock, type VirtualClock } from '../../local/virtual-clock.ts';
import { holdPolicy } from '../../shared/manifests/holds.ts';

export const user = { username: 'a-user', manager: 'kubectl' };

export interface PracticeFleet {
  readonly clock: VirtualClock;
  readonly store: ObjectStore;
  readonly fleet: SimulatedFleet;
  readonly faults: unknown[];
  /** The binding of Deployment shop/<name>. */
  binding(name: string): KubeObject;
  /** Cluster name → replicas, of the binding's spec. */
  assigned(name: string): Record<string, number>;
  ready(name: string): Record<string, number>;
  condition(name: string, type: string): Record<string, unknown>;
  lastScheduled(name: string): string;
  trigger(name: string, at: string): void;
}

export interface PracticeFleetOptions {
  readonly members?: readonly MemberOptions[];
  /** Clusters of an Open Cluster Management hub; namespace shop may use them all. */
  readonly managedClusters?: readonly ManagedClusterOptions[];
  readonly changeLog?: ChangeLog;
  readonly clock?: VirtualClock;
  /** Whether the policy that holds reductions stands on the hub. */
  readonly holds?: boolean;
}

/** Ours on the hub. */
export const account = { namespace: 'evenkeel', name: 'evenkeel' };

export const three: readonly MemberOptions[] = ['member1', 'member2', 'member3'].map((name) => ({
  name,
  capacity: 20,
  readyDelayMs: 2000,
}));

export const byAvailable = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};

export function startPracticeFleet({
  members = [],
  managedClusters = [],
  changeLog,
  ...options
}: PracticeFleetOptions): PracticeFleet {
  const clock = options.clock ?? createVirtualClock('2026-11-21T10:00:00Z');
  let uid = 0;
  const store = createObjectStore({
    now: () => clock.now(),
    newUid: () => `uid-${++uid}`,
    ...(changeLog && { changeLog }),
  });
  if (!store.get('namespaces', { namespace: '', name: 'shop' })) {
    store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, user);
  }
  if (options.holds) applyManifests(store, holdPolicy({ account }), user);
  const faults: unknown[] = [];
  const fleet = startFleet({ store, clock, members, managedClusters, onFault: (_key, error) => faults.push(error) });
  if (managedClusters.length > 0) bindSet(store);
  clock.runAll();
  const key = (name: string) => ({ namespace: 'shop', name: `${name}-deployment` });
  const binding = (name: string): KubeObject => {
    const found = store.get('resourcebindings', key(name));
    if (found === undefined) throw new Error(`there is no binding of ${name}`);
    return found;
  };
  return {
    ...{ clock, store, fleet, faults, binding },
    assigned(name) {
      const clusters = (binding(name).spec?.clusters ?? []) as { name: string; replicas: number }[];
      return Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster.replicas]));
    },
    ready: (name) =>
      Object.fromEntries([...fleet.distribution(key(name))].map(([cluster, { ready }]) => [cluster, ready])),
    condition(name, type) {
      const conditions = (binding(name).status?.conditions ?? []) as Record<string, unknown>[];
      return conditions.find((condition) => condition.type === type) ?? {};
    },
    lastScheduled: (name) => String(binding(name).status?.lastScheduledTime),
    trigger(name, at) {
      const body = { spec: { rescheduleTriggeredAt: at } };
      store.patch('resourcebindings', key(name), { type: 'merge', body }, user);
    },
  };
}

/** Three empty managed clusters. */
export const threeManagedClusters: readonly ManagedClusterOptions[] = ['spoke1', 'spoke2', 'spoke3'].map((name) => ({
  name,
  capacity: 20,
  readyDelayMs: 2000,
}));

const OCM = 'cluster.open-cluster-management.io';

function bindSet(store: ObjectStore): void {
  const key = { namespace: 'shop', name: 'global' };
  if (store.get('managedclustersetbindings', key) !== undefined) return;
  const header = { apiVersion: `${OCM}/v1beta2`, kind: 'ManagedClusterSetBinding' };
  store.create('managedclustersetbindings', { ...header, metadata: key, spec: { clusterSet: 'global' } }, user);
}

/** A Placement in shop; it selects every managed cluster by default. */
export function placementOf(name: string, spec: object = {}): object {
  return { apiVersion: `${OCM}/v1beta1`, kind: 'Placement', metadata: { name, namespace: 'shop' }, spec };
}

export interface DeploymentOptions {
  readonly replicas: number;
  readonly requests?: Record<string, string>;
  readonly labels?: Record<string, string>;
}

export function deployment(name: string, { replicas, requests, labels }: DeploymentOptions): object {
  const containers = [{ name: 'web', image: 'web:1', ...(requests && { resources: { requests } }) }];
  const app = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', ...(labels && { labels }) },
    spec: { replicas, selector: { matchLabels: app }, template: { metadata: { labels: app }, spec: { containers } } },
  };
}

/** A policy in shop for the Deployments that `select` narrows down. */
export function policy(name: string, placement: object, select: object = { name }): object {
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', ...select }];
  const header = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' };
  return { ...header, metadata: { name, namespace: 'shop' }, spec: { resourceSelectors, placement } };
}

/** What a hub keeps over its restart. */
export function memoryChangeLog(): ChangeLog {
  const objects = new Map<string, KubeObject>();
  let revision = 0;
  return {
    load: () => ({ revision, objects: [...objects.values()] }),
    append({ type, plural, object }) {
      const key = `${plural}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      revision += 1;
      if (type === 'DELETED') objects.delete(key);
      else objects.set(key, object);
    },
  };
}
