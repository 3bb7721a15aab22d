/** Decides whether a binding is to be scheduled now, and what is written of it: spec.clusters, condition and times, in karmada-scheduler's shapes. */
import { type Condition, withCondition } from '../condition.ts';
import { APPLIED_PLACEMENT, isWorkload, type PlacedBinding } from '../placed-binding.ts';
import { isSameJson } from '../same-json.ts';
import { type Instant, toTimestamp } from '../time.ts';
import type { ClusterReplicas } from './assign-replicas.ts';
import type { Cluster } from './cluster.ts';
import {
  affinityInUse,
  goesEverywhere,
  hasActedOnTrigger,
  isTriggered,
  modeOf,
  type Scheduling,
  scheduleBinding,
} from './schedule-binding.ts';
import { whyDue } from './why-due.ts';

const SCHEDULED = 'Scheduled';
const SUCCEEDED: Condition = {
  type: SCHEDULED,
  status: 'True',
  reason: 'Success',
  message: 'Binding has been scheduled successfully.',
};

export interface SchedulingQuestion {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** How many more replicas of the binding's workload a cluster has room for. */
  readonly available: (cluster: Cluster) => number;
}

/** `Observe`: nothing is to be assigned anew; that this generation was looked at, and holds, is to be written. */
export type SchedulingDecision =
  | { readonly action: 'Leave'; readonly reason: string }
  | { readonly action: 'Observe'; readonly reason: string }
  | { readonly action: 'Write'; readonly scheduling: Scheduling; readonly reason: string };

/** Whether a scheduler of this name may touch the binding. Nobody's name is karmada-scheduler's. */
export function isScheduledBy({ metadata, spec }: PlacedBinding, scheduler: string): boolean {
  if (metadata.deletionTimestamp !== undefined || spec.placement == null || spec.suspension?.scheduling === true)
    return false;
  return (spec.schedulerName || DEFAULT_SCHEDULER) === scheduler;
}

export const DEFAULT_SCHEDULER = 'default-scheduler';
/** spec.schedulerName of the bindings that our scheduler function assigns. */
export const EVENKEEL_SCHEDULER = 'evenkeel';

export function isOurs(binding: PlacedBinding): boolean {
  return isScheduledBy(binding, EVENKEEL_SCHEDULER);
}

export function decideScheduling({ binding, clusters, available }: SchedulingQuestion): SchedulingDecision {
  const due = whyDue(binding, clusters);
  if (due !== undefined || goesEverywhere(binding)) {
    const scheduling = scheduleBinding({ binding, clusters, available, mode: modeOf(binding) });
    if (due !== undefined) return { action: 'Write', scheduling, reason: due };
    if (!isAsScheduled(binding, scheduling))
      return { action: 'Write', scheduling, reason: 'other clusters fit than those that have it' };
  }
  const { metadata, status } = binding;
  if (status.schedulerObservedGeneration !== metadata.generation)
    return { action: 'Observe', reason: 'what is assigned still holds; its generation is new' };
  const noted = status.conditions.some(({ type, status: is }) => type === SCHEDULED && is === 'True');
  if (!noted || (isTriggered(binding) && hasActedOnTrigger(binding)))
    return { action: 'Observe', reason: 'what is assigned holds, and its status does not say so' };
  return { action: 'Leave', reason: 'what is assigned still holds' };
}

/**
 * The status of what holds. Upstream notes the generation only: 2 replicas scaled to 20, for which there is no room, and back to 2
 * stay Unschedulable for good. The same after a crash between the write of the spec and that of the status.
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

/** A trigger ahead of our clock is acted on now, and never again: upstream notes the time before it, and divides anew with every later change. */
function scheduledAt({ rescheduleTriggeredAt }: PlacedBinding['spec'], now: Instant): string {
  return toTimestamp(Math.max(now, rescheduleTriggeredAt ?? now));
}

/** Where replicas go by this decision: where no cluster fits, what was assigned must go; undefined where it stays as it is. */
export function assignedBy(scheduling: Scheduling): readonly ClusterReplicas[] | undefined {
  if (scheduling.outcome === 'Success') return scheduling.clusters;
  return scheduling.outcome === 'NoClusterFit' ? [] : undefined;
}

/** The merge patch of the binding, with annotations of the scheduler's own; undefined where the spec is left alone. */
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

/** The status to merge; undefined where it says all that already. `generation`: the binding's, after its spec was written. */
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

/** For people: "m1: 4, m2: 2", or why not. */
export function schedulingText(scheduling: Scheduling): string {
  if (scheduling.outcome !== 'Success') return `${scheduling.outcome}: ${scheduling.message}`;
  return scheduling.clusters.map(({ name, replicas }) => `${name}: ${replicas}`).join(', ') || 'no cluster';
}

export function conditionOf(scheduling: Scheduling): Condition {
  return scheduling.outcome === 'Success'
    ? SUCCEEDED
    : { type: SCHEDULED, status: 'False', reason: scheduling.outcome, message: scheduling.message };
}

function isAsScheduled({ spec }: PlacedBinding, scheduling: Scheduling): boolean {
  if (scheduling.outcome !== 'Success') return false;
  const sorted = [...spec.clusters].sort((a, b) => (a.name < b.name ? -1 : 1));
  return isSameJson(sorted, scheduling.clusters);
}
