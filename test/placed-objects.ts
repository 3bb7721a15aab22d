/** Clusters and bindings as a hub sends them, whole and plausible; a test names only what it is about. */
import type { ClusterReplicas } from '../shared/karmada/assignment/assign-replicas.ts';
import { type Cluster, parseCluster } from '../shared/karmada/assignment/cluster.ts';
import { APPLIED_PLACEMENT, type PlacedBinding, parsePlacedBinding } from '../shared/karmada/placed-binding.ts';

export type Numbers = Readonly<Record<string, number>>;

export const DYNAMIC = {
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: { dynamicWeight: 'AvailableReplicas' },
};
export const AGGREGATED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
export const DUPLICATED = { replicaSchedulingType: 'Duplicated' };

export function byStaticWeight(weights: Numbers): object {
  const staticWeightList = Object.entries(weights).map(([name, weight]) => ({
    targetCluster: { clusterNames: [name] },
    weight,
  }));
  return {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { staticWeightList },
  };
}

export interface ClusterParts {
  /** Places for pods. */
  readonly pods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
  readonly deleting?: boolean;
  readonly kinds?: readonly string[];
}

export function clusterObject(name: string, parts: ClusterParts = {}): object {
  const { pods = 100, labels = {}, taints = [], deleting = false, kinds = ['Deployment', 'StatefulSet'] } = parts;
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      name,
      uid: `uid-${name}`,
      labels,
      resourceVersion: '1',
      creationTimestamp: '2026-11-20T09:00:00Z',
      ...(deleting && { deletionTimestamp: '2026-11-21T09:00:00Z' }),
    },
    spec: { taints },
    status: {
      resourceSummary: { allocatable: { pods: String(pods) } },
      apiEnablements: [{ groupVersion: 'apps/v1', resources: kinds.map((kind) => ({ kind, name: kind })) }],
    },
  };
}

export function cluster(name: string, parts?: ClusterParts): Cluster {
  return parseCluster(clusterObject(name, parts));
}

export function clusters(pods: Numbers): readonly Cluster[] {
  return Object.entries(pods).map(([name, count]) => cluster(name, { pods: count }));
}

export interface BindingParts {
  readonly name?: string;
  readonly replicas?: number;
  readonly placement?: object | null;
  /** What is assigned now. */
  readonly current?: Numbers;
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
  /** The placement by which it was scheduled last, and when; absent: never. */
  readonly scheduled?: { readonly placement: object; readonly at: string };
}

/** Of Deployment shop/web, 10 replicas, by dynamic weight. */
export function bindingObject(parts: BindingParts = {}): object {
  const { name = 'web', replicas = 10, placement = { replicaScheduling: DYNAMIC }, current = {}, scheduled } = parts;
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: `${name}-deployment`,
      namespace: 'shop',
      uid: `uid-${name}`,
      resourceVersion: '7',
      creationTimestamp: '2026-11-20T10:00:00Z',
      generation: 1,
      ...(scheduled && { annotations: { [APPLIED_PLACEMENT]: JSON.stringify(scheduled.placement) } }),
      ...parts.metadata,
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
      replicas,
      clusters: replicasOf(current),
      ...(placement !== null && { placement }),
      ...parts.spec,
    },
    status: {
      ...(scheduled && {
        lastScheduledTime: scheduled.at,
        schedulerObservedGeneration: 1,
        conditions: [
          { type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime: scheduled.at },
        ],
      }),
      ...parts.status,
    },
  };
}

export function placedBinding(parts?: BindingParts): PlacedBinding {
  return parsePlacedBinding(bindingObject(parts));
}

export function replicasOf(numbers: Numbers): readonly ClusterReplicas[] {
  return Object.entries(numbers).map(([name, replicas]) => ({ name, replicas }));
}

export function numbersOf(assigned: readonly ClusterReplicas[]): Numbers {
  return Object.fromEntries(assigned.map(({ name, replicas }) => [name, replicas]));
}
