/** Decides the workloads of a plan: those of the spec with their known results, and their bindings as they were observed. */

import { type Instant, wholeSecond } from '../../shared/core/time.ts';
import {
  compareReferences,
  distinctReferences,
  type ObjectReference,
  referenceKey,
} from '../../shared/kubernetes/object-reference.ts';
import { assignmentFor } from '../../shared/workload-rebalancer/given-assignment.ts';
import { hubIsAway, type ObservedBindings, seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import {
  areWhole,
  type Chunk,
  isResolved,
  type RebalanceTask,
  type TaskWorkload,
  workloadsOf,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

/**
 * The workloads of a generation: those of the spec, with their known results, and successful ones that were removed from the spec.
 * `known` comes from the earlier task, or from the object's status if the task was lost.
 *
 * Worked example: known a=Successful b=(none) c=Failed; the spec now lists c, d. Then: a stays (it happened), b is dropped,
 * c stays Failed (final), d is added and requested since this change.
 */
export function refreshWorkloads(
  object: WorkloadRebalancer,
  known: readonly TaskWorkload[],
  now: Instant,
): readonly TaskWorkload[] {
  const before = new Map(known.map((workload) => [referenceKey(workload.workload), workload]));
  const wanted = distinctReferences(object.workloads);
  const wantedKeys = new Set(wanted.map(referenceKey));
  const added = { wantedSince: wantedSince(object, now), wantedVersion: object.resourceVersion };
  const listed = wanted.map(
    (workload) => before.get(referenceKey(workload)) ?? { workload, ...added, ...assigning(object, workload) },
  );
  const kept = known.filter(
    ({ workload, result }) => result === 'Successful' && !wantedKeys.has(referenceKey(workload)),
  );
  return [...listed, ...kept].sort((a, b) => compareReferences(a.workload, b.workload));
}

/**
 * Since when a new workload requests its rescheduling: the object's creation, as upstream, for the
 * first generation; after an edit the hub's time of that edit, otherwise the time of the first read.
 * Why not always the creation: a completed trigger between creation and edit would count for a workload that
 * was added later.
 */
function wantedSince(object: WorkloadRebalancer, now: Instant): Instant {
  return wholeSecond(object.generation === 1 ? object.creationTimestamp : (object.changedAt ?? now));
}

function assigning({ assigns }: WorkloadRebalancer, workload: ObjectReference): Pick<TaskWorkload, 'assignment'> {
  const assignment = assigns && assignmentFor(assigns, workload);
  return assignment === undefined ? {} : { assignment };
}

/**
 * Results of the earlier task; from the object's own status if the task was lost. Successes on the object that the rows do not have count too: the
 * rows of a table that was restored to an earlier time are older than the status.
 */
export function knownWorkloads(
  object: WorkloadRebalancer,
  before: RebalanceTask | undefined,
  rows: readonly Chunk[] | undefined,
): readonly TaskWorkload[] {
  const shown = knownFromStatus(object);
  if (!before || !rows || !areWhole(rows, before)) return shown;
  const successes = new Map(
    shown.filter(({ result }) => result === 'Successful').map((each) => [referenceKey(each.workload), each]),
  );
  const ofRows = workloadsOf(rows).map((row) =>
    isResolved(row) ? row : (successes.get(referenceKey(row.workload)) ?? row),
  );
  const keys = new Set(ofRows.map(({ workload }) => referenceKey(workload)));
  return [...ofRows, ...[...successes].filter(([key]) => !keys.has(key)).map(([, each]) => each)];
}

export function knownFromStatus(object: WorkloadRebalancer): readonly TaskWorkload[] {
  const wantedSince = wholeSecond(object.creationTimestamp);
  return object.status.observedWorkloads.map((observed) => ({ ...observed, wantedSince }));
}

export function unresolved(workloads: readonly TaskWorkload[]): readonly TaskWorkload[] {
  return workloads.filter((workload) => !isResolved(workload));
}

/**
 * The workloads with their bindings from one bulk read: each chunk then writes with the observed versions, and reads again only
 * what changed. A binding that could not be read is read by its chunk, so that only its workload is delayed. Throws if the hub is away.
 */
export function withBindings(
  workloads: readonly TaskWorkload[],
  { bindingOf, faults }: ObservedBindings,
): readonly TaskWorkload[] {
  const away = hubIsAway(faults);
  if (away !== undefined && !unresolved(workloads).some(({ workload }) => bindingOf(workload))) throw away;
  return workloads.map((workload) => {
    const binding = isResolved(workload) ? undefined : bindingOf(workload.workload);
    const { seen: _old, ...rest } = workload;
    return binding ? { ...rest, seen: seenBinding(binding, workload.workload) } : rest;
  });
}
