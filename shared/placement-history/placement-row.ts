/** One recorded state of a workload's placement, and the moves that follow from two of them. */
import { type Instant, wholeSecond } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';

/** Replicas by cluster; a cluster without replicas is left out. */
export type PlacedReplicas = Readonly<Record<string, number>>;

/**
 * What changed the assignment or the total.
 * - `WorkloadRebalancer`, `RebalancePolicy`, `ClusterDrain`: the trigger or the move of one; a policy's and a drain's rebalancer is in `why`.
 * - `Descheduler`: ours or Karmada's. `Eviction`: a taint, or the failover of an application.
 * - `Scheduler`: by its own rules, for example after a change of the placement.
 * - `User`: scaled the workload, or wrote the trigger or the assignment with a client of its own.
 * - `Created`, `Deleted`: the binding. `FirstRecord`: the binding is older than its history.
 */
export const causes = [
  'WorkloadRebalancer',
  'RebalancePolicy',
  'ClusterDrain',
  'Descheduler',
  'Eviction',
  'Scheduler',
  'User',
  'Created',
  'Deleted',
  'FirstRecord',
] as const;

export interface PlacementCause {
  readonly by: (typeof causes)[number];
  /** Of the object, the client or the run. */
  readonly name?: string;
  /** In words. */
  readonly why?: string;
}

/** What Evenkeel and Karmada write with a move; compared with that of the next observation. */
export interface PlacementMarks {
  readonly triggeredAt?: Instant;
  readonly assignedAt?: string;
  readonly descheduledAt?: string;
  readonly unschedulableMovedBy?: string;
  /** Clusters that are evicted from. */
  readonly evicted?: readonly string[];
}

export interface OpenMove {
  /** Ready replicas before it. */
  readonly ready: number;
  /** Ready-seconds lost until the row: replicas fewer than before, times seconds. */
  readonly lostSeconds: number;
}

export interface PlacementRow {
  /** Time of the hub's write, or of the observation if the hub has no time of it. */
  readonly at: Instant;
  /** resourceVersion with which the row begins: `at` and `version` are its key. */
  readonly version: string;
  /** resourceVersion of the newest state in it. */
  readonly lastVersion: string;
  readonly binding: ObjectKey;
  /** Of the binding: one that is created again has another. */
  readonly uid: string;
  readonly workload: ObjectReference;
  readonly total: number;
  readonly assigned: PlacedReplicas;
  readonly ready: PlacedReplicas;
  /** Absent for a change of ready replicas only. */
  readonly cause?: PlacementCause;
  readonly marks: PlacementMarks;
  /** A move by Evenkeel after which fewer replicas are ready than before. */
  readonly openMove?: OpenMove;
  /** The binding was deleted. */
  readonly gone?: true;
}

/** The change of one workload on one cluster. */
export interface ClusterMove {
  readonly at: Instant;
  readonly version: string;
  readonly binding: ObjectKey;
  readonly workload: ObjectReference;
  readonly cluster: string;
  readonly from: number;
  readonly to: number;
  readonly cause?: PlacementCause;
}

/** Replicas without zeros, in the order of the names, so that equal ones have equal JSON. */
export function replicasByCluster(pairs: Iterable<readonly [string, number]>): PlacedReplicas {
  return Object.fromEntries([...pairs].filter(([, replicas]) => replicas > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function isSameReplicas(a: PlacedReplicas, b: PlacedReplicas): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => replicasIn(a, name) === replicasIn(b, name));
}

/** Clusters whose number differs, by name. */
export function changedClusters(
  before: PlacedReplicas,
  after: PlacedReplicas,
): readonly { readonly cluster: string; readonly from: number; readonly to: number }[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((cluster) => ({ cluster, from: replicasIn(before, cluster), to: replicasIn(after, cluster) }))
    .filter(({ from, to }) => from !== to);
}

function replicasIn(replicas: PlacedReplicas, cluster: string): number {
  return Object.hasOwn(replicas, cluster) ? (replicas[cluster] ?? 0) : 0;
}

/** The hub's times have whole seconds, and so have the keys of rows. */
export function rowTime(at: Instant): Instant {
  return wholeSecond(at);
}
