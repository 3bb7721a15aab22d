/** Decides a rebalancer's status from its task, and when a write is worthwhile. */
import { PROGRESS_SECONDS } from '../../shared/events/routes.ts';
import type { Chunk, RebalanceTask } from '../../shared/model/rebalance-task.ts';
import { workloadsOf } from '../../shared/model/rebalance-task.ts';
import { type Instant, SECOND, wholeSecond } from '../../shared/model/time.ts';
import { type RebalancerStatus, type WorkloadRebalancer, writeStatus } from '../../shared/model/workload-rebalancer.ts';

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
export function shows(object: WorkloadRebalancer, status: RebalancerStatus): boolean {
  return JSON.stringify(writeStatus(object.status)) === JSON.stringify(writeStatus(status));
}
