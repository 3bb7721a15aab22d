/** Task state: one table. Every write is conditional on the transition it makes (shared/workload-rebalancer/task-transitions.ts). */

import type { Instant } from '../core/time.ts';
import type { Chunk, RebalanceTask, Rescheduling, TaskKey } from './rebalance-task.ts';

/**
 * The result of a conditional write. `done`: it succeeded, and this is the new task. `already`: the task shows that this
 * step was already taken (a redelivery). `stale`: the task changed, or is deleted; the decision no longer holds.
 */
export type Committed =
  | { readonly result: 'done'; readonly task: RebalanceTask }
  | { readonly result: 'already'; readonly task: RebalanceTask }
  | { readonly result: 'stale'; readonly task: RebalanceTask | undefined };

export interface Completion {
  readonly number: number;
  readonly successful: number;
  readonly failed: number;
}

/** The task and plan of a decision. */
export interface AtPlan extends TaskKey {
  readonly plan: string;
}

/** A status that was written to the object. */
export interface Report {
  /** Chunks that were pending in it. */
  readonly pending: number;
  /** The object's resourceVersion after the write, if a later report may be conditional on it. */
  readonly statusVersion: string | undefined;
}

/** A task in a list. */
export type TaskRow = Pick<
  RebalanceTask,
  'hub' | 'uid' | 'name' | 'generation' | 'state' | 'workloads' | 'successful' | 'failed' | 'updatedAt' | 'finishTime'
>;

/** Names are searched in so many of `recent`. */
export const RECENT_TASKS = 500;

export interface TaskStore {
  /** When a hub's last complete comparison with its tasks began; undefined if there was none. Never goes back. */
  comparedAt(hub: string): Promise<Instant | undefined>;
  markCompared(hub: string, at: Instant): Promise<void>;
  /** At most `limit` of a hub, most recently changed first; only for display, because it may be a second or two behind. */
  recent(hub: string, limit: number): Promise<readonly TaskRow[]>;
  /** Reads are strongly consistent. */
  readTask(key: TaskKey): Promise<RebalanceTask | undefined>;
  readChunk(at: AtPlan, number: number): Promise<Chunk | undefined>;
  /** All chunks of a plan, by number. */
  readChunks(at: AtPlan): Promise<readonly Chunk[]>;
  /** Writes the rows of an uncommitted plan; they are read only after commitPlan. */
  writeChunks(chunks: readonly Chunk[], expiresAt: Instant): Promise<void>;
  /** Stores `task` if the stored one is still of plan `replaces` (undefined: there is none). */
  commitPlan(task: RebalanceTask, replaces: string | undefined): Promise<Committed>;
  /** Replaces a chunk's row if it still has `chunk.version`, and increments the version. False: another delivery wrote first. */
  saveChunk(chunk: Chunk): Promise<boolean>;
  /** Removes the chunk from pendingChunks and adds its counts, once. */
  completeChunk(at: AtPlan, completion: Completion, now: Instant): Promise<Committed>;
  /** Resets the reported progress, so that the next progress is reported; for partly completed chunks, which no count shows. */
  markProgressed(at: AtPlan, now: Instant): Promise<Committed>;
  finish(at: AtPlan, finishTime: Instant): Promise<Committed>;
  abandon(at: AtPlan, now: Instant): Promise<Committed>;
  markReported(at: AtPlan, report: Report, now: Instant): Promise<Committed>;
  markRescheduling(at: AtPlan, rescheduling: Rescheduling): Promise<Committed>;
}
