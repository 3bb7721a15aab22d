/** Decides whether a binding is scheduled now, and what is written: spec.clusters, condition and times, in karmada-scheduler's format. */

import { isSameJson } from '../../core/same-json.ts';
import { type Instant, toTimestamp } from '../../core/time.ts';
import { type Condition, withCondition } from '../../kubernetes/condition.ts';
import type { ObjectEvent } from '../../kubernetes/object-event.ts';
import { APPLIED_PLACEMENT, isWorkload, type PlacedBinding } from '../placed-binding.ts';
import type { ClusterReplicas } from './assign-replicas.ts';
import type { Cluster } from './cluster.ts';
import {
  affinityInUse,
  EVENKEEL_SCHEDULER,
  goesEverywhere,
  hasActedOnTrigger,
  isTriggered,
  modeOf,
  type Scheduling,
  scheduleBinding,
} from './plan-scheduling.ts';
import { whyDue } from './why-due.ts';

const SCHEDULED = 'Scheduled';
const SUCCEEDED: Condition = {
  type: SCHEDULED,
  status: 'True',
  reason: 'Success',
  message: 'Binding has been scheduled successfully.',
};

export interface SchedulingInput {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** Additional replicas of the binding's workload that a cluster has capacity for. */
  readonly available: (cluster: Cluster) => number;
}

/** `Observe`: the assignment stays; only the status is written, to record that this generation was observed. */
export type SchedulingDecision =
  | { readonly action: 'Leave'; readonly reason: string }
  | { readonly action: 'Observe'; readonly reason: string }
  | { readonly action: 'Write'; readonly scheduling: Scheduling; readonly reason: string };

/** Whether a scheduler of this name owns the binding. An empty name means karmada-scheduler. */
export function isScheduledBy({ metadata, spec }: PlacedBinding, scheduler: string): boolean {
  if (metadata.deletionTimestamp !== undefined || spec.placement == null || spec.suspension?.scheduling === true)
    return false;
  return (spec.schedulerName || DEFAULT_SCHEDULER) === scheduler;
}

export const DEFAULT_SCHEDULER = 'default-scheduler';

export function isOurs(binding: PlacedBinding): boolean {
  return isScheduledBy(binding, EVENKEEL_SCHEDULER);
}

export function decideScheduling({ binding, clusters, available }: SchedulingInput): SchedulingDecision {
  const due = whyDue(binding, clusters);
  if (due !== undefined || goesEverywhere(binding)) {
    const scheduling = scheduleBinding({ binding, clusters, available, mode: modeOf(binding) });
    if (due !== undefined) return { action: 'Write', scheduling, reason: due };
    if (!isAsScheduled(binding, scheduling))
      return { action: 'Write', scheduling, reason: 'other clusters fit than those that have it' };
  }
  const { metadata, status } = binding;
  if (status.schedulerObservedGeneration !== metadata.generation)
    return { action: 'Observe', reason: 'the assignment still holds; the generation is new' };
  const noted = status.conditions.some(({ type, status: is }) => type === SCHEDULED && is === 'True');
  if (!noted || (isTriggered(binding) && hasActedOnTrigger(binding)))
    return { action: 'Observe', reason: 'the assignment still holds, and the status does not show it' };
  return { action: 'Leave', reason: 'the assignment still holds' };
}

/**
 * The status of an assignment that still holds. Upstream records only the generation: 2 replicas scaled to 20, which exceeds the capacity, and back to 2
 * stay Unschedulable for good. The same happens after a crash between the writes of spec and status.
 */
export function observedStatus(binding: PlacedBinding, now: Instant): object {
  const { metadata, spec, status } = binding;
  const actedOn = isTriggered(binding) && hasActedOnTrigger(binding);
  const used = affinityInUse(binding);
  return {
    schedulerObservedGeneration: metadata.generation,
    conditions: withCondition(status.conditions, SUCCEEDED, now),
    ...(actedOn && { lastScheduledTime: scheduledAt(spec, now) }),
    ...(used !== undefined && { schedulerObservingAffinityName: used }),
  };
}

/** A trigger in the future is acted on now, and only once: upstream records an earlier time, and divides anew on every later change. */
function scheduledAt({ rescheduleTriggeredAt }: PlacedBinding['spec'], now: Instant): string {
  return toTimestamp(Math.max(now, rescheduleTriggeredAt ?? now));
}

/** The assignment of this decision: empty if no cluster fits; undefined if the current assignment stays. */
export function assignedBy(scheduling: Scheduling): readonly ClusterReplicas[] | undefined {
  if (scheduling.outcome === 'Success') return scheduling.clusters;
  return scheduling.outcome === 'NoClusterFit' ? [] : undefined;
}

/** The merge patch of the binding, with the scheduler's annotations; undefined if the spec does not change. */
export function specPatch(
  binding: PlacedBinding,
  scheduling: Scheduling,
  note: Readonly<Record<string, string>> = {},
): { readonly metadata: object; readonly spec: object } | undefined {
  const assigned = assignedBy(scheduling);
  if (assigned === undefined) return undefined;
  return {
    metadata: { annotations: { ...note, [APPLIED_PLACEMENT]: JSON.stringify(binding.storedPlacement) } },
    spec: { clusters: isWorkload(binding) ? assigned : assigned.map(({ name }) => ({ name })) },
  };
}

/** The merge patch of the status; undefined if the status is up to date. `generation`: the binding's, after its spec was written. */
export function statusPatch(
  { spec, status }: PlacedBinding,
  scheduling: Scheduling,
  { generation, now }: { readonly generation: number; readonly now: Instant },
): object | undefined {
  const scheduled = scheduling.outcome === 'Success';
  const conditions = withCondition(status.conditions, conditionOf(scheduling), now);
  if (!scheduled) return isSameJson(conditions, status.conditions) ? undefined : { conditions };
  return {
    conditions,
    schedulerObservedGeneration: generation,
    lastScheduledTime: scheduledAt(spec, now),
    ...(scheduling.affinityName !== undefined && { schedulerObservingAffinityName: scheduling.affinityName }),
  };
}

/** For display: "m1: 4, m2: 2", or the reason of the failure. */
export function schedulingText(scheduling: Scheduling): string {
  if (scheduling.outcome !== 'Success') return `${scheduling.outcome}: ${scheduling.message}`;
  return scheduling.clusters.map(({ name, replicas }) => `${name}: ${replicas}`).join(', ') || 'no cluster';
}

/** `CannotForecast` becomes SchedulerError: clients know only Karmada's reasons. */
export function conditionOf(scheduling: Scheduling): Condition {
  if (scheduling.outcome === 'Success') return SUCCEEDED;
  const { outcome, message } = scheduling;
  const reason = outcome === 'CannotForecast' ? 'SchedulerError' : outcome;
  return { type: SCHEDULED, status: 'False', reason, message };
}

/** The Event that karmada-scheduler writes on the binding and its workload. */
export function schedulingEvent(scheduling: Scheduling): Omit<ObjectEvent, 'id'> {
  const { status, message } = conditionOf(scheduling);
  if (status !== 'True') return { type: 'Warning', reason: 'ScheduleBindingFailed', message };
  const result = (assignedBy(scheduling) ?? []).map(({ name, replicas }) => `${name}:${replicas}`).join(', ');
  return { type: 'Normal', reason: 'ScheduleBindingSucceed', message: `${message} Result: {${result}}` };
}

function isAsScheduled({ spec }: PlacedBinding, scheduling: Scheduling): boolean {
  if (scheduling.outcome !== 'Success') return false;
  const sorted = [...spec.clusters].sort((a, b) => (a.name < b.name ? -1 : 1));
  return isSameJson(sorted, scheduling.clusters);
}
