/**
 * Stored state of one WorkloadRebalancer: a task, and its workloads in chunks.
 * The object on the hub is the source of truth; a lost task is rebuilt from it.
 */

import { digest } from '../core/digest.ts';
import type { Instant } from '../core/time.ts';
import type { TriggerSignature } from '../karmada/binding.ts';
import type { TriggerState } from '../karmada/trigger-state.ts';
import {
  compareReferences,
  distinctReferences,
  type ObjectReference,
  referenceKey,
} from '../kubernetes/object-reference.ts';
import type { AssignedReplicas, DrainShare, ObservedWorkload, WorkloadRebalancer } from './workload-rebalancer.ts';

/** A task belongs to one object: an object recreated under the same name has another uid and so another task. */
export interface TaskKey {
  readonly hub: string;
  readonly uid: string;
}

/**
 * `Running`: some triggers are not written yet. `Finished`: every workload has its result.
 * `Abandoned`: the object was deleted first; nothing more is written for it.
 */
export type TaskState = 'Running' | 'Finished' | 'Abandoned';

/** Whether the scheduler acted on our triggers. The result Successful only means that the trigger is written. */
export interface Rescheduling {
  /** `Waiting` while triggers wait for the scheduler, then `Confirmed`; `Overdue` if the scheduler did not act in time. */
  readonly state: 'Waiting' | 'Confirmed' | 'Overdue';
  /** Triggers on which the scheduler has acted. */
  readonly confirmed: number;
  /** Bindings that were deleted after their trigger was written. Absent in tasks of older versions, which count them as confirmed. */
  readonly gone?: number;
  /** What the next check has to read. Absent in tasks of older versions: all. */
  readonly open?: OpenChecks;
  /** Bindings still waiting, as "kind namespace/name", the first 20. */
  readonly waitingFor: readonly string[];
  readonly checkedAt: Instant;
}

/** Indexes in the list of the task's successful workloads. Confirmed and deleted ones are not read again. */
export interface OpenChecks {
  /** Read, and their triggers wait for the scheduler. */
  readonly waiting: readonly number[];
  /** Not read before an invocation's time ended. The next check reads them first. */
  readonly unread: readonly number[];
}

export interface RebalanceTask extends TaskKey {
  readonly name: string;
  readonly creationTimestamp: Instant;
  readonly generation: number;
  /** Digest of the planned list of workloads. Absent in tasks of older versions. */
  readonly listDigest?: string;
  /** Of the planned object: reads for this plan need not be newer. Absent in tasks of older versions. */
  readonly resourceVersion?: string;
  /** Of the object at the plan or after the last report, if it did not show the finish of this generation: the next report needs no read. */
  readonly statusVersion?: string;
  /** Identifies the plan that won this generation: chunks belong to a plan, so two concurrent planners can't mix theirs. */
  readonly plan: string;
  readonly state: TaskState;
  readonly ttlSecondsAfterFinished?: number;
  /** Whether no trigger is written, and only unschedulable replicas move. */
  readonly preservesAvailable?: true;
  /** The cluster whose replicas alone are moved, without a trigger. */
  readonly drains?: string;
  /** The part of them that is moved; absent: all. */
  readonly share?: DrainShare;
  /** Whether its workloads get given assignments, without a trigger. */
  readonly assigns?: true;
  /** Whether it is a wave of a RebalancePolicy or ClusterDrain. */
  readonly ofPolicy?: true;
  readonly workloads: number;
  /** Results in the chunks that are done. */
  readonly successful: number;
  readonly failed: number;
  readonly chunks: number;
  /** Numbers of the chunks in which a workload still has no result. */
  readonly pendingChunks: readonly number[];
  readonly finishTime?: Instant;
  /** How many chunks were pending when the object's status was last written; absent before the first time. */
  readonly reportedPending?: number;
  /** Time of the last write to the object: its plan, or the last report. Absent in tasks of older versions. */
  readonly quietSince?: Instant;
  readonly rescheduling?: Rescheduling;
  /** Of its plan, if traces are exported. */
  readonly traceId?: string;
  readonly updatedAt: Instant;
  /** DynamoDB TTL of the task. */
  readonly expiresAt: Instant;
}

/** The binding as the plan observed it. The write is conditional on the resourceVersion, so an outdated observation only costs one more read. */
export interface SeenBinding extends TriggerState {
  readonly resourceVersion: string;
  readonly signature?: TriggerSignature;
  readonly schedulerName?: string;
  /** spec.schedulePriority, if it is not 0. */
  readonly priority?: number;
  /** The object of which the binding is, if it is another one than the workload. */
  readonly resource?: ObjectReference;
}

/** A trigger that was delayed until one second has passed on the scheduler's side, whatever time it uses. */
export interface HeldTrigger {
  /** By our time, which only measures the second. */
  readonly until: Instant;
  readonly times: number;
  /** The binding's lastScheduledTime when it was held. */
  readonly lastScheduledTime?: Instant;
}

export interface TaskWorkload extends ObservedWorkload {
  /** The time from which a rescheduling is requested: the object's creation, or for a workload added later the time of that change. */
  readonly wantedSince: Instant;
  /** The object's resourceVersion when the workload was first planned. Absent in rows of older versions, and where the task was lost. */
  readonly wantedVersion?: string;
  readonly seen?: SeenBinding;
  readonly held?: HeldTrigger;
  /** The assignment that it gets, if its rebalancer gives assignments and has one for it. */
  readonly assignment?: AssignedReplicas;
  /** Explanation of the result, for display. */
  readonly why?: string;
}

export interface TaskWithWorkloads {
  readonly task: RebalanceTask;
  /** In the order of the object's status. */
  readonly workloads: readonly TaskWorkload[];
}

/** About 100 workloads of a plan: the unit of processing, retry and fan-in. */
export interface Chunk {
  readonly task: TaskKey;
  readonly plan: string;
  /** 0-based. */
  readonly number: number;
  /** Counts the writes of this row; each write names the version it starts from. */
  readonly version: number;
  readonly workloads: readonly TaskWorkload[];
}

/** A digest of a list of workloads, whatever its order. */
export function listDigestOf(workloads: readonly ObjectReference[]): string {
  return digest(distinctReferences(workloads).map(referenceKey).sort().join('\n'));
}

/**
 * Whether the task was planned from this spec. The generation alone does not show it: a hub that was restored from a backup counts its
 * generations again from the backup's, so an edit before the restore and another one after it may have the same number.
 */
export function isPlanOf(
  { generation, listDigest }: Pick<RebalanceTask, 'generation' | 'listDigest'>,
  object: Pick<WorkloadRebalancer, 'generation' | 'workloads'>,
): boolean {
  if (generation !== object.generation) return false;
  return listDigest === undefined || listDigest === listDigestOf(object.workloads);
}

export interface TaskCounts {
  readonly successful: number;
  readonly failed: number;
  readonly pending: number;
}

export function countResults(workloads: readonly ObservedWorkload[]): TaskCounts {
  const successful = workloads.filter(({ result }) => result === 'Successful').length;
  const failed = workloads.filter(({ result }) => result === 'Failed').length;
  return { successful, failed, pending: workloads.length - successful - failed };
}

export function isResolved(workload: { readonly result?: string }): boolean {
  return workload.result !== undefined;
}

/** Whether these are all rows of the task. DynamoDB expires rows one by one, and the task's own may be the last. */
export function areWhole(chunks: readonly Chunk[], task: Pick<RebalanceTask, 'chunks'>): boolean {
  return chunks.length === task.chunks;
}

/** In the order of the object's status, whatever the chunks' order is. */
export function workloadsOf(chunks: readonly Chunk[]): readonly TaskWorkload[] {
  const workloads = chunks.flatMap((chunk) => chunk.workloads);
  return workloads.sort((a, b) => compareReferences(a.workload, b.workload));
}
