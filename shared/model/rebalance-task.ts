/**
 * The working memory of one WorkloadRebalancer: a task, and its workloads in chunks.
 * The hub's object is the truth; a lost task is rebuilt from it.
 */
import type { Instant } from './time.ts';
import type { ObservedWorkload } from './workload-rebalancer.ts';

/** A task is one object's: an object recreated under the same name has another uid and so another task. */
export interface TaskKey {
  readonly hub: string;
  readonly uid: string;
}

/**
 * `Running`: some trigger is still to be written. `Finished`: every workload has its result.
 * `Abandoned`: the object went away first; nothing more is written for it.
 */
export type TaskState = 'Running' | 'Finished' | 'Abandoned';

/** What is known of the scheduler's answer to our triggers: Successful says the trigger is written, this says whether it was acted on. */
export interface Rescheduling {
  /** `Waiting` until every binding was scheduled after its trigger, `Confirmed` then, `Overdue` when the scheduler did not act in time. */
  readonly state: 'Waiting' | 'Confirmed' | 'Overdue';
  readonly confirmed: number;
  /** Bindings still waiting, as "kind namespace/name", the first 20. */
  readonly waitingFor: readonly string[];
  readonly lookedAt: Instant;
}

export interface RebalanceTask extends TaskKey {
  readonly name: string;
  readonly creationTimestamp: Instant;
  readonly generation: number;
  /** Of the object as it was planned: no read for this plan need be newer. Absent in tasks of older versions. */
  readonly resourceVersion?: string;
  /** Names the plan that won this generation: chunks belong to a plan, so two planners at once can't mix theirs. */
  readonly plan: string;
  readonly state: TaskState;
  readonly ttlSecondsAfterFinished?: number;
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
  /** Since when the object has been told nothing new: its plan, or the last report. Absent in tasks of older versions. */
  readonly quietSince?: Instant;
  readonly rescheduling?: Rescheduling;
  readonly updatedAt: Instant;
  /** When DynamoDB may forget the task. */
  readonly expiresAt: Instant;
}

/** What the plan saw of a binding; the write is conditional on the resourceVersion, so an old sight costs one more read and nothing else. */
export interface SeenBinding {
  readonly resourceVersion: string;
  readonly rescheduleTriggeredAt?: Instant;
  readonly triggeredBy?: string;
  readonly isSigned?: true;
  readonly lastScheduledTime?: Instant;
  readonly schedulerName?: string;
}

export interface TaskWorkload extends ObservedWorkload {
  /** The time from which a rescheduling is wanted: the object's creation, or for a workload added later the time of that change. */
  readonly wantedSince: Instant;
  readonly seen?: SeenBinding;
  /** Why the result is what it is, in words; for people who ask later. */
  readonly why?: string;
}

/** About 100 workloads of a plan, in order: the unit of work, of retry and of fan-in. */
export interface Chunk {
  readonly task: TaskKey;
  readonly plan: string;
  /** 0-based. */
  readonly number: number;
  /** Counts the writes of this row; each write names the version it starts from. */
  readonly version: number;
  readonly workloads: readonly TaskWorkload[];
}

export interface Counts {
  readonly successful: number;
  readonly failed: number;
  readonly pending: number;
}

export function countResults(workloads: readonly ObservedWorkload[]): Counts {
  const successful = workloads.filter(({ result }) => result === 'Successful').length;
  const failed = workloads.filter(({ result }) => result === 'Failed').length;
  return { successful, failed, pending: workloads.length - successful - failed };
}

export function isResolved(workload: { readonly result?: string }): boolean {
  return workload.result !== undefined;
}

/** Whether these are all rows of the task. Rows go at the end of their time one by one, and the task's own may be the last of them. */
export function areWhole(chunks: readonly Chunk[], task: Pick<RebalanceTask, 'chunks'>): boolean {
  return chunks.length === task.chunks;
}

export function workloadsOf(chunks: readonly Chunk[]): readonly TaskWorkload[] {
  return [...chunks].sort((a, b) => a.number - b.number).flatMap((chunk) => chunk.workloads);
}
