/**
 * Whether a binding's scheduler has acted on its trigger. The order comes from generations of the API server, not from
 * timestamps: the trigger's time is the API server's or ours, lastScheduledTime the scheduler's, and they may differ by an hour.
 */
import { type Instant, wholeSecond } from '../core/time.ts';

/** What a decision reads of a binding and its scheduler. */
export interface TriggerState {
  /** Increases with every change of the spec, so with every trigger. */
  readonly generation?: number;
  /** The generation at the scheduler's last completed pass. A failed attempt does not set it. */
  readonly schedulerObservedGeneration?: number;
  readonly rescheduleTriggeredAt?: Instant;
  readonly lastScheduledTime?: Instant;
  readonly isAlwaysScheduled?: true;
  /** Whether it is assigned by another term of clusterAffinities than the first. */
  readonly usesLaterTerm?: true;
}

/** The binding's fields from which its TriggerState is read. */
interface ObservedBinding {
  readonly metadata: { readonly generation: number };
  readonly spec: ScheduledSpec & { readonly rescheduleTriggeredAt?: Instant | null | undefined };
  readonly status?:
    | {
        readonly lastScheduledTime?: Instant | null | undefined;
        readonly schedulerObservedGeneration?: number | null | undefined;
        readonly schedulerObservingAffinityName?: string | null | undefined;
      }
    | null
    | undefined;
}

export function triggerStateOf({ metadata, spec, status }: ObservedBinding): TriggerState {
  const { schedulerObservedGeneration: observed, schedulerObservingAffinityName: inUse } = status ?? {};
  return {
    generation: metadata.generation,
    ...(observed != null && { schedulerObservedGeneration: observed }),
    ...(spec.rescheduleTriggeredAt != null && { rescheduleTriggeredAt: spec.rescheduleTriggeredAt }),
    ...(status?.lastScheduledTime != null && { lastScheduledTime: status.lastScheduledTime }),
    ...(isAlwaysScheduled(spec) && { isAlwaysScheduled: true }),
    ...(usesLaterTerm(spec.placement?.clusterAffinities, inUse) && { usesLaterTerm: true }),
  };
}

/** Whether the term in use, `status.schedulerObservingAffinityName`, is one of these and not the first. */
export function usesLaterTerm(
  terms: readonly { readonly affinityName: string }[] | null | undefined,
  inUse: string | null | undefined,
): boolean {
  return (terms ?? []).findIndex(({ affinityName }) => affinityName === inUse) > 0;
}

/** The fields of a binding's spec that determine when its scheduler assigns it anew. */
interface ScheduledSpec {
  readonly replicas?: number | undefined;
  readonly replicaRequirements?: unknown;
  readonly components?: readonly unknown[] | null | undefined;
  readonly placement?:
    | {
        readonly replicaScheduling?: { readonly replicaSchedulingType?: string | null | undefined } | null | undefined;
        readonly clusterAffinities?: readonly { readonly affinityName: string }[] | null | undefined;
      }
    | null
    | undefined;
}

/**
 * Whether the scheduler assigns the binding anew on every change of the spec, with the same result as on a trigger: bindings without replicas
 * to divide. Not with clusterAffinities: since Karmada 1.19 a trigger starts from the first of them. Not with static weights: the
 * result would be the same, but without a trigger later than lastScheduledTime the scheduler does not compute it.
 */
export function isAlwaysScheduled({ replicas, replicaRequirements, components, placement }: ScheduledSpec): boolean {
  if (placement == null || placement.clusterAffinities != null) return false;
  // replicaScheduling without a type is Divided, by the CRD's default.
  return (
    !needsCapacity({ replicas, replicaRequirements, components }) ||
    placement.replicaScheduling == null ||
    placement.replicaScheduling.replicaSchedulingType === 'Duplicated'
  );
}

/** Whether it has replicas, of itself or of components, or may be scaled to some. */
export function needsCapacity({
  replicas = 0,
  replicaRequirements,
  components,
}: Pick<ScheduledSpec, 'replicas' | 'replicaRequirements' | 'components'>): boolean {
  return replicas > 0 || replicaRequirements != null || (components ?? []).length > 0;
}

/** karmada-scheduler's own condition for a fresh assignment at its next pass. */
function isLaterThanScheduling({
  rescheduleTriggeredAt: trigger,
  lastScheduledTime: scheduled,
}: TriggerState): boolean {
  if (trigger === undefined) return false;
  return scheduled === undefined || wholeSecond(trigger) > wholeSecond(scheduled);
}

/** Whether the scheduler has yet to complete a pass over the current generation; undefined if it does not report generations. */
export function isPassDue({
  generation,
  schedulerObservedGeneration: observed,
  lastScheduledTime: scheduled,
}: TriggerState): boolean | undefined {
  if (generation === undefined || (observed === undefined && scheduled !== undefined)) return undefined;
  return observed === undefined || observed < generation;
}

/**
 * Whether the trigger still waits for the scheduler: a pass is due, and that pass acts on the trigger.
 * Example: a scheduler whose time is an hour behind acts on a trigger of 10:00:05 and records 09:00:06. By timestamps the trigger would
 * wait for an hour; by the observed generation, it was acted on. A scheduler that does not report generations is compared by time.
 */
export function isTriggerPending(state: TriggerState): boolean {
  if (state.rescheduleTriggeredAt === undefined) return false;
  if (!isLaterThanScheduling(state) && !state.isAlwaysScheduled) return false;
  return isPassDue(state) ?? isLaterThanScheduling(state);
}
