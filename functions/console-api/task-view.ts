/** The view of a rebalance. */

import type { TaskAnswer, TaskSummary } from '../../shared/console-api/operations/tasks.ts';
import { SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { RebalanceTask, TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { TaskRow } from '../../shared/workload-rebalancer/task-store.ts';

export function taskSummary({ finishTime, updatedAt, ...task }: TaskRow): TaskSummary {
  const { name, uid, generation, state, workloads, successful, failed } = task;
  return {
    ...{ name, uid, generation, state, workloads, successful, failed },
    updatedAt: toTimestamp(updatedAt),
    ...(finishTime !== undefined && { finishedAt: toTimestamp(finishTime) }),
  };
}

const AT_ONCE = 500;

/** A page that starts at `from`, in the order of the object's status. */
export function taskAnswer(task: RebalanceTask, workloads: readonly TaskWorkload[], from: number): TaskAnswer {
  const { creationTimestamp, rescheduling, ttlSecondsAfterFinished: ttl, finishTime, traceId } = task;
  const deletedAt = ttl === undefined || finishTime === undefined ? undefined : finishTime + ttl * SECOND;
  return {
    task: {
      ...taskSummary(task),
      createdAt: toTimestamp(creationTimestamp),
      ...(rescheduling && { rescheduling: reschedulingOf(rescheduling) }),
      ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }),
      ...(deletedAt !== undefined && { deletedAt: toTimestamp(deletedAt) }),
      ...(traceId !== undefined && { traceId }),
    },
    workloads: workloads.slice(from, from + AT_ONCE).map(({ workload, result, reason, why, wantedSince }) => ({
      workload: { ...workload },
      ...(result && { result }),
      ...(reason && { reason }),
      ...(why && { why }),
      wantedSince: toTimestamp(wantedSince),
    })),
  };
}

function reschedulingOf({ state, confirmed, gone, waitingFor }: NonNullable<RebalanceTask['rescheduling']>) {
  return { state, confirmed, ...(gone !== undefined && { gone }), waitingFor: [...waitingFor] };
}
