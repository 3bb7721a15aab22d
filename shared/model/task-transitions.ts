/**
 * Every change of a task's state, as data: the states it may start from and what else must hold. The store makes its
 * condition from this table, so that a write that lost a race changes nothing.
 */
import type { RebalanceTask, TaskState } from './rebalance-task.ts';

export interface Transition {
  /** States the task may be in; `none`: there is no task yet. */
  readonly from: readonly (TaskState | 'none')[];
  /** The plan it was decided on must still be the task's. */
  readonly samePlan: boolean;
  /** No chunk may be pending. */
  readonly allChunksDone: boolean;
}

export const transitions = {
  /** A generation is planned for the first time, or anew after an edit; also after `Abandoned`, should the hub show the object again. */
  plan: { from: ['none', 'Running', 'Finished', 'Abandoned'], samePlan: false, allChunksDone: false },
  completeChunk: { from: ['Running'], samePlan: true, allChunksDone: false },
  finish: { from: ['Running'], samePlan: true, allChunksDone: true },
  abandon: { from: ['Running', 'Finished'], samePlan: true, allChunksDone: false },
  markReported: { from: ['Running', 'Finished'], samePlan: true, allChunksDone: false },
  markRescheduling: { from: ['Finished', 'Abandoned'], samePlan: true, allChunksDone: true },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Whether `task` may make the transition, decided on `plan`: what the store's condition says, for readers that hold the task already. */
export function mayTransition(name: TransitionName, task: RebalanceTask | undefined, plan: string): boolean {
  const { from, samePlan, allChunksDone }: Transition = transitions[name];
  if (!from.includes(task?.state ?? 'none')) return false;
  if (samePlan && task?.plan !== plan) return false;
  return !(allChunksDone && (task?.pendingChunks.length ?? 0) > 0);
}
