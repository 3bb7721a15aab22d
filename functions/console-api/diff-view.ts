/** The views of what a task or a run changed, workload by workload: from the recorded placements, or without them from what the task or the run knows. */

import type { DiffItem } from '../../shared/console-api/diff-item.ts';
import type { WorkloadDiff } from '../../shared/console-api/operations/diffs.ts';
import { type Instant, SECOND, toTimestamp, wholeSecond } from '../../shared/core/time.ts';
import { movedBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import {
  attributedChange,
  type IsChangeBy,
  placementAtBegin,
} from '../../shared/placement-history/attributed-change.ts';
import type { ReadPlacements } from '../../shared/placement-history/history-store.ts';
import { EFFECT_MS } from '../../shared/placement-history/placement-cause.ts';
import {
  isSameReplicas,
  type PlacedReplicas,
  replicasByCluster,
} from '../../shared/placement-history/placement-row.ts';
import type {
  RunRecord,
  RunWithDecisions,
  WorkloadDecision,
  WorkloadOutcome,
} from '../../shared/rebalance-policy/policy-run.ts';
import type {
  RebalanceTask,
  TaskWithWorkloads,
  TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';

type DiffOutcome = WorkloadDiff['outcome'];

/** The workloads of a task, in the order of the object's status. */
export function taskItems({ task, workloads }: TaskWithWorkloads, now: Instant): readonly DiffItem[] {
  const isWaiting = waitingOf({ task, workloads }, now);
  const to = endOf(task, now);
  return workloads.map((workload) => ({
    query: { binding: bindingKey(workload.workload), from: wholeSecond(workload.wantedSince), to },
    diff: (read) => taskDiff({ task, workload, waiting: isWaiting.has(workload) }, read),
  }));
}

/** Successful ones on whose triggers the scheduler is not known to have acted. A trigger without a check counts for ten minutes. */
function waitingOf({ task, workloads }: TaskWithWorkloads, now: Instant): ReadonlySet<TaskWorkload> {
  const { rescheduling, state, updatedAt } = task;
  const successful = workloads.filter(({ result }) => result === 'Successful');
  if (rescheduling?.state === 'Confirmed') return new Set();
  if (rescheduling === undefined && state === 'Abandoned' && now > updatedAt + EFFECT_MS) return new Set();
  if (rescheduling?.open === undefined) return new Set(successful);
  const { waiting, unread } = rescheduling.open;
  return new Set([...waiting, ...unread].flatMap((place) => successful[place] ?? []));
}

function endOf({ finishTime, rescheduling }: RebalanceTask, now: Instant): Instant {
  if (finishTime === undefined || rescheduling?.state !== 'Confirmed') return now + EFFECT_MS;
  return Math.max(finishTime + EFFECT_MS, rescheduling.checkedAt);
}

interface TaskPart {
  readonly task: RebalanceTask;
  readonly workload: TaskWorkload;
  readonly waiting: boolean;
}

function taskDiff(part: TaskPart, read: ReadPlacements | undefined): WorkloadDiff {
  const placed = recorded(read, isChangeOfTask(part)) ?? { moves: 0 };
  const { outcome, why } = taskOutcome(part, placed);
  const { after: _, ...started } = placed;
  return {
    workload: { ...part.workload.workload },
    outcome,
    ...(outcome === 'Pending' ? started : placed),
    ...(why !== undefined && { why }),
  };
}

function taskOutcome(
  { task, workload: { result, reason, why }, waiting }: TaskPart,
  { before, after, changedAt }: PlacedDiff,
): Pick<WorkloadDiff, 'outcome' | 'why'> {
  if (result === 'Failed') return { outcome: 'Failed', why: [reason, why].filter(Boolean).join(': ') };
  if (result === undefined) {
    if (task.state === 'Abandoned') return { outcome: 'Skipped', why: 'the WorkloadRebalancer was deleted before' };
    return { outcome: 'Pending', why: why ?? 'its trigger is not written yet' };
  }
  if (changedAt !== undefined && after !== undefined && !(before && isSameReplicas(before, after)))
    return { outcome: 'Moved' };
  if (waiting) return { outcome: 'Pending', why: whyWaiting(task) };
  if (before === undefined) return { outcome: 'Rescheduled', ...(why !== undefined && { why }) };
  return { outcome: 'Unchanged', why: movesItself(task) && why ? why : 'the scheduler kept its assignment' };
}

function whyWaiting({ rescheduling }: RebalanceTask): string {
  return rescheduling?.state === 'Overdue'
    ? 'the scheduler has not acted on its trigger in time; check that it runs on the hub'
    : 'the scheduler is not known to have acted on its trigger yet';
}

/** Without a trigger. */
function movesItself({ assigns, drains, preservesAvailable }: RebalanceTask): boolean {
  return assigns === true || drains !== undefined || preservesAvailable === true;
}

/** A given assignment is known by its time, a wave by its run; any other trigger by the name of its rebalancer, or by its time if the scheduler was slow. */
function isChangeOfTask({ task, workload: { wantedSince } }: TaskPart): IsChangeBy {
  return ({ cause, marks }, earlier) => {
    if (cause === undefined) return false;
    if (task.ofPolicy && (cause.by === 'RebalancePolicy' || cause.by === 'ClusterDrain')) return true;
    if (task.assigns && marks.assignedAt !== earlier?.marks.assignedAt)
      return marks.assignedAt === toTimestamp(wantedSince);
    if (cause.by === 'WorkloadRebalancer') return cause.name === task.name;
    const { triggeredAt } = marks;
    if (cause.by !== 'Scheduler' || triggeredAt === undefined) return false;
    return triggeredAt !== earlier?.marks.triggeredAt && triggeredAt >= wholeSecond(wantedSince);
  };
}

/** The decisions of a run, in the order of its answer. */
export function runItems({ record, waves, skipped }: RunWithDecisions, now: Instant): readonly DiffItem[] {
  const { run } = record;
  const from = wholeSecond(run.startedAt) - SECOND;
  const to = (run.finishedAt ?? now) + EFFECT_MS;
  return [...waves, ...skipped].flatMap(({ workloads }) =>
    workloads.map((decision) => ({
      query: { binding: decision.binding, from, to },
      diff: (read: ReadPlacements | undefined) => runDiff(decision, record, read),
    })),
  );
}

function runDiff(decision: WorkloadDecision, { run }: RunRecord, read: ReadPlacements | undefined): WorkloadDiff {
  const isOfRun: IsChangeBy = ({ cause }) =>
    (cause?.by === 'RebalancePolicy' || cause?.by === 'ClusterDrain') && cause.why === run.run;
  const found = recorded(read, isOfRun);
  const change = found?.changedAt === undefined ? undefined : found;
  const known = runOutcome(decision, run);
  const outcome = decision.outcome === 'Moving' && change !== undefined ? 'Moved' : known;
  return {
    workload: { ...decision.workload },
    outcome,
    ...(change ?? planned(decision)),
    why: decision.reason ?? decision.why,
  };
}

const outcomes: Readonly<Record<WorkloadOutcome, DiffOutcome>> = {
  Moving: 'Pending',
  Moved: 'Moved',
  Unmoved: 'Unchanged',
  NotReady: 'Failed',
  Gone: 'Skipped',
  Skipped: 'Skipped',
  CannotForecast: 'Skipped',
  PutOff: 'Pending',
  DryRun: 'Skipped',
};

/** Without an outcome it waits for its wave, which does not start after the end of the run. */
function runOutcome({ outcome = 'PutOff' }: WorkloadDecision, { state }: RunRecord['run']): DiffOutcome {
  return outcome === 'PutOff' && state !== 'Running' ? 'Skipped' : outcomes[outcome];
}

type PlacedDiff = Pick<WorkloadDiff, 'before' | 'after' | 'source' | 'moves' | 'changedAt'>;

/** Without a change the placement when the range began; undefined if that is not recorded. */
function recorded(read: ReadPlacements | undefined, isChangeBy: IsChangeBy): PlacedDiff | undefined {
  if (read === undefined) return undefined;
  const change = attributedChange(read, isChangeBy);
  if (change !== undefined) {
    const { before, after, at } = change;
    return { ...placedOf(before, after), source: 'Recorded', changedAt: toTimestamp(at) };
  }
  const kept = placementAtBegin(read);
  return kept && { ...placedOf(kept, kept), source: 'Recorded' };
}

function planned({ outcome, current, next }: WorkloadDecision): PlacedDiff {
  const after = outcome === 'Unmoved' || outcome === 'Gone' ? current : next;
  const numbers = (of: PlacedReplicas) => replicasByCluster(Object.entries(of));
  return { ...placedOf(numbers(current), numbers(after)), source: 'Planned' };
}

function placedOf(before: PlacedReplicas | undefined, after: PlacedReplicas): PlacedDiff {
  const moves = before === undefined ? 0 : movedBetween(Object.entries(before), new Map(Object.entries(after)));
  return { ...(before && { before: { ...before } }), after: { ...after }, moves };
}
