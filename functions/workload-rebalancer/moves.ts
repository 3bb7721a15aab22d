/** What becomes of a workload some of whose replicas are moved without a trigger: for unschedulable replicas, and for those of a drained cluster. */

import { whyMoving } from '../../shared/descheduling/descheduling-candidate.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { whyDue } from '../../shared/karmada/assignment/why-due.ts';
import { bindingOf, type PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { BindingToAssign } from '../../shared/scheduler/decide-assignments.ts';
import { seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import type { RebalanceTask, TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { RebalanceFailedReason } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { afterTrigger, bindingFailure, type Triggered } from './trigger-bindings.ts';

/** A binding some of whose replicas are to move, and its workload. */
export interface Move extends BindingToAssign {
  readonly workload: TaskWorkload;
  /** "its unschedulable replicas". */
  readonly what: string;
}

/** What follows for a workload: its result, a query to the estimators of its binding's clusters, or the move. */
export type MoveStep =
  | { readonly step: 'Done'; readonly triggered: Triggered }
  | { readonly step: 'Ask'; readonly binding: PlacedBinding }
  | { readonly step: 'Move'; readonly move: Move };

/** A workload of a task, and what was read for it. */
export interface MoveInput {
  readonly task: Pick<RebalanceTask, 'name' | 'uid' | 'drains' | 'share' | 'assigns'>;
  readonly workload: TaskWorkload;
  readonly binding: PlacedBinding | undefined;
}

/** The result of a workload without a binding of its own; undefined if it has one. */
export function withoutBinding({ workload, binding }: MoveInput): Done | undefined {
  const failure = bindingFailure(workload, binding && seenBinding(bindingOf(binding), workload.workload));
  return failure && { step: 'Done', triggered: { workload: failure } };
}

export interface MoveOutcome {
  readonly isWritten: boolean;
  readonly assigned: readonly unknown[];
  readonly reason: string;
}

/** A binding that was deleted under the write is missing. */
export function afterMove({ workload, binding, what }: Move, { isWritten, assigned, reason }: MoveOutcome): Triggered {
  if (assigned.length === 0) return failed(workload, 'InsufficientCapacity', reason).triggered;
  const { triggered } = succeeded(workload, `${what} moved: ${reason}`, binding);
  return afterTrigger(isWritten ? 'done' : 'missing', triggered);
}

/** Why a binding's last change is not over: a scheduler that is about to assign it would assign what this moves. */
export function whyOpen(binding: PlacedBinding, clusters: readonly Cluster[]): string | undefined {
  const [task] = binding.spec.gracefulEvictionTasks ?? [];
  if (task !== undefined) return `cluster ${task.fromCluster} is giving up replicas`;
  return whyMoving(binding) ?? whyDue(binding, clusters);
}

type Done = Extract<MoveStep, { readonly step: 'Done' }>;

/** With `moved`, its scheduler has a new generation to observe. */
export function succeeded({ workload, wantedSince }: TaskWorkload, why: string, moved?: PlacedBinding): Done {
  const seen = moved && seenBinding(bindingOf(moved), workload);
  return {
    step: 'Done',
    triggered: { workload: { workload, wantedSince, result: 'Successful', why }, ...(seen && { seen }) },
  };
}

export function failed({ workload, wantedSince }: TaskWorkload, reason: RebalanceFailedReason, why: string): Done {
  return {
    step: 'Done',
    triggered: { workload: { workload, wantedSince, result: 'Failed', reason, why: `not moved: ${why}` } },
  };
}
