/** The kinds that a simulated managed cluster serves, and their scale paths. */

export interface ManagedClusterKind {
  /** "apps/v1". */
  readonly apiVersion: string;
  readonly kind: string;
  /** The plural name. */
  readonly resource: string;
  readonly clusterScoped?: true;
  /** For a kind with replicas. */
  readonly scale?: { readonly specReplicasPath: string; readonly readyReplicasPath: string };
}

const scale = { specReplicasPath: '.spec.replicas', readyReplicasPath: '.status.readyReplicas' };

export const managedClusterKinds: readonly ManagedClusterKind[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', resource: 'deployments', scale },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', resource: 'statefulsets', scale },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', resource: 'replicasets', scale },
  { apiVersion: 'v1', kind: 'ReplicationController', resource: 'replicationcontrollers', scale },
  { apiVersion: 'v1', kind: 'Namespace', resource: 'namespaces', clusterScoped: true },
  { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps' },
  { apiVersion: 'v1', kind: 'Secret', resource: 'secrets' },
  { apiVersion: 'v1', kind: 'Service', resource: 'services' },
  { apiVersion: 'v1', kind: 'ServiceAccount', resource: 'serviceaccounts' },
];

export function groupOf({ apiVersion }: Pick<ManagedClusterKind, 'apiVersion'>): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

export function versionOf({ apiVersion }: Pick<ManagedClusterKind, 'apiVersion'>): string {
  return apiVersion.split('/').at(-1) ?? '';
}
