/** Decides for one workload whether its binding needs a trigger, and its time. */

import type { Fault } from '../../shared/core/fault.ts';
import { type Instant, SECOND, toTimestamp, wholeSecond } from '../../shared/core/time.ts';
import { EVENKEEL_SCHEDULER } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { REQUEST_VERSION, REQUESTED_AT, TRIGGERED_AT, TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import { isPassDue, isTriggerPending } from '../../shared/karmada/trigger-state.ts';
import { isSameObject, type ObjectReference, referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { isLaterVersion } from '../../shared/kubernetes/resource-version.ts';
import type { NewTrigger } from '../../shared/scheduler/decide-assignments.ts';
import type {
  HeldTrigger,
  RebalanceTask,
  SeenBinding,
  TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';

export type TriggerDecision =
  | { readonly action: 'Write'; readonly rescheduleTriggeredAt: Instant; readonly reason: string }
  | { readonly action: 'Keep'; readonly reason: string };

/** A rebalancer's request for one workload. */
export interface TriggerRequest {
  readonly wantedSince: Instant;
  /** "<name>/<uid>" of the rebalancer. */
  readonly author: string;
  /**
   * The rebalancer's resourceVersion when the workload was first planned: not before the request, and not after its own
   * trigger. A later plan's version, after an edit, would make rebalancers created in between seem earlier, so that their triggers are replaced.
   */
  readonly version?: string;
}

/**
 * The trigger for a binding, such that a rescheduling after the request is never lost, never requested twice by one rebalancer, and the
 * field never goes backwards. karmada-scheduler acts if rescheduleTriggeredAt is later than lastScheduledTime. The former is the API server's
 * time, the latter the scheduler's, so no rule compares them. If the state is unknown, a trigger is written: an extra pass is
 * harmless, a lost one is not.
 *
 * Rules, first match:
 *  1. Signed by this rebalancer for this request: an earlier delivery wrote it. First, or a redelivery would trigger again.
 *  2. Not earlier than requested, and the scheduler has yet to process the binding: that pass comes after the request.
 *  3. Signed by another rebalancer for a request with a later version: its pass comes after ours too.
 *     A user's later trigger may have replaced it: then either it was acted on before, or that one is. Not if a user reverted it.
 *  4. Otherwise write: the requested time, or the first that is later than the current trigger and the last scheduling.
 *     Example: created 10:00:05, scheduled 10:00:07 (a scale-up, Steady). 10:00:05 would be ignored; 10:00:08 is not. A scheduler an
 *     hour ahead has recorded 11:00:07, and the trigger is 11:00:08.
 *     For a binding that every change assigns anew (a ClusterRole's, Duplicated) lastScheduledTime does not matter, and the
 *     time is the one that clients compare with the rebalancer's creation.
 */
export function decideTrigger(request: TriggerRequest, binding: SeenBinding): TriggerDecision {
  const { wantedSince, author, version } = request;
  const { rescheduleTriggeredAt: trigger, lastScheduledTime: scheduled, signature } = binding;
  if (trigger !== undefined && trigger >= wantedSince) {
    if (signature?.triggeredBy === author && (signature.requestedAt ?? trigger) >= wantedSince)
      return { action: 'Keep', reason: 'this rebalancer has triggered it before' };
    if (isTriggerPending(binding) && isPassDue(binding) === true)
      return { action: 'Keep', reason: 'a trigger is waiting for the scheduler' };
  }
  if (trigger !== undefined && trigger >= (signature?.triggeredAt ?? Number.POSITIVE_INFINITY)) {
    if (signature?.triggeredBy !== author && isLaterVersion(version, signature?.requestVersion) === false)
      return { action: 'Keep', reason: "a later rebalancer's trigger is written" };
  }
  const afterScheduling = scheduled === undefined || binding.isAlwaysScheduled ? wantedSince : next(scheduled);
  const afterTrigger = trigger === undefined ? wantedSince : next(trigger);
  const rescheduleTriggeredAt = Math.max(wantedSince, afterScheduling, afterTrigger);
  return { action: 'Write', rescheduleTriggeredAt, reason: reasonOf(rescheduleTriggeredAt) };

  function reasonOf(time: Instant): string {
    if (time > wantedSince && time === afterScheduling) return 'it was scheduled since, without a trigger of ours';
    if (time > wantedSince) return 'the scheduler has passed the trigger that stood there';
    return binding.isAlwaysScheduled ? 'every change has it scheduled' : 'it was last scheduled before';
  }
}

/** The first whole second after it. */
function next(instant: Instant): Instant {
  return wholeSecond(instant) + SECOND;
}

/** Maximum holds of one trigger: otherwise a binding that is scheduled every second would block its workload forever. */
const MOST_HOLDS = 3;

/**
 * Whether to hold the trigger for a second; undefined: write now. Two cases:
 *  - The trigger is one second after the last scheduling. If it is written in that same second, the scheduler acts on it, records an
 *    earlier time, and assigns anew at the next change. One second later the scheduler's time has
 *    passed the trigger's, whatever time it shows.
 *  - A pass is due, and may be in progress: if it began before the trigger, it records a later time, and the trigger is never acted on.
 * Our time only measures the second: if it was changed in between, the trigger is written.
 */
export function holdTrigger(
  decision: TriggerDecision,
  { seen, held, now }: { readonly seen: SeenBinding; readonly held: HeldTrigger | undefined; readonly now: Instant },
): HeldTrigger | undefined {
  if (decision.action === 'Keep' || seen.isAlwaysScheduled) return undefined;
  const { lastScheduledTime: scheduled } = seen;
  if (scheduled === undefined) return undefined;
  const left = held === undefined ? 0 : held.until - now;
  if (held !== undefined && left > 0 && left <= SECOND) return held;
  const isOfNextSecond = decision.rescheduleTriggeredAt === next(scheduled) && held?.lastScheduledTime !== scheduled;
  const mayBeRunning = isPassDue(seen) === true && held === undefined;
  const times = (held?.times ?? 0) + 1;
  if ((!isOfNextSecond && !mayBeRunning) || times > MOST_HOLDS) return undefined;
  return { until: now + SECOND, times, lastScheduledTime: scheduled };
}

/** The author of a task's triggers: for the annotation, read by users and redeliveries. */
export function triggerAuthor({ name, uid }: Pick<RebalanceTask, 'name' | 'uid'>): string {
  return `${name}/${uid}`;
}

/** The request of a task for one of its workloads. */
function requestOf(
  task: Pick<RebalanceTask, 'name' | 'uid'>,
  { wantedSince, wantedVersion: version }: TaskWorkload,
): TriggerRequest {
  return { wantedSince, author: triggerAuthor(task), ...(version !== undefined && { version }) };
}

/** The trigger with its signature. */
export function signedTrigger(
  seen: SeenBinding,
  rescheduleTriggeredAt: Instant,
  { author, wantedSince, version }: TriggerRequest,
): NewTrigger {
  const annotations = {
    [TRIGGERED_BY]: author,
    [TRIGGERED_AT]: toTimestamp(rescheduleTriggeredAt),
    [REQUESTED_AT]: toTimestamp(wantedSince),
    ...(version !== undefined && { [REQUEST_VERSION]: latest(version, seen.signature?.requestVersion) }),
  };
  return { rescheduleTriggeredAt, annotations };
}

/** A small write, conditional on the version that was read. */
export function triggerPatch(resourceVersion: string, { rescheduleTriggeredAt, annotations }: NewTrigger): object {
  return {
    metadata: { resourceVersion, annotations },
    spec: { rescheduleTriggeredAt: toTimestamp(rescheduleTriggeredAt) },
  };
}

/** Whether its scheduler, which is not ours, would go on from a later term of clusterAffinities. */
export function keepsLaterTerm(seen: SeenBinding): boolean {
  return seen.usesLaterTerm === true && !isOfOurScheduler(seen);
}

export function isOfOurScheduler(seen: SeenBinding | undefined): boolean {
  return seen?.schedulerName === EVENKEEL_SCHEDULER;
}

/**
 * Has karmada-scheduler start from the first term of clusterAffinities. Before 1.19 it starts from the term that its status names, on a
 * trigger too. It ignores the write itself, because the generation stays.
 */
export function failbackPatch({ resourceVersion }: SeenBinding): object {
  return { metadata: { resourceVersion }, status: { schedulerObservingAffinityName: null } };
}

/**
 * The trigger is written after the request whose signature it replaces, so it counts for that one too. Example: a user replaces a later
 * rebalancer's trigger, and ours replaces both; a redelivery of the later one finds its version, and does not trigger again.
 */
function latest(version: string, signed: string | undefined): string {
  return signed !== undefined && isLaterVersion(signed, version) === true ? signed : version;
}

/** Workloads of a task without a result. */
export interface PendingWorkloads {
  readonly task: RebalanceTask;
  readonly workloads: readonly TaskWorkload[];
}

/** What became of pending workloads: one that is in neither list is left for a later delivery. */
export interface TriggerResults {
  readonly triggered: readonly Triggered[];
  readonly faults: readonly Fault[];
}

export interface Triggered {
  readonly workload: TaskWorkload;
  /** The binding as it was last read; absent if it does not exist, or was not read. */
  readonly seen?: SeenBinding;
  /** Whether our scheduler has assigned its replicas too. */
  readonly isScheduled?: true;
}

/** The binding as the plan saw it. Undefined: read it. A row of an older version has no generation. After a hold the scheduler may have acted. */
export function plannedOn({ seen, held }: TaskWorkload): SeenBinding | undefined {
  return seen?.generation === undefined || held ? undefined : seen;
}

/** What a step knows of a workload's binding: undefined if it has none. */
interface StepInput {
  readonly seen: SeenBinding | undefined;
  readonly now: Instant;
  /** Whether its new assignment is part of the write: no scheduler acts on it then, at whatever time. */
  readonly isScheduledWithIt?: boolean;
}

/** A trigger, and the binding as it was read for it. */
export interface TriggerWrite {
  readonly seen: SeenBinding;
  readonly trigger: NewTrigger;
}

/** The next trigger for a workload, absent if there is none, and the workload after it is written. */
export function triggerStep(
  task: Pick<RebalanceTask, 'name' | 'uid'>,
  workload: TaskWorkload,
  { seen, now, isScheduledWithIt = false }: StepInput,
): { readonly write?: TriggerWrite; readonly triggered: Triggered } {
  const failure = bindingFailure(workload, seen);
  if (failure !== undefined || seen === undefined) return { triggered: { workload: failure ?? workload } };
  const request = requestOf(task, workload);
  const decision = decideTrigger(request, seen);
  const held = isScheduledWithIt ? undefined : holdTrigger(decision, { seen, held: workload.held, now });
  if (held !== undefined) return { triggered: { workload: { ...workload, held } } };
  const triggered = { workload: succeeded(workload, decision, seen), seen };
  if (decision.action === 'Keep') return { triggered };
  return { write: { seen, trigger: signedTrigger(seen, decision.rescheduleTriggeredAt, request) }, triggered };
}

/** The result of a workload that has no binding, or one of another object; undefined if its binding is its own. */
export function bindingFailure(workload: TaskWorkload, seen: SeenBinding | undefined): TaskWorkload | undefined {
  if (seen === undefined) return notFound(workload);
  const { resource } = seen;
  return resource === undefined || isSameObject(resource, workload.workload)
    ? undefined
    : mismatched(workload, resource);
}

/** After the response to the write: the binding may have been deleted since it was read. */
export function afterTrigger(result: 'done' | 'missing', triggered: Triggered): Triggered {
  return result === 'done' ? triggered : { workload: notFound(triggered.workload) };
}

/** A workload after its binding's trigger was written. */
function succeeded(
  { workload, wantedSince }: TaskWorkload,
  { action, reason }: TriggerDecision,
  { resource }: SeenBinding,
): TaskWorkload {
  const version = resource === undefined ? '' : `; its binding is of ${resource.apiVersion}`;
  return {
    workload,
    wantedSince,
    result: 'Successful',
    why: `${action === 'Write' ? 'triggered' : 'left alone'}: ${reason}${version}`,
  };
}

/** A workload without a binding: final, as upstream. */
function notFound({ workload, wantedSince }: TaskWorkload): TaskWorkload {
  return {
    workload,
    wantedSince,
    result: 'Failed',
    reason: 'ReferencedBindingNotFound',
    why: 'not found: it has no binding',
  };
}

/**
 * A workload whose binding is of another object: Karmada derives a binding's name from the lower case of name and kind, and from no API group.
 * Not triggered, because that would reschedule a workload that the rebalancer does not name. Final, as a missing binding is.
 */
function mismatched({ workload, wantedSince }: TaskWorkload, resource: ObjectReference): TaskWorkload {
  return {
    workload,
    wantedSince,
    result: 'Failed',
    reason: 'ReferencedBindingMismatch',
    why: `not triggered: its binding is of ${resource.apiVersion} ${referenceLabel(resource)}`,
  };
}
