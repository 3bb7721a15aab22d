/** Decides for a rebalancer that preserves available replicas what becomes of a workload: its unschedulable replicas move, all others stay. */
import { toTimestamp } from '../../shared/core/time.ts';
import { type EstimatorAnswers, readAssigned, whyKept } from '../../shared/descheduling/cluster-readings.ts';
import { undesiredClusters, whyNotMovable } from '../../shared/descheduling/descheduling-candidate.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { UNSCHEDULABLE_MOVED_BY } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { failed, type MoveInput, type MoveStep, succeeded, whyOpen, withoutBinding } from './moves.ts';
import { triggerAuthor } from './trigger-bindings.ts';

export function preserveStep(input: MoveInput, clusters: readonly Cluster[]): MoveStep {
  const { workload, binding } = input;
  const failure = withoutBinding(input);
  if (failure !== undefined || binding === undefined) return failure ?? nothing(workload);
  if (binding.metadata.annotations[UNSCHEDULABLE_MOVED_BY] === moverOf(input))
    return succeeded(workload, 'this rebalancer has moved its unschedulable replicas before', binding);
  const no = whyNotMovable(binding);
  if (no !== undefined) return failed(workload, 'PreserveNotSupported', no);
  const open = whyOpen(binding, clusters);
  if (open !== undefined) return failed(workload, 'SchedulingInProgress', open);
  return undesiredClusters(binding).length === 0 ? nothing(workload) : { step: 'Ask', binding };
}

/** An answer that is missing or impossible ends it: whichever replicas moved, others would be unschedulable still. */
export function afterAnswers(
  { task, workload, binding }: MoveInput & { readonly binding: PlacedBinding },
  answers: EstimatorAnswers,
): MoveStep {
  const kept = whyKept(answers);
  if (kept !== undefined) return failed(workload, 'PreserveNotSupported', kept);
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
  const what = 'its unschedulable replicas';
  return { step: 'Move', move: { binding, keep: { clusters, annotations }, workload, what } };
}

function moverOf({ task, workload }: Pick<MoveInput, 'task' | 'workload'>): string {
  return `${triggerAuthor(task)} ${toTimestamp(workload.wantedSince)}`;
}

function nothing(workload: TaskWorkload): MoveStep {
  return succeeded(workload, 'none of its replicas is unschedulable');
}
