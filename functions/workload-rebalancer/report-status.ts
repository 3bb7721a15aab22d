/** Decides what a rebalancer's status says of its task, and when it is worth a write. */
import { PROGRESS_SECONDS } from '../../shared/events/routes.ts';
import type { Chunk, RebalanceTask } from '../../shared/model/rebalance-task.ts';
import { workloadsOf } from '../../shared/model/rebalance-task.ts';
import { type Instant, SECOND, wholeSecond } from '../../shared/model/time.ts';
import { type RebalancerStatus, type WorkloadRebalancer, writeStatus } from '../../shared/model/workload-rebalancer.ts';

/**
 * Whether the object should hear of the task now. Of a finished task by its finish alone: what was said of its progress before
 * comes late, all at once, and would write the same status side by side. A running one when it has been told nothing for
 * ten seconds, and a share of its chunks is done since the last time: at most `progressReports` times on its way.
 * Why so seldom: a status is written whole, and the API server works on that of 3,000 workloads as long as on 125 of
 * their triggers. Told once a second, a rebalance of 5 s would take 6; nobody needs to see how far one of 5 s is.
 * Example: 50 chunks and 20 reports: every third chunk. Whatever is skipped, the finish is written whole.
 */
export function isWorthReporting(
  task: RebalanceTask,
  heard: 'progress' | 'finish',
  { progressReports, now }: { readonly progressReports: number; readonly now: Instant },
): boolean {
  if (task.state === 'Abandoned') return false;
  if (task.state === 'Finished') return heard === 'finish';
  if (now - (task.quietSince ?? 0) < PROGRESS_SECONDS * SECOND) return false;
  if (task.reportedPending === undefined) return true;
  const step = Math.ceil(task.chunks / progressReports);
  return task.reportedPending - task.pendingChunks.length >= step;
}

/** The status in upstream's shape and order. It speaks of the task's generation, which may be behind the object's. */
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

/** Whether the object says this already: then it isn't written. */
export function shows(object: WorkloadRebalancer, status: RebalancerStatus): boolean {
  return JSON.stringify(writeStatus(object.status)) === JSON.stringify(writeStatus(status));
}
