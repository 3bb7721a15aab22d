/** Decides a rebalancer's status from its task, and when a write is worthwhile. */
import { RebalanceFinished, RebalanceReported } from '../../shared/bus/catalogue.ts';
import type { PublishedOutcome } from '../../shared/bus/published-outcome.ts';
import { PROGRESS_SECONDS } from '../../shared/bus/routes.ts';
import { count } from '../../shared/core/count.ts';
import { fnv1a } from '../../shared/core/fnv1a.ts';
import { type Instant, SECOND, wholeSecond } from '../../shared/core/time.ts';
import type { Freshness } from '../../shared/kubernetes/hub.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import {
  areWhole,
  type Chunk,
  isPlanOf,
  type RebalanceTask,
  workloadsOf,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Report } from '../../shared/workload-rebalancer/task-store.ts';
import {
  type RebalancerStatus,
  shownFinish,
  type WorkloadRebalancer,
  writeStatus,
} from '../../shared/workload-rebalancer/workload-rebalancer.ts';

/**
 * Whether the object's status is due for an update. A finished task is reported on its finish event only: its earlier progress
 * events arrive late and together, and would write the same status concurrently. A running task is reported at most every
 * ten seconds, and after a share of its chunks: at most `progressReports` times in total.
 * Why so rarely: a status is written as a whole, and for 3,000 workloads it costs the API server as much as 125 of
 * their triggers. With one report per second, a rebalance of 5 s would take 6, and its progress is not needed.
 * Example: 50 chunks and 20 reports: every third chunk. The finish is always reported completely.
 */
export function isWorthReporting(
  task: RebalanceTask,
  event: 'progress' | 'finish',
  { progressReports, now }: { readonly progressReports: number; readonly now: Instant },
): boolean {
  if (task.state === 'Abandoned') return false;
  if (task.state === 'Finished') return event === 'finish';
  if (now - (task.quietSince ?? 0) < PROGRESS_SECONDS * SECOND) return false;
  if (task.reportedPending === undefined) return true;
  const step = Math.ceil(task.chunks / progressReports);
  return task.reportedPending - task.pendingChunks.length >= step;
}

/** The task that these types of events are about, if its status is due for an update. */
export function taskToReport(
  task: RebalanceTask | undefined,
  types: ReadonlySet<string>,
  limits: { readonly progressReports: number; readonly now: Instant },
): RebalanceTask | undefined {
  const event = types.has(RebalanceFinished.type) ? 'finish' : 'progress';
  return task && isWorthReporting(task, event, limits) ? task : undefined;
}

/** After a conflict the object is read without a minimum version: the API server's cache may be behind for a while. */
export function freshnessOf(attempt: number, { resourceVersion }: RebalanceTask): Freshness {
  return attempt === 0 ? { notOlderThan: resourceVersion } : {};
}

/** What a report needs of the object. */
type ReportedObject = Pick<WorkloadRebalancer, 'uid' | 'resourceVersion' | 'status'> &
  Partial<Pick<WorkloadRebalancer, 'generation' | 'workloads'>>;

/**
 * The object without a read: as the plan or the last report left it. The write is conditional on its version, so an object that changed
 * since costs a read. Undefined: read it. Its status is left out, because it can't be the one to be written.
 */
export function asLeft({ uid, statusVersion }: RebalanceTask, attempt: number): ReportedObject | undefined {
  if (attempt > 0 || statusVersion === undefined) return undefined;
  return { uid, resourceVersion: statusVersion, status: { observedWorkloads: [], observedGeneration: 0 } };
}

/**
 * The write that brings the object's status up to date, absent if it is. Undefined: rows of the task are gone. A partial report
 * would drop results from the object; if the task is lost completely, resync restores it from them.
 */
export function statusWrite(
  object: ReportedObject,
  task: RebalanceTask,
  chunks: readonly Chunk[],
): { readonly merge?: object } | undefined {
  if (!areWhole(chunks, task)) return undefined;
  const status = projectStatus(task, chunks);
  // A delivery that read the object before its finish can plan the same generation again if the task's row is lost in between. That
  // plan finishes later, and the finish on the object stays.
  const isFinal = shownFinish(object, task.generation) !== undefined;
  if (isFinal || shows(object, status)) return {};
  return { merge: { metadata: { resourceVersion: object.resourceVersion }, status: writeStatus(status) } };
}

/** What the task keeps of a report. After the finish nothing is written, so that a redelivery reads the object. `version`: of the object after the write. */
export function reportOf({ state, pendingChunks }: RebalanceTask, version: string | undefined): Report {
  return { pending: pendingChunks.length, statusVersion: state === 'Finished' ? undefined : version };
}

/** Only a finish is published: consumers wait for it to be on the object. */
export function reported({ hub, uid, name, ...task }: RebalanceTask): PublishedOutcome {
  const { state, pendingChunks, successful, failed } = task;
  if (state !== 'Finished') return { reason: `reported, ${pendingChunks.length} chunks pending`, events: [] };
  const events = [RebalanceReported.of({ hub, uid, name })];
  return { reason: 'the finish is on the object', fields: { successful, failed }, events };
}

/** Workloads that the Event about failures names. */
const NAMED = 5;

/** Events on a rebalancer whose finish was written: one about all workloads, and one about those that failed. */
export function eventsOfFinish(task: RebalanceTask, chunks: readonly Chunk[]): readonly ObjectEvent[] {
  if (task.state !== 'Finished') return [];
  const { uid, generation, successful, failed, finishTime } = task;
  const all = workloadsOf(chunks);
  // The uid, because an object of the same name may have been deleted.
  const id = `${generation}-${fnv1a(`${uid} ${finishTime}`).toString(16)}`;
  const finish: ObjectEvent = {
    type: 'Normal',
    reason: 'Finished',
    message: `Triggered ${successful} of ${count(all.length, 'workload')}; ${failed} failed`,
    id: `finished-${id}`,
  };
  const failures = all.filter(({ result }) => result === 'Failed');
  if (failures.length === 0) return [finish];
  const named = failures.slice(0, NAMED).map(({ workload, reason = '' }) => `${referenceLabel(workload)}: ${reason}`);
  const more = failures.length > NAMED ? `; and ${failures.length - NAMED} more` : '';
  const message = `${failures.length} of ${count(all.length, 'workload')} failed: ${named.join('; ')}${more}`;
  return [finish, { type: 'Warning', reason: 'WorkloadFailed', message, id: `failed-${id}` }];
}

/** Whether the object has an older generation than the task, or the same with another list of workloads, as on a hub that was restored: its own plan follows, and is reported. */
export function isOfOtherList({ generation, workloads }: ReportedObject, task: RebalanceTask): boolean {
  if (generation === undefined || workloads === undefined || generation > task.generation) return false;
  return !isPlanOf(task, { generation, workloads });
}

/** The status in upstream's format and order, for the task's generation, which may be behind the object's. */
export function projectStatus(task: RebalanceTask, chunks: readonly Chunk[]): RebalancerStatus {
  return {
    observedWorkloads: workloadsOf(chunks).map(({ workload, result, reason }) => ({
      workload,
      ...(result !== undefined && { result }),
      ...(reason !== undefined && { reason }),
    })),
    observedGeneration: task.generation,
    ...(task.finishTime !== undefined && { finishTime: wholeSecond(task.finishTime) }),
  };
}

/** Whether the object already has this status: then it is not written. */
export function shows(object: ReportedObject, status: RebalancerStatus): boolean {
  return JSON.stringify(writeStatus(object.status)) === JSON.stringify(writeStatus(status));
}
