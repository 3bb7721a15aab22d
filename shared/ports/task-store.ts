/** Task state: one table. Every write is conditional on the transition it makes (shared/model/task-transitions.ts). */
import type { Chunk, RebalanceTask, Rescheduling, TaskKey } from '../model/rebalance-task.ts';
import type { Instant } from '../model/time.ts';

/**
 * What became of a conditional write. `done`: it is in, and this is the task now. `already`: the task shows that this
 * very step was taken before (a redelivery). `stale`: the task moved on, or is gone; the decision no longer holds.
 */
export type Committed =
  | { readonly verdict: 'done'; readonly task: RebalanceTask }
  | { readonly verdict: 'already'; readonly task: RebalanceTask }
  | { readonly verdict: 'stale'; readonly task: RebalanceTask | undefined };

export interface Completion {
  readonly number: number;
  readonly successful: number;
  readonly failed: number;
}

/** The task a decision was made on. */
export interface AtPlan extends TaskKey {
  readonly plan: string;
}

/** A task as a list shows it. */
export type TaskSight = Pick<
  RebalanceTask,
  'hub' | 'uid' | 'name' | 'generation' | 'state' | 'workloads' | 'successful' | 'failed' | 'updatedAt' | 'finishTime'
>;

export interface TaskStore {
  /** At most `limit` of a hub, the one that changed last first; for people only, since it may be a second or two behind. */
  recent(hub: string, limit: number): Promise<readonly TaskSight[]>;
  /** Reads are strongly consistent. */
  readTask(key: TaskKey): Promise<RebalanceTask | undefined>;
  readChunk(at: AtPlan, number: number): Promise<Chunk | undefined>;
  /** All chunks of a plan, by number. */
  readChunks(at: AtPlan): Promise<readonly Chunk[]>;
  /** Writes the rows of a plan that is not committed yet; nobody reads them before commitPlan names the plan. */
  writeChunks(chunks: readonly Chunk[], expiresAt: Instant): Promise<void>;
  /** Makes `task` the task, if the stored one is still of plan `replaces` (undefined: there is none). */
  commitPlan(task: RebalanceTask, replaces: string | undefined): Promise<Committed>;
  /** Replaces a chunk's row, if it still is of `chunk.version`; the row is then of the next version. False: somebody wrote first. */
  saveChunk(chunk: Chunk): Promise<boolean>;
  /** Takes the chunk out of pendingChunks and adds its counts, once. */
  completeChunk(at: AtPlan, completion: Completion, now: Instant): Promise<Committed>;
  finish(at: AtPlan, finishTime: Instant): Promise<Committed>;
  abandon(at: AtPlan, now: Instant): Promise<Committed>;
  markReported(at: AtPlan, pending: number, now: Instant): Promise<Committed>;
  markRescheduling(at: AtPlan, rescheduling: Rescheduling): Promise<Committed>;
}
