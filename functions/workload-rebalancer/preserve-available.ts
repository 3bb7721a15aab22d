/** Decides for a rebalancer that preserves available replicas what becomes of a workload: its unschedulable replicas move, all others stay. */
import { toTimestamp } from '../../shared/core/time.ts';
import { type EstimatorAnswers, readAssigned } from '../../shared/descheduling/cluster-readings.ts';
import { undesiredClusters, whyMoving, whyNotMovable } from '../../shared/descheduling/descheduling-candidate.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { whyDue } from '../../shared/karmada/assignment/why-due.ts';
import { bindingOf, type PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { BindingToAssign } from '../../shared/scheduler/decide-assignments.ts';
import { seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import type { RebalanceTask, TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { RebalanceFailedReason } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { afterTrigger, bindingFailure, type Triggered, triggerAuthor } from './trigger-bindings.ts';

/** "<name>/<uid> <requested time>" of the rebalancer that moved the binding's unschedulable replicas: a redelivery moves no more. */
const UNSCHEDULABLE_MOVED_BY = 'evenkeel.dev/unschedulable-moved-by';

/** A binding whose unschedulable replicas are to move, and its workload. */
export interface PreservingMove extends BindingToAssign {
  readonly workload: TaskWorkload;
}

/** What follows for a workload: its result, a query to the estimators of its binding's clusters, or the move. */
export type PreserveStep =
  | { readonly step: 'Done'; readonly triggered: Triggered }
  | { readonly step: 'Ask'; readonly binding: PlacedBinding }
  | { readonly step: 'Move'; readonly move: PreservingMove };

/** A workload of a task, and what was read for it. */
export interface PreserveInput {
  readonly task: Pick<RebalanceTask, 'name' | 'uid'>;
  readonly workload: TaskWorkload;
  readonly binding: PlacedBinding | undefined;
}

export function preserveStep({ task, workload, binding }: PreserveInput, clusters: readonly Cluster[]): PreserveStep {
  const failure = bindingFailure(workload, binding && seenBinding(bindingOf(binding), workload.workload));
  if (failure !== undefined || binding === undefined)
    return { step: 'Done', triggered: { workload: failure ?? workload } };
  if (binding.metadata.annotations[UNSCHEDULABLE_MOVED_BY] === moverOf({ task, workload }))
    return succeeded(workload, 'this rebalancer has moved its unschedulable replicas before', binding);
  const no = whyNotMovable(binding);
  if (no !== undefined) return failed(workload, 'PreserveNotSupported', no);
  const open = whyOpen(binding, clusters);
  if (open !== undefined) return failed(workload, 'SchedulingInProgress', open);
  return undesiredClusters(binding).length === 0 ? nothing(workload) : { step: 'Ask', binding };
}

/** An answer that is missing or impossible ends it: whichever replicas moved, others would be unschedulable still. */
export function afterAnswers(
  { task, workload, binding }: PreserveInput & { readonly binding: PlacedBinding },
  answers: EstimatorAnswers,
): PreserveStep {
  const readings = readAssigned(binding, answers);
  const asked = new Set(undesiredClusters(binding).map(({ name }) => name));
  const silent = readings.find(
    ({ name, unschedulable, unusable }) => asked.has(name) && (unschedulable === undefined || unusable !== undefined),
  );
  if (silent !== undefined)
    return failed(workload, 'EstimatorUnavailable', `cluster ${silent.name}: ${silent.unusable ?? 'no answer'}`);
  if (readings.every(({ taken }) => taken === 0)) return nothing(workload);
  const clusters = readings.map(({ name, assigned, taken }) => ({ name, replicas: assigned - taken }));
  const annotations = { [UNSCHEDULABLE_MOVED_BY]: moverOf({ task, workload }) };
  return { step: 'Move', move: { binding, keep: { clusters, annotations }, workload } };
}

interface MoveOutcome {
  readonly isWritten: boolean;
  readonly assigned: readonly unknown[];
  readonly reason: string;
}

/** A binding that was deleted under the write is missing. */
export function afterMove(
  { workload, binding }: PreservingMove,
  { isWritten, assigned, reason }: MoveOutcome,
): Triggered {
  if (assigned.length === 0) return failed(workload, 'InsufficientCapacity', reason).triggered;
  const { triggered } = succeeded(workload, `its unschedulable replicas moved: ${reason}`, binding);
  return afterTrigger(isWritten ? 'done' : 'missing', triggered);
}

/** A scheduler that is about to assign the binding would assign what this moves. */
function whyOpen(binding: PlacedBinding, clusters: readonly Cluster[]): string | undefined {
  const [task] = binding.spec.gracefulEvictionTasks ?? [];
  if (task !== undefined) return `cluster ${task.fromCluster} is giving up replicas`;
  return whyMoving(binding) ?? whyDue(binding, clusters);
}

function moverOf({ task, workload }: Pick<PreserveInput, 'task' | 'workload'>): string {
  return `${triggerAuthor(task)} ${toTimestamp(workload.wantedSince)}`;
}

type Done = Extract<PreserveStep, { readonly step: 'Done' }>;

function nothing(workload: TaskWorkload): Done {
  return succeeded(workload, 'none of its replicas is unschedulable');
}

/** With `moved`, its scheduler has a new generation to observe. */
function succeeded({ workload, wantedSince }: TaskWorkload, why: string, moved?: PlacedBinding): Done {
  const seen = moved && seenBinding(bindingOf(moved), workload);
  return {
    step: 'Done',
    triggered: { workload: { workload, wantedSince, result: 'Successful', why }, ...(seen && { seen }) },
  };
}

function failed({ workload, wantedSince }: TaskWorkload, reason: RebalanceFailedReason, why: string): Done {
  return {
    step: 'Done',
    triggered: { workload: { workload, wantedSince, result: 'Failed', reason, why: `not moved: ${why}` } },
  };
}
