/** Decides how far the rebalance of one workload has come: a trigger on the binding is not yet a scheduler that has acted. */
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import type { Instant } from '../../shared/model/time.ts';
import type { ObservedWorkload } from '../../shared/model/workload-rebalancer.ts';

export type WorkloadState = 'waiting' | 'triggered' | 'rescheduled' | 'failed';

/** Of the binding, before the rebalancer was created. */
export interface Before {
  readonly trigger: Instant | undefined;
  readonly scheduled: Instant | undefined;
}

export interface Sight {
  /** Undefined where there is none any more. */
  readonly binding: PlacedBinding | undefined;
  readonly result: ObservedWorkload | undefined;
  /** Whether the rebalancer is there no more: then nobody is left to trigger. */
  readonly rebalancerGone: boolean;
}

export interface Judgement {
  readonly state: WorkloadState;
  readonly reason: string;
  /** Of a failure: the scheduler tries again, so it may yet come right. */
  readonly mayRecover?: true;
}

export function beforeOf({ spec, status }: PlacedBinding): Before {
  return { trigger: spec.rescheduleTriggeredAt ?? undefined, scheduled: status.lastScheduledTime ?? undefined };
}

/** `since`: the creation of the rebalancer, by the hub's clock, in whole seconds. */
export function judgeWorkload({ binding, result, rebalancerGone }: Sight, before: Before, since: Instant): Judgement {
  if (result?.result === 'Failed') return failed('it has no binding any more');
  if (binding === undefined) return failed('its binding is gone');
  const trigger = binding.spec.rescheduleTriggeredAt ?? undefined;
  if (trigger === undefined || trigger < since) {
    if (rebalancerGone) return failed('the rebalancer was deleted before it was triggered');
    return { state: 'waiting', reason: 'it is not triggered yet' };
  }
  if (hasActed(binding, trigger, before)) return { state: 'rescheduled', reason: 'the scheduler has assigned it anew' };
  if (binding.spec.suspension?.scheduling === true)
    return failed('its scheduling is suspended (spec.suspension.scheduling of its binding)');
  const refused = refusalOf(binding);
  if (refused !== undefined) return { ...failed(refused), mayRecover: true };
  return { state: 'triggered', reason: `${schedulerOf(binding)} has not acted on the trigger yet` };
}

/**
 * That it was scheduled at or after the trigger is not enough where both fall in the second in which it was scheduled
 * before: triggered at :07, last scheduled at :07 by an earlier change, it stays where it is, and for good. A trigger that
 * stood there already was another's, who asked for the same in the same second.
 */
function hasActed({ status }: PlacedBinding, trigger: Instant, before: Before): boolean {
  const scheduled = status.lastScheduledTime ?? undefined;
  if (scheduled === undefined || scheduled < trigger) return false;
  return before.scheduled === undefined || scheduled > before.scheduled || trigger === before.trigger;
}

/** What the scheduler says of this generation, where it found no place. */
function refusalOf({ metadata, status }: PlacedBinding): string | undefined {
  if ((status.schedulerObservedGeneration ?? 0) < metadata.generation) return undefined;
  const scheduled = status.conditions.find(({ type }) => type === 'Scheduled');
  if (scheduled?.status !== 'False') return undefined;
  return `the scheduler found no place: ${scheduled.message ?? 'it does not say why'}`;
}

function schedulerOf({ spec }: PlacedBinding): string {
  return `scheduler ${spec.schedulerName || 'default-scheduler'}`;
}

function failed(reason: string): Judgement {
  return { state: 'failed', reason };
}
