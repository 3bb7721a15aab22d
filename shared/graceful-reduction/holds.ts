/** The queue of a binding's held reductions, and the Karmada fields derived from it. The admission rules derive the same in a write. */

import { isSameJson } from '../core/same-json.ts';
import { toTimestamp } from '../core/time.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import {
  QUEUE,
  queueOf,
  RELEASED_FOR,
  REQUIRED_BY,
  type ReplicaReductionQueue,
  taskText,
} from './replica-reduction.ts';

type Requirement = NonNullable<PlacedBinding['spec']['requiredBy']>[number];

/** Clusters whose dispatching another client suspended. */
export function suspendedByOthers(binding: PlacedBinding): readonly string[] {
  const ours = queueOf(binding);
  return suspendedIn(binding).filter((name) => !(ours.has(name) && isAssigned(binding, name)));
}

function suspendedIn({ spec }: PlacedBinding): readonly string[] {
  return spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
}

function isAssigned({ spec }: PlacedBinding, cluster: string): boolean {
  return spec.clusters.some(({ name }) => name === cluster);
}

export function assignedTo({ spec }: PlacedBinding, cluster: string): number {
  return spec.clusters.find(({ name }) => name === cluster)?.replicas ?? 0;
}

/** A merge patch, without a resourceVersion; null removes an annotation. */
export interface QueuePatch {
  readonly metadata?: { readonly annotations: Readonly<Record<string, string | null>> };
  readonly spec?: object;
}

/** The patch after which exactly these reductions are held; undefined if nothing changes. */
export function queuePatch(binding: PlacedBinding, next: ReplicaReductionQueue): QueuePatch | undefined {
  const annotations = annotationsOf(binding, next);
  const spec = { ...requirementPatch(binding, next), ...suspensionPatch(binding, next) };
  const changes = {
    ...(Object.keys(annotations).length > 0 && { metadata: { annotations } }),
    ...(Object.keys(spec).length > 0 && { spec }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function annotationsOf(binding: PlacedBinding, next: ReplicaReductionQueue): Record<string, string | null> {
  const { annotations } = binding.metadata;
  const entries = [...next].map(([cluster, task]) => [`${QUEUE}${cluster}`, taskText(task)] as const);
  const released = [...queueOf(binding).keys()].filter((cluster) => !next.has(cluster));
  const { lastScheduledTime } = binding.status;
  return {
    ...Object.fromEntries(entries.filter(([name, text]) => annotations[name] !== text)),
    ...Object.fromEntries(released.map((cluster) => [`${QUEUE}${cluster}`, null])),
    ...(released.length > 0 && lastScheduledTime != null && { [RELEASED_FOR]: toTimestamp(lastScheduledTime) }),
  };
}

/** The same as a conditional write on the version that was read. */
export function onVersion({ metadata }: PlacedBinding, patch: QueuePatch): object {
  return { ...patch, metadata: { ...patch.metadata, resourceVersion: metadata.resourceVersion } };
}

/** A cluster that is no longer assigned keeps its Work, at this size, while spec.requiredBy lists it. */
function requirementPatch(binding: PlacedBinding, next: ReplicaReductionQueue): object {
  const before = binding.spec.requiredBy ?? [];
  const isOurs = ({ namespace, name }: Requirement) => namespace === REQUIRED_BY.namespace && name === REQUIRED_BY.name;
  const clusters = [...next]
    .filter(([name]) => !isAssigned(binding, name))
    .map(([name, { replicas }]) => ({ name, replicas }));
  const wanted = clusters.length === 0 ? [] : [{ ...REQUIRED_BY, clusters }];
  if (isSameJson(before.filter(isOurs).map(inOrder), wanted)) return {};
  const all = [...before.filter((line) => !isOurs(line)), ...wanted];
  return { requiredBy: all.length === 0 ? null : all };
}

/** The admission rules write it unordered. */
function inOrder(line: Requirement): Requirement {
  return { ...line, clusters: [...(line.clusters ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Karmada does not dispatch to an assigned cluster whose replicas are held. */
function suspensionPatch(binding: PlacedBinding, next: ReplicaReductionQueue): object {
  const before = suspendedIn(binding);
  const toSuspend = [...next.keys()].filter((cluster) => isAssigned(binding, cluster));
  const others = suspendedByOthers(binding);
  const names = [
    ...before.filter((name) => others.includes(name) || toSuspend.includes(name)),
    ...toSuspend.filter((name) => !before.includes(name)),
  ];
  if (isSameJson(names, before)) return {};
  return { suspension: { dispatchingOnClusters: names.length === 0 ? null : { clusterNames: names } } };
}
