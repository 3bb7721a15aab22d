/** Decides for the workloads of a rebalancer without triggers which of them move, and collects their results. */
import type { ItemResult } from '../../shared/core/each-at-once.ts';
import type { Fault } from '../../shared/core/fault.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import type { TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { assignStep } from './assign-workload.ts';
import { drainStep } from './drain-workload.ts';
import { afterMove, type Move, type MoveInput, type MoveOutcome, type MoveStep } from './moves.ts';
import { preserveStep } from './preserve-available.ts';
import type { TriggerResults } from './trigger-bindings.ts';

export function nextMove(input: MoveInput, clusters: readonly Cluster[]): MoveStep {
  const { drains, assigns } = input.task;
  if (assigns) return assignStep(input, clusters);
  return drains === undefined ? preserveStep(input, clusters) : drainStep(input, drains, clusters);
}

type StepResult = ItemResult<TaskWorkload, MoveStep>;

/** A move with its outcome, or why it could not be written. */
type MovedResult = MoveOutcome & { readonly item: Move; readonly fault?: Fault };

export function movesOf(steps: readonly StepResult[]): readonly Move[] {
  return steps.flatMap(({ value }) => (value?.step === 'Move' ? [value.move] : []));
}

/** `moved`: what became of the moves. */
export function resultsOf(steps: readonly StepResult[], moved: readonly MovedResult[]): TriggerResults {
  return {
    triggered: [
      ...steps.flatMap(({ value }) => (value?.step === 'Done' ? [value.triggered] : [])),
      ...moved.flatMap(({ item, fault, ...written }) => (fault === undefined ? [afterMove(item, written)] : [])),
    ],
    faults: [...steps, ...moved].flatMap(({ fault }) => (fault === undefined ? [] : [fault])),
  };
}
