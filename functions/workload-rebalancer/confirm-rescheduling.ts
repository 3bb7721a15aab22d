/** Decides whether the scheduler has acted on a task's triggers: the result Successful only means that a trigger is written. */

import { count } from '../../shared/core/count.ts';
import { DEADLINE_EXCEEDED } from '../../shared/core/deadline.ts';
import type { Fault } from '../../shared/core/fault.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import { objectiveTelemetry } from '../../shared/core/objectives.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { isTriggerPending } from '../../shared/karmada/trigger-state.ts';
import type { Identity } from '../../shared/kubernetes/hub.ts';
import { type ObjectReference, referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { hubIsAway, type ObservedBindings, seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import type {
  RebalanceTask,
  Rescheduling,
  SeenBinding,
  TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import { isWithoutTrigger } from './chunk-progress.ts';

export interface ConfirmationLimits {
  readonly rescheduleCheckSeconds: number;
  readonly rescheduleTimeoutSeconds: number;
}

export interface ReschedulingDecision {
  readonly next: Rescheduling;
  /** Absent if nothing is pending, or the timeout is over. */
  readonly checkAgainAt?: Instant;
  readonly waiting: number;
  readonly reason: string;
}

const NAMED = 20;

/** What a delivery does: check `task`, schedule the check, or nothing. */
export interface CheckStep {
  readonly task?: RebalanceTask;
  readonly checkAgainAt?: Instant;
  readonly reason: string;
}

export function checkStep(task: RebalanceTask | undefined, limits: ConfirmationLimits, now: Instant): CheckStep {
  if (task === undefined || task.pendingChunks.length > 0) return { reason: 'there is no finished task to check' };
  if (task.rescheduling?.state === 'Confirmed') return { reason: 'confirmed before' };
  const first = firstCheckAt(task, limits, now);
  if (first === undefined) return { task, reason: 'a check is due' };
  return { checkAgainAt: first, reason: 'the scheduler has a moment to act' };
}

/** The first check is delayed to give the scheduler time; undefined: check now. */
export function firstCheckAt(
  task: RebalanceTask,
  { rescheduleCheckSeconds }: ConfirmationLimits,
  now: Instant,
): Instant | undefined {
  const at = (task.finishTime ?? now) + rescheduleCheckSeconds * SECOND;
  return task.rescheduling === undefined && at > now ? at : undefined;
}

/** The result of reading one binding. `unreadable`: it exists but can't be read; its trigger may wait. `unread`: no request was sent for it. */
export type Read = SeenBinding | 'gone' | 'unreadable' | 'unread';

/** The places, in the list of a task's successful workloads, that this check reads: unread ones, otherwise waiting ones. */
export function placesToRead({ rescheduling }: RebalanceTask, successful: number): readonly number[] {
  const open = rescheduling?.open;
  if (open === undefined) return Array.from({ length: successful }, (_, place) => place);
  return open.unread.length > 0 ? open.unread : open.waiting;
}

export interface PlacedWorkload {
  readonly place: number;
  readonly workload: ObjectReference;
}

export function workloadsToRead(task: RebalanceTask, successful: readonly TaskWorkload[]): readonly PlacedWorkload[] {
  return placesToRead(task, successful.length).flatMap((place) => {
    const workload = successful[place]?.workload;
    return workload === undefined ? [] : [{ place, workload }];
  });
}

/** Throws if nothing could be read: the hub is unreachable, or so slow that not one request fits into an invocation. */
export function requireSomeRead(wanted: readonly PlacedWorkload[], { bindingOf, faults }: ObservedBindings): void {
  const nothingRead = cutShort(faults) ?? hubIsAway(faults);
  if (nothingRead !== undefined && !wanted.some(({ workload }) => bindingOf(workload))) throw nothingRead;
}

/** The result of the bulk read for one workload. Undefined: after a fault it is unknown whether an absent binding exists, so it is read by name. */
export function readOf(workload: ObjectReference, { bindingOf, faults }: ObservedBindings): Read | undefined {
  const binding = bindingOf(workload);
  if (binding !== undefined) return seenBinding(binding, workload);
  if (faults.length === 0) return 'gone';
  return cutShort(faults) === undefined ? undefined : 'unread';
}

/** Of a read by name. */
export function presenceOf(identity: Identity | undefined): Read {
  return identity === undefined ? 'gone' : 'unreadable';
}

export function presenceAfter({ reason }: Fault): Read {
  return reason === DEADLINE_EXCEEDED ? 'unread' : 'unreadable';
}

function cutShort(faults: readonly Fault[]): Fault | undefined {
  return faults.find(({ reason }) => reason === DEADLINE_EXCEEDED);
}

/** An alarm counts the waiting bindings of overdue tasks at each check; the objective counts each trigger once. */
export function reschedulingTelemetry(
  task: RebalanceTask,
  { next, waiting }: ReschedulingDecision,
): readonly TelemetryEntry[] {
  const { hub, name, rescheduling: before } = task;
  const isOverdue = next.state === 'Overdue';
  const kept = next.confirmed - (before?.open === undefined ? 0 : before.confirmed);
  const counted =
    before?.state === 'Overdue' || isWithoutTrigger(task)
      ? []
      : objectiveTelemetry('rescheduling', { kept, missed: isOverdue ? waiting : 0 });
  if (!isOverdue) return counted;
  return [
    ...counted,
    { metric: 'ReschedulingOverdue', value: waiting, dimensions: { hub } },
    { code: 'EK300', fields: { hub, name, waiting, first: next.waitingFor[0] } },
  ];
}

/**
 * A binding waits while its trigger is pending (isTriggerPending). A deleted binding neither waits nor counts as rescheduled.
 * Intervals double (15, 30, 60 s …) until the timeout; resync checks after that. A check that was cut short by the
 * end of its invocation continues soon with the unread bindings: it is never overdue, because the scheduler's state is unknown.
 */
export function decideRescheduling(
  task: RebalanceTask,
  successful: readonly Pick<TaskWorkload, 'workload'>[],
  {
    reads,
    now,
    limits,
  }: { readonly reads: ReadonlyMap<number, Read>; readonly now: Instant; readonly limits: ConfirmationLimits },
): ReschedulingDecision {
  const { next, unread } = addReads(task, successful, { reads, now });
  const { gone = 0, confirmed, open, waitingFor } = next;
  const waiting = open?.waiting.length ?? 0;
  const finishTime = task.finishTime ?? now;
  const ofGone = gone === 0 ? '' : `; ${count(gone, 'binding')} gone`;
  if (unread > 0) {
    const checkAgainAt = now + limits.rescheduleCheckSeconds * SECOND;
    return { next, checkAgainAt, waiting, reason: `${count(unread, 'binding')} left for the next check${ofGone}` };
  }
  if (waiting === 0) {
    const reason = `the scheduler acted on every trigger (${confirmed})${ofGone}`;
    return { next: { ...next, state: 'Confirmed' }, waiting, reason };
  }
  const deadline = finishTime + limits.rescheduleTimeoutSeconds * SECOND;
  const reason = `the scheduler has not acted on ${waiting} of ${successful.length}, first ${waitingFor[0] ?? ''}${ofGone}`;
  if (now >= deadline) return { next: { ...next, state: 'Overdue' }, waiting, reason };
  const wait = Math.max(limits.rescheduleCheckSeconds * SECOND, now - finishTime);
  return { next, checkAgainAt: Math.min(now + wait, deadline), waiting, reason };
}

/** The counts after these reads. Earlier counts are kept, unless everything is read again. */
function addReads(
  { rescheduling }: RebalanceTask,
  successful: readonly Pick<TaskWorkload, 'workload'>[],
  { reads, now }: { readonly reads: ReadonlyMap<number, Read>; readonly now: Instant },
): { readonly next: Rescheduling; readonly unread: number } {
  const { confirmed = 0, gone = 0, open } = rescheduling?.open === undefined ? {} : rescheduling;
  const found = groupBy(reads.keys(), (place) => stateOf(reads.get(place)));
  const [newlyWaiting = [], unread = []] = [found.get('waiting'), found.get('unread')];
  const waiting = [...(open?.waiting ?? []).filter((place) => !reads.has(place)), ...newlyWaiting].sort(
    (a, b) => a - b,
  );
  const labels = waiting.slice(0, NAMED).flatMap((place) => successful[place]?.workload ?? []);
  const next: Rescheduling = {
    state: 'Waiting',
    confirmed: confirmed + (found.get('confirmed')?.length ?? 0),
    gone: gone + (found.get('gone')?.length ?? 0),
    waitingFor: labels.map(referenceLabel),
    open: { waiting, unread },
    checkedAt: now,
  };
  return { next, unread: unread.length };
}

function stateOf(read: Read | undefined): 'confirmed' | 'waiting' | 'gone' | 'unread' {
  if (read === undefined || read === 'unread') return 'unread';
  if (read === 'gone') return 'gone';
  return read === 'unreadable' || isTriggerPending(read) ? 'waiting' : 'confirmed';
}
