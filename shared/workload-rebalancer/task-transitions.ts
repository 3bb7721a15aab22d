/**
 * All state transitions of a task, as data: the allowed source states and other preconditions. The store derives its
 * write condition from this table, so that a write that lost a race changes nothing.
 */
import type { RebalanceTask, TaskState } from './rebalance-task.ts';

export interface Transition {
  /** States the task may be in; `none`: no task exists. */
  readonly from: readonly (TaskState | 'none')[];
  /** The plan of the decision must still be the task's. */
  readonly samePlan: boolean;
  /** No chunk may be pending. */
  readonly allChunksDone: boolean;
}

export const transitions = {
  /** A generation is planned for the first time, or again after an edit; also after `Abandoned`, if the object exists again on the hub. */
  plan: { from: ['none', 'Running', 'Finished', 'Abandoned'], samePlan: false, allChunksDone: false },
  completeChunk: { from: ['Running'], samePlan: true, allChunksDone: false },
  finish: { from: ['Running'], samePlan: true, allChunksDone: true },
  abandon: { from: ['Running', 'Finished'], samePlan: true, allChunksDone: false },
  /** A chunk is partly done: the object's status is due for an update, and the task made progress. */
  markProgressed: { from: ['Running'], samePlan: true, allChunksDone: false },
  markReported: { from: ['Running', 'Finished'], samePlan: true, allChunksDone: false },
  markRescheduling: { from: ['Finished', 'Abandoned'], samePlan: true, allChunksDone: true },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Whether `task` may make the transition, decided on `plan`: the store's condition, for callers that have already read the task. */
export function mayTransition(name: TransitionName, task: RebalanceTask | undefined, plan: string): boolean {
  const { from, samePlan, allChunksDone }: Transition = transitions[name];
  if (!from.includes(task?.state ?? 'none')) return false;
  if (samePlan && task?.plan !== plan) return false;
  return !(allChunksDone && (task?.pendingChunks.length ?? 0) > 0);
}
