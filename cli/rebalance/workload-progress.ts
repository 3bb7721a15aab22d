/** Decides the progress of one workload's rebalance: a trigger on the binding does not mean that the scheduler has acted. */
import type { Instant } from '../../shared/core/time.ts';
import { type PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { isAlwaysScheduled, isTriggerPending, triggerStateOf } from '../../shared/karmada/trigger-state.ts';
import type { ObservedWorkload, RebalanceFailedReason } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

export type WorkloadState = 'waiting' | 'triggered' | 'rescheduled' | 'failed';

/** Of the binding, before the rebalancer was created. */
export interface Before {
  readonly trigger: Instant | undefined;
  readonly scheduled: Instant | undefined;
  /** Why the scheduler found no fit. */
  readonly rejection?: string | undefined;
}

export interface WorkloadObservation {
  /** Undefined if it was deleted. */
  readonly binding: PlacedBinding | undefined;
  readonly result: ObservedWorkload | undefined;
  /** Whether the rebalancer was deleted, so that no more bindings are triggered. */
  readonly rebalancerGone: boolean;
}

export interface WorkloadProgress {
  readonly state: WorkloadState;
  readonly reason: string;
  /** For a failure: whether the scheduler retries, so that it may still succeed. */
  readonly mayRecover?: true;
}

export function beforeOf(binding: PlacedBinding): Before {
  const { spec, status } = binding;
  return {
    trigger: spec.rescheduleTriggeredAt ?? undefined,
    scheduled: status.lastScheduledTime ?? undefined,
    rejection: rejectionOf(binding),
  };
}

/** The result Failed, for display. */
const failures: Readonly<Record<string, string | undefined>> = {
  ReferencedBindingNotFound: 'it has no binding',
  ReferencedBindingMismatch: 'its binding is of another object',
  PreserveNotSupported: 'its replicas cannot be moved one by one',
  SchedulingInProgress: 'its last change was not over',
  EstimatorUnavailable: 'an estimator did not answer',
  AssignmentNotPossible: 'it cannot have the given assignment; kubectl describe workloadrebalancer names the reason',
  ExceedsBudget: 'more of its replicas would move than a MoveBudget of the hub allows',
  InsufficientCapacity: 'no other cluster has capacity for all of its unschedulable replicas',
} satisfies Record<RebalanceFailedReason, string>;

/** `since`: the creation of the rebalancer, by the hub's clock, in whole seconds. */
export function workloadProgress(observation: WorkloadObservation, before: Before, since: Instant): WorkloadProgress {
  const { binding, result, rebalancerGone } = observation;
  if (result?.result === 'Failed') return failed(failureOf(result));
  if (binding === undefined) return failed('its binding was deleted');
  if (!isTriggeredFor(observation, before, since)) {
    if (rebalancerGone) return failed('the rebalancer was deleted before it was triggered');
    return { state: 'waiting', reason: 'not triggered yet' };
  }
  const isPending = isTriggerPending(triggerStateOf(binding));
  if (!isPending && !isIgnored(binding, before)) return { state: 'rescheduled', reason: doneReason(binding, before) };
  if (binding.spec.suspension?.scheduling === true)
    return failed('its scheduling is suspended (spec.suspension.scheduling of its binding)');
  const rejection = rejectionOf(binding);
  // The scheduler does not report the generation of its failure: an unchanged message may be from before the trigger.
  if (rejection !== undefined && rejection !== before.rejection) return { ...failed(rejection), mayRecover: true };
  return { state: 'triggered', reason: `${schedulerOf(binding)} has not acted on the trigger yet` };
}

/** A reason of another version is shown as it is. */
function failureOf({ reason = 'ReferencedBindingNotFound' }: ObservedWorkload): string {
  return failures[reason] ?? reason;
}

function doneReason({ status }: PlacedBinding, { scheduled }: Before): string {
  const isReassigned = (status.lastScheduledTime ?? undefined) !== scheduled;
  return isReassigned ? 'the scheduler has reassigned it' : 'it needs no reassignment by the scheduler';
}

/**
 * By the rebalancer's result, or by a new trigger. The time of an older trigger proves nothing, since the hub's clock may
 * have been set back. If the rebalancer was deleted, the result is unknown.
 */
function isTriggeredFor(
  { binding, result, rebalancerGone }: WorkloadObservation,
  before: Before,
  since: Instant,
): boolean {
  // A rebalancer that preserves available replicas writes no trigger.
  if (result?.result === 'Successful') return true;
  const trigger = binding?.spec.rescheduleTriggeredAt ?? undefined;
  if (trigger === undefined) return false;
  return trigger >= since && (trigger !== before.trigger || rebalancerGone);
}

/**
 * A trigger that is not later than the last scheduling is ignored for good: triggered at :07, last scheduled at :07 by an
 * earlier change. Other controllers write such triggers.
 */
function isIgnored({ spec, status }: PlacedBinding, before: Before): boolean {
  const { rescheduleTriggeredAt: trigger } = spec;
  const { lastScheduledTime: scheduled } = status;
  if (trigger == null || scheduled == null || isAlwaysScheduled(spec)) return false;
  return scheduled >= trigger && scheduled === before.scheduled && trigger !== before.trigger;
}

/** The scheduler's message if it found no fit. */
function rejectionOf({ status }: PlacedBinding): string | undefined {
  const scheduled = status.conditions.find(({ type }) => type === 'Scheduled');
  if (scheduled?.status !== 'False') return undefined;
  return `the scheduler found no place: ${scheduled.message ?? 'no message'}`;
}

function schedulerOf({ spec }: PlacedBinding): string {
  return `scheduler ${spec.schedulerName || 'default-scheduler'}`;
}

function failed(reason: string): WorkloadProgress {
  return { state: 'failed', reason };
}
