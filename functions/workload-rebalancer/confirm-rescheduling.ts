/** Decides whether the scheduler has acted on a task's triggers: Successful says that a trigger is written, not that anything moved. */
import { referenceLabel } from '../../shared/model/object-reference.ts';
import type { RebalanceTask, Rescheduling, SeenBinding, TaskWorkload } from '../../shared/model/rebalance-task.ts';
import { type Instant, SECOND } from '../../shared/model/time.ts';

export interface Patience {
  readonly rescheduleCheckSeconds: number;
  readonly rescheduleTimeoutSeconds: number;
}

export interface ReschedulingDecision {
  readonly next: Rescheduling;
  /** Absent when there is nothing left to wait for, or patience is over. */
  readonly lookAgainAt?: Instant;
  readonly waiting: number;
  readonly reason: string;
}

const NAMED = 20;

/** The first look is worth its requests only when the scheduler had a moment; undefined: look now. */
export function firstLookAt(
  task: RebalanceTask,
  { rescheduleCheckSeconds }: Patience,
  now: Instant,
): Instant | undefined {
  const at = (task.finishTime ?? now) + rescheduleCheckSeconds * SECOND;
  return task.rescheduling === undefined && at > now ? at : undefined;
}

/**
 * A binding waits while its trigger is later than its last scheduling: the scheduler's own condition. One that is gone
 * waits for nothing. Looks come at doubling distances (15, 30, 60 s …) until patience is over; resync asks again after that.
 */
export function decideRescheduling(
  task: RebalanceTask,
  bindings: readonly { readonly workload: TaskWorkload['workload']; readonly binding: SeenBinding | undefined }[],
  { now, patience }: { readonly now: Instant; readonly patience: Patience },
): ReschedulingDecision {
  const waiting = bindings.filter(({ binding }) => binding !== undefined && isWaiting(binding));
  const confirmed = bindings.length - waiting.length;
  const waitingFor = waiting.slice(0, NAMED).map(({ workload }) => referenceLabel(workload));
  const known = { confirmed, waitingFor, lookedAt: now };
  if (waiting.length === 0) {
    return {
      next: { state: 'Confirmed', ...known },
      waiting: 0,
      reason: `the scheduler acted on every trigger (${confirmed})`,
    };
  }
  const finishTime = task.finishTime ?? now;
  const deadline = finishTime + patience.rescheduleTimeoutSeconds * SECOND;
  const reason = `the scheduler has not acted on ${waiting.length} of ${bindings.length}, first ${waitingFor[0] ?? ''}`;
  if (now >= deadline) return { next: { state: 'Overdue', ...known }, waiting: waiting.length, reason };
  const wait = Math.max(patience.rescheduleCheckSeconds * SECOND, now - finishTime);
  return {
    next: { state: 'Waiting', ...known },
    lookAgainAt: Math.min(now + wait, deadline),
    waiting: waiting.length,
    reason,
  };
}

function isWaiting({ rescheduleTriggeredAt, lastScheduledTime }: SeenBinding): boolean {
  if (rescheduleTriggeredAt === undefined) return false;
  return lastScheduledTime === undefined || rescheduleTriggeredAt > lastScheduledTime;
}
