/** One simulated managed cluster: its kinds, the objects that its agent applied, their replicas, and the pods. It is independent of the hub. */
import { numberAt, withNumber } from '../../../../shared/elastic-workload/number-at.ts';
import { requirementsOf } from '../detector.ts';
import type { MemberCluster, MemberOptions } from '../member-cluster.ts';
import type { ManifestConfig, WorkManifest } from './manifest.ts';

export interface ManagedClusterKind {
  /** "apps/v1". */
  readonly apiVersion: string;
  readonly kind: string;
  /** The plural name. */
  readonly resource: string;
  /** For a kind with replicas. */
  readonly scale?: { readonly specReplicasPath: string; readonly readyReplicasPath: string };
}

const scale = { specReplicasPath: '.spec.replicas', readyReplicasPath: '.status.readyReplicas' };

export const managedClusterKinds: readonly ManagedClusterKind[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', resource: 'deployments', scale },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', resource: 'statefulsets', scale },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', resource: 'replicasets', scale },
  { apiVersion: 'v1', kind: 'ReplicationController', resource: 'replicationcontrollers', scale },
  { apiVersion: 'v1', kind: 'Namespace', resource: 'namespaces' },
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

/** Options of a simulated managed cluster. */
export interface ManagedClusterOptions extends Pick<MemberOptions, 'name' | 'capacity' | 'readyDelayMs' | 'labels'> {
  /** The ClusterClaims that its agent reports. */
  readonly claims?: Readonly<Record<string, string>>;
  /** Kinds that it serves besides the default ones. */
  readonly kinds?: readonly ManagedClusterKind[];
}

/** The id of an object on its cluster: "apps/Deployment/shop/web". */
export type ObjectId = string;

export interface Adopted {
  readonly replicas: number | undefined;
  readonly ready: number;
}

export interface ManagedClusterSimulator {
  readonly member: MemberCluster;
  /** Applies the manifest; returns the error, undefined on success. `adopted`: the object existed before the hub restarted. */
  apply(
    owner: string,
    manifest: WorkManifest,
    how: { config: ManifestConfig | undefined; adopted?: Adopted },
  ): string | undefined;
  /** The current object; undefined if there is none. */
  object(manifest: WorkManifest): object | undefined;
  /** Deletes the owner's objects, except for these manifests and objects with other owners. */
  prune(owner: string, kept: readonly WorkManifest[]): void;
  /** Orphans the owner's objects: they stay. */
  orphan(owner: string): void;
  /** Scales an object directly on the cluster; false if it does not exist, or has no replicas. */
  scale(id: ObjectId, replicas: number): boolean;
  counts(id: ObjectId): { readonly replicas: number; readonly ready: number };
  /** The owners that applied an object. */
  ownersOf(id: ObjectId): readonly string[];
  kindOf(manifest: Pick<WorkManifest, 'apiVersion' | 'kind'>): ManagedClusterKind | undefined;
}

interface ManagedClusterObject {
  readonly manifest: WorkManifest;
  readonly kind: ManagedClusterKind;
  /** The replicas on the cluster, which may have been changed there. */
  readonly replicas: number;
  readonly owners: readonly string[];
}

export function idOf({ apiVersion, kind, metadata: { namespace, name } }: WorkManifest): ObjectId {
  return `${groupOf({ apiVersion })}/${kind}/${namespace}/${name}`;
}

export function createManagedClusterSimulator(
  member: MemberCluster,
  kinds: readonly ManagedClusterKind[],
): ManagedClusterSimulator {
  const objects = new Map<ObjectId, ManagedClusterObject>();

  const kindOf = ({ apiVersion, kind }: Pick<WorkManifest, 'apiVersion' | 'kind'>) =>
    kinds.find((one) => one.apiVersion === apiVersion && one.kind === kind);

  function put(id: ObjectId, object: ManagedClusterObject, ready = 0): void {
    objects.set(id, object);
    const request = requirementsOf(object.manifest as Parameters<typeof requirementsOf>[0])?.resourceRequest;
    if (object.kind.scale !== undefined) member.want(id, { replicas: object.replicas, request }, ready);
  }

  function remove(id: ObjectId): void {
    objects.delete(id);
    member.want(id, { replicas: 0, request: undefined });
  }

  function letGo(id: ObjectId, owner: string): void {
    const object = objects.get(id);
    if (object) objects.set(id, { ...object, owners: object.owners.filter((one) => one !== owner) });
  }

  return {
    member,
    kindOf,
    apply(owner, manifest, { config, adopted }) {
      const kind = kindOf(manifest);
      if (kind === undefined) return `the server doesn't have a resource type "${manifest.kind}"`;
      const id = idOf(manifest);
      const existing = objects.get(id);
      const strategy = config?.updateStrategy?.type ?? 'Update';
      if (strategy === 'ReadOnly')
        return existing === undefined ? `${kind.resource} "${manifest.metadata.name}" not found` : undefined;
      const owners = [...new Set([...(existing?.owners ?? []), owner])];
      if (existing !== undefined && leavesAlone(existing, manifest, config)) {
        objects.set(id, { ...existing, owners });
        return undefined;
      }
      const path = kind.scale?.specReplicasPath;
      const asked = path === undefined ? 0 : numberAt(manifest, path);
      const own = adopted?.replicas ?? (keepsReplicas(config, path) ? existing?.replicas : undefined);
      put(id, { manifest, kind, owners, replicas: own ?? asked ?? existing?.replicas ?? 1 }, adopted?.ready);
      return undefined;
    },
    object(manifest) {
      const found = objects.get(idOf(manifest));
      return found && asServed(found, member.counts(idOf(manifest)));
    },
    prune(owner, kept) {
      const ids = new Set(kept.map(idOf));
      for (const [id, { owners }] of objects) {
        if (!owners.includes(owner) || ids.has(id)) continue;
        if (owners.length === 1) remove(id);
        else letGo(id, owner);
      }
    },
    orphan(owner) {
      for (const id of objects.keys()) letGo(id, owner);
    },
    scale(id, replicas) {
      const object = objects.get(id);
      if (object?.kind.scale === undefined) return false;
      put(id, { ...object, replicas });
      return true;
    },
    counts(id) {
      return { replicas: objects.get(id)?.replicas ?? 0, ready: member.counts(id).ready };
    },
    ownersOf: (id) => objects.get(id)?.owners ?? [],
  };
}

/** With ignored fields, an agent skips an object whose manifest is already applied, whatever its state. */
function leavesAlone(
  { manifest: before }: ManagedClusterObject,
  manifest: WorkManifest,
  config: ManifestConfig | undefined,
): boolean {
  const { type, serverSideApply } = config?.updateStrategy ?? {};
  if (type === 'CreateOnly') return true;
  const ignores = type === 'ServerSideApply' && (serverSideApply?.ignoreFields.length ?? 0) > 0;
  return ignores && JSON.stringify(before) === JSON.stringify(manifest);
}

function keepsReplicas(config: ManifestConfig | undefined, path: string | undefined): boolean {
  const ignored = config?.updateStrategy?.serverSideApply?.ignoreFields ?? [];
  return ignored.some(({ condition, jsonPaths }) => condition === 'OnSpokePresent' && jsonPaths.includes(path ?? ''));
}

/** As a Deployment's controller writes it: zero fields are omitted from the status. */
function asServed(
  { manifest, kind: { scale }, replicas }: ManagedClusterObject,
  pods: { replicas: number; ready: number },
): object {
  if (scale === undefined) return manifest;
  const scaled = withNumber(manifest, scale.specReplicasPath, replicas);
  const status = { ...(pods.replicas > 0 && { replicas: pods.replicas, updatedReplicas: pods.replicas }) };
  const available = pods.ready > 0 && { availableReplicas: pods.ready };
  const reported = { ...scaled, status: { ...status, ...available } };
  return pods.ready > 0 ? withNumber(reported, scale.readyReplicasPath, pods.ready) : reported;
}
