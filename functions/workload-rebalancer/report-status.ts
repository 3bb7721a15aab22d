/** Decides what a rebalancer's status says of its task, and when it is worth a write. */
import type { Chunk, RebalanceTask } from '../../shared/model/rebalance-task.ts';
import { workloadsOf } from '../../shared/model/rebalance-task.ts';
import { wholeSecond } from '../../shared/model/time.ts';
import { type RebalancerStatus, type WorkloadRebalancer, writeStatus } from '../../shared/model/workload-rebalancer.ts';

/**
 * Whether the object should hear of the task now. A finished task always; a running one when a share of its chunks is
 * done since the last time, so that a task is projected at most `progressReports` times on its way.
 * Example: 50 chunks and 20 reports: every third chunk. Whatever is skipped, the finish is written whole.
 */
export function isWorthReporting(task: RebalanceTask, progressReports: number): boolean {
  if (task.state === 'Abandoned') return false;
  if (task.state === 'Finished' || task.reportedPending === undefined) return true;
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
