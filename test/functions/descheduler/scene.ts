/** Bindings and clusters for the descheduler's tests: a test names what is assigned, ready and free. */
import { type Cluster, parseCluster } from '../../../shared/karmada/assignment/cluster.ts';
import { APPLIED_PLACEMENT, type PlacedBinding, parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { AGGREGATED, DYNAMIC } from '../../placed-objects.ts';

/** Assigned and ready; no status where ready is undefined. */
export type Held = Readonly<Record<string, readonly [assigned: number, ready?: number]>>;

const aggregated = {
  clusterAffinity: { clusterNames: ['m1', 'm2', 'm3', 'm4'] },
  replicaScheduling: AGGREGATED,
};
export const dynamic = { replicaScheduling: DYNAMIC };

export interface BindingOptions {
  readonly name?: string;
  readonly placement?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Where it is not the sum of what is assigned. */
  readonly replicas?: number;
  readonly spec?: object;
}

/** A binding as the hub stores it: scheduled a while ago, by the placement it has now. */
export function bindingObject(held: Held, options: BindingOptions = {}) {
  const { name = 'web', placement = aggregated, annotations = {}, spec = {} } = options;
  const clusters = Object.entries(held).map(([cluster, [assigned]]) => ({ name: cluster, replicas: assigned }));
  const sum = clusters.reduce((total, { replicas }) => total + replicas, 0);
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: `${name}-deployment`,
      namespace: 'shop',
      annotations: { [APPLIED_PLACEMENT]: JSON.stringify(placement), ...annotations },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
      replicas: options.replicas ?? sum,
      replicaRequirements: { resourceRequest: { cpu: '1' } },
      clusters,
      placement,
      ...spec,
    },
  };
}

export function statusOf(held: Held) {
  const aggregatedStatus = Object.entries(held).flatMap(([clusterName, [replicas, ready]]) =>
    ready === undefined
      ? []
      : [{ clusterName, applied: true, status: { replicas, ...(ready > 0 && { readyReplicas: ready }) } }],
  );
  return { lastScheduledTime: '2026-11-21T09:00:00Z', schedulerObservedGeneration: 1, aggregatedStatus };
}

export function placed(held: Held, options?: BindingOptions): PlacedBinding {
  const { metadata, ...object } = bindingObject(held, options);
  const written = { uid: 'u', resourceVersion: '7', generation: 1, creationTimestamp: '2026-11-21T08:00:00Z' };
  return parsePlacedBinding({ ...object, metadata: { ...metadata, ...written }, status: statusOf(held) });
}

/** A cluster with capacity for so many replicas of one core. */
export function clusterObject(name: string, free: number) {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push' },
    status: {
      resourceSummary: { allocatable: { pods: '1000', cpu: '100' }, allocated: { cpu: String(100 - free) } },
      apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }],
    },
  };
}

export function clustersWith(free: Readonly<Record<string, number>>): readonly Cluster[] {
  return Object.entries(free).map(([name, capacity]) => {
    const { metadata, ...object } = clusterObject(name, capacity);
    const written = { uid: `u-${name}`, resourceVersion: '1', creationTimestamp: '2026-11-21T08:00:00Z' };
    return parseCluster({ ...object, metadata: { ...metadata, ...written } });
  });
}
