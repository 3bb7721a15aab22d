/** Decides whether the state of a binding or of a cluster is recorded, and as which row. */
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { isWorkload } from '../../shared/karmada/placed-binding.ts';
import { readyIn } from '../../shared/karmada/readiness.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { isLaterVersion } from '../../shared/kubernetes/resource-version.ts';
import type { ClusterStateRow } from '../../shared/placement-history/cluster-row.ts';
import type { NewPlacement } from '../../shared/placement-history/history-store.ts';
import type { ObservedCluster } from '../../shared/placement-history/observed-cluster.ts';
import type { ObservedPlacement } from '../../shared/placement-history/observed-placement.ts';
import {
  causeOf,
  type KnownMover,
  marksOf,
  type PlacementChange,
} from '../../shared/placement-history/placement-cause.ts';
import {
  changedClusters,
  isSameReplicas,
  type PlacementMarks,
  type PlacementRow,
  replicasByCluster,
  rowTime,
} from '../../shared/placement-history/placement-row.ts';
import { followMove } from './lost-readiness.ts';

/** Ready replicas of one assignment get at most a row in this time: a rollout of 1,000 pods within a minute is six rows. The newest state is always in the last row. */
const READY_MS = 10 * SECOND;
/** A binding is new to its history if it was created at most so long before its first record. */
const CREATED_MS = 10 * 60 * SECOND;

/** The row to record, or why there is none. */
export type RecordStep =
  | {
      readonly step: 'Record';
      readonly placement: NewPlacement;
      readonly reason: string;
      readonly telemetry: readonly TelemetryEntry[];
    }
  | { readonly step: 'Skip'; readonly reason: string };

export interface RecordInput {
  readonly key: ObjectKey;
  /** Undefined: the binding does not exist. */
  readonly seen: ObservedPlacement | undefined;
  readonly now: Instant;
}

/** The change whose cause is to be found; undefined if the assignment is as in the last row, or the binding is new. */
export function changeOf(last: PlacementRow | undefined, { seen, now }: RecordInput): PlacementChange | undefined {
  if (last === undefined || seen === undefined || !continues(last, seen)) return undefined;
  const row = rowOf(seen, now);
  if (isSameReplicas(last.assigned, row.assigned) && last.total === row.total) return undefined;
  return { last, seen, marks: row.marks, at: row.at };
}

export function recordStep(last: PlacementRow | undefined, observed: RecordInput, known: KnownMover = {}): RecordStep {
  const { seen, now } = observed;
  if (seen === undefined) return afterDeletion(last, now);
  if (!isWorkload(seen.binding)) return skip('it has no replicas');
  const row = rowOf(seen, now);
  if (last === undefined || !continues(last, seen)) return record(firstRow(row, seen, last), 'its first row', last);
  if (isLaterVersion(last.lastVersion, row.version) === true) return skip('a newer state is recorded');
  const change = changeOf(last, observed);
  const at = Math.max(row.at, last.at);
  if (change !== undefined)
    return record({ ...row, at, cause: causeOf(change, known) }, 'its assignment changed', last);
  if (isSameReplicas(last.ready, row.ready)) return skip('no number changed');
  const marks = remaining(last.marks, row.marks);
  if (at - last.at >= READY_MS) return record({ ...row, at, marks }, 'its ready replicas changed', last);
  return record(
    { ...last, ready: row.ready, lastVersion: row.version, marks },
    'its ready replicas changed again',
    last,
  );
}

/** A trigger is not used up by a change of ready replicas, and a cluster may be evicted from again once its task is over. */
function remaining(before: PlacementMarks, now: PlacementMarks): PlacementMarks {
  const { evicted = [], ...marks } = before;
  const still = evicted.filter((cluster) => now.evicted?.includes(cluster));
  return { ...marks, ...(still.length > 0 && { evicted: still }) };
}

/** Whether the last row is of this binding, and not of a deleted one of its name. */
function continues({ uid, gone }: PlacementRow, { binding }: ObservedPlacement): boolean {
  return gone === undefined && uid === binding.metadata.uid;
}

function rowOf(seen: ObservedPlacement, now: Instant): PlacementRow {
  const { metadata, spec, status } = seen.binding;
  const assigned = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const { apiVersion, kind, namespace, name } = spec.resource;
  return {
    at: rowTime(seen.changedAt ?? now),
    version: metadata.resourceVersion,
    lastVersion: metadata.resourceVersion,
    binding: { namespace: metadata.namespace, name: metadata.name },
    uid: metadata.uid,
    workload: { apiVersion, kind, namespace, name },
    total: spec.replicas,
    assigned: replicasByCluster(assigned),
    ready: replicasByCluster(
      status.aggregatedStatus.map((report) => [
        report.clusterName,
        readyIn(report, assigned.get(report.clusterName) ?? 0),
      ]),
    ),
    marks: marksOf(seen),
  };
}

/** A binding that existed long before its first record had an assignment that is not known. */
function firstRow(
  row: PlacementRow,
  { createdAt = 0 }: ObservedPlacement,
  last: PlacementRow | undefined,
): PlacementRow {
  const isNew = last !== undefined || row.at - createdAt <= CREATED_MS;
  return { ...row, at: Math.max(row.at, last?.at ?? 0), cause: { by: isNew ? 'Created' : 'FirstRecord' } };
}

/** The time of the observation: a deleted object has none. */
function afterDeletion(last: PlacementRow | undefined, now: Instant): RecordStep {
  if (last === undefined) return skip('the binding is gone, and has no history');
  if (last.gone) return skip('its end is recorded');
  const version = afterVersion(last.lastVersion);
  const { binding, uid, workload } = last;
  const at = Math.max(rowTime(now), last.at);
  const end = {
    at,
    version,
    lastVersion: version,
    binding,
    uid,
    workload,
    total: 0,
    assigned: {},
    ready: {},
    marks: {},
  };
  return record({ ...end, cause: { by: 'Deleted' }, gone: true }, 'the binding is gone', last);
}

/** So that the end is after the last row, which may be of the same second. */
function afterVersion(version: string): string {
  return /^\d+$/.test(version) ? String(BigInt(version) + 1n) : version;
}

function record(next: PlacementRow, reason: string, last: PlacementRow | undefined): RecordStep {
  const { row, telemetry } = followMove(last, next);
  return { step: 'Record', placement: { row, moves: movesOf(row, last) }, reason, telemetry };
}

function skip(reason: string): RecordStep {
  return { step: 'Skip', reason };
}

/** For the history of each cluster whose number changed. A first record shows no move, and a deletion moves all away. */
function movesOf(row: PlacementRow, last: PlacementRow | undefined): NewPlacement['moves'] {
  const { at, version, binding, workload, cause } = row;
  if (cause?.by === 'FirstRecord' || row.version === last?.version) return [];
  const before = last === undefined || last.gone ? {} : last.assigned;
  return changedClusters(before, row.assigned).map((change) => ({
    ...{ at, version, binding, workload, ...change },
    ...(cause && { cause }),
  }));
}

/** Of a cluster that is gone the state alone is known. */
export function clusterStep(
  last: ClusterStateRow | undefined,
  { name, seen, now }: { readonly name: string; readonly seen: ObservedCluster | undefined; readonly now: Instant },
): { readonly row?: ClusterStateRow; readonly reason: string } {
  if (seen === undefined) {
    if (last === undefined || last.state === 'Gone') return { reason: 'the cluster is gone, and its end is recorded' };
    const at = Math.max(rowTime(now), last.at);
    return {
      row: { at, version: afterVersion(last.version), cluster: name, state: 'Gone', taints: [] },
      reason: 'gone',
    };
  }
  if (last !== undefined && isLaterVersion(last.version, seen.version) === true)
    return { reason: 'a newer state is recorded' };
  const { state, taints, version, why, capacity } = seen;
  if (last?.state === state && last.taints.join() === taints.join()) return { reason: `it is ${state} as before` };
  const at = Math.max(rowTime(seen.changedAt ?? now), last?.at ?? 0);
  const row = {
    at,
    version,
    cluster: name,
    state,
    taints,
    ...(why !== undefined && { why }),
    ...(capacity && { capacity }),
  };
  return { row, reason: `it is ${state}` };
}
