/** Decides for one workload whether its binding needs a trigger, and of what time. */
import { TRIGGERED_AT, TRIGGERED_BY } from '../../shared/model/binding.ts';
import type { RebalanceTask, SeenBinding, TaskWorkload } from '../../shared/model/rebalance-task.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/model/time.ts';

export type TriggerDecision =
  | { readonly action: 'Write'; readonly rescheduleTriggeredAt: Instant; readonly reason: string }
  | { readonly action: 'Keep'; readonly reason: string };

/**
 * The trigger for a binding, so that a rescheduling after `wantedSince` is never lost, never asked for twice by one
 * rebalancer, and the field never goes backwards. Karmada's scheduler acts when rescheduleTriggeredAt is later than
 * lastScheduledTime; both have whole seconds, and so the order of two things in one second can't be seen.
 *
 * Rules, first match:
 *  1. Ours, at or after `wantedSince`: an earlier delivery wrote it. Before all others, or a redelivery would trigger again.
 *  2. At or after `wantedSince`, and the scheduler has not acted on it yet: when it does, that is after we were asked.
 *  3. Later than `wantedSince`, signed by one of ours, and acted on: another rebalancer's newer trigger did what was wanted.
 *     Unsigned it may never have been acted on. Example: scheduled in 10:00:07 for a scale-up, and later in that second
 *     triggered by hand; that trigger is ignored, and looks as if it had been acted on.
 *  4. Otherwise write: `wantedSince`, or where the binding was scheduled in or after that second, a second after that.
 *     Example: created 10:00:05, scheduled 10:00:07 (for a scale-up, in Steady mode). A trigger of 10:00:05 would be
 *     ignored without a word; 10:00:08 is not. And: two rebalancers created at 10:00:05, the first one's trigger acted on
 *     in that same second; the second one's must be 10:00:06.
 */
export function decideTrigger(wantedSince: Instant, binding: SeenBinding, triggeredBy: string): TriggerDecision {
  const { rescheduleTriggeredAt: trigger, lastScheduledTime: scheduled } = binding;
  if (trigger !== undefined && trigger >= wantedSince) {
    if (binding.triggeredBy === triggeredBy)
      return { action: 'Keep', reason: 'this rebalancer has triggered it before' };
    if (scheduled === undefined || trigger > scheduled)
      return { action: 'Keep', reason: 'a trigger is waiting for the scheduler' };
    if (trigger > wantedSince && binding.isSigned)
      return { action: 'Keep', reason: "another rebalancer's newer trigger was acted on" };
  }
  if (scheduled !== undefined && scheduled >= wantedSince) {
    return {
      action: 'Write',
      rescheduleTriggeredAt: scheduled + SECOND,
      reason: 'it was scheduled since, without a trigger of ours',
    };
  }
  return { action: 'Write', rescheduleTriggeredAt: wantedSince, reason: 'it was last scheduled before' };
}

/** A trigger further ahead than this tells of clocks that are apart: waiting for it would not help, and might never end. */
const CLOCKS_APART = 5 * SECOND;

/**
 * How long a trigger has to wait for its time, in ms. The scheduler acts on one that is ahead of its clock, but then notes
 * a time before it: the binding goes on looking triggered, and is assigned anew, unasked, with every later change.
 * Example: scheduled 10:00:07.1, so that the trigger is 10:00:08. Written at 10:00:07.4 it would be acted on in second 7.
 */
export function dueIn(rescheduleTriggeredAt: Instant, now: Instant): number {
  const ahead = rescheduleTriggeredAt - now;
  return ahead > 0 && ahead <= CLOCKS_APART ? ahead : 0;
}

/** Who a trigger of this task is by: for the annotation, so that people and redeliveries can tell. */
export function triggerAuthor({ name, uid }: Pick<RebalanceTask, 'name' | 'uid'>): string {
  return `${name}/${uid}`;
}

/** The write itself: small, and only if the binding still is as it was seen. */
export function triggerPatch(seen: SeenBinding, rescheduleTriggeredAt: Instant, triggeredBy: string): object {
  const time = toTimestamp(rescheduleTriggeredAt);
  return {
    metadata: {
      resourceVersion: seen.resourceVersion,
      annotations: { [TRIGGERED_BY]: triggeredBy, [TRIGGERED_AT]: time },
    },
    spec: { rescheduleTriggeredAt: time },
  };
}

/** A workload after its binding's trigger is in place. */
export function succeeded({ workload, wantedSince }: TaskWorkload, { action, reason }: TriggerDecision): TaskWorkload {
  return {
    workload,
    wantedSince,
    result: 'Successful',
    why: `${action === 'Write' ? 'triggered' : 'left alone'}: ${reason}`,
  };
}

/** A workload whose binding isn't there: final, as the seed says. */
export function notFound({ workload, wantedSince }: TaskWorkload): TaskWorkload {
  return {
    workload,
    wantedSince,
    result: 'Failed',
    reason: 'ReferencedBindingNotFound',
    why: 'not found: it has no binding',
  };
}

/** What was decided for many workloads, each reason once: "98 triggered: it was last scheduled before; 2 not found: it has no binding". */
export function summarise(results: readonly TaskWorkload[]): string {
  const byReason = Map.groupBy(results, ({ why }) => why ?? 'left for a later delivery');
  return [...byReason].map(([why, { length }]) => `${length} ${why}`).join('; ');
}
