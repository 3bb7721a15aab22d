/** Decides the next step for a rebalancer as it is on the hub: a plan for its generation, or the pending events of an earlier plan. */
import { RebalanceChunkPlanned, RebalanceFinished } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { PublishedOutcome } from '../../shared/bus/published-outcome.ts';
import { count } from '../../shared/core/count.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { DAY, type Instant, wholeSecond } from '../../shared/core/time.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import {
  type Chunk,
  countResults,
  isPlanOf,
  isResolved,
  listDigestOf,
  type RebalanceTask,
  type TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Committed } from '../../shared/workload-rebalancer/task-store.ts';
import { shownFinish, type WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

export type PlanStep =
  | { readonly step: 'Plan'; readonly object: WorkloadRebalancer; readonly reason: string }
  | {
      readonly step: 'Unknown';
      readonly object: WorkloadRebalancer;
      readonly objectEvent: ObjectEvent;
      readonly reason: string;
    }
  | { readonly step: 'Finish'; readonly task: RebalanceTask; readonly reason: string }
  | { readonly step: 'Nothing' | 'Resume'; readonly events: readonly EvenkeelEvent[]; readonly reason: string };

/**
 * Whether the object and its task may be used. An older generation than the task's occurs on a hub restored from a
 * backup, or in a delayed response: two reads have to match for the same plan. `known`: the task at the read before.
 */
export function isCurrent(
  object: WorkloadRebalancer | undefined,
  before: RebalanceTask | undefined,
  known: RebalanceTask | undefined,
): boolean {
  const isOlder = object !== undefined && before !== undefined && object.generation < before.generation;
  return !isOlder || before.plan === known?.plan;
}

/**
 * The task whose results count for the next plan. Undefined on a hub that was restored from a backup: triggers of the task since then may be
 * gone, so only what the object and its bindings show was done.
 */
export function earlierTask(object: WorkloadRebalancer, before: RebalanceTask | undefined): RebalanceTask | undefined {
  const follows = before !== undefined && (object.generation > before.generation || isPlanOf(before, object));
  return follows ? before : undefined;
}

/** The next step of the object, given the task of its uid. A redelivery finds the commit done and publishes the events again. */
export function nextStep(object: WorkloadRebalancer | undefined, task: RebalanceTask | undefined): PlanStep {
  if (object === undefined) return { step: 'Nothing', events: [], reason: 'the object is gone' };
  if (object.deletionTimestamp !== undefined)
    return { step: 'Nothing', events: [], reason: 'the object is being deleted' };
  if (object.unknownFields !== undefined) return unknownFields(object, object.unknownFields);
  if (task === undefined) return { step: 'Plan', object, reason: 'there is no task for it' };
  if (task.state === 'Abandoned')
    return { step: 'Plan', object, reason: 'its task was abandoned, and the object is there' };
  // Not "less than": a hub restored from a backup has an older generation, which is the source of truth.
  if (task.generation !== object.generation) {
    return { step: 'Plan', object, reason: `generation ${object.generation} follows ${task.generation}` };
  }
  if (!isPlanOf(task, object))
    return { step: 'Plan', object, reason: `generation ${object.generation} has another list: the hub was restored` };
  if (task.state === 'Finished') return { step: 'Resume', events: [finished(task)], reason: 'it is finished' };
  if (task.pendingChunks.length === 0)
    return { step: 'Finish', task, reason: 'its last chunk is in, its finish is not' };
  return { step: 'Resume', events: chunksPlanned(task), reason: `${task.pendingChunks.length} chunks are pending` };
}

/**
 * Nothing is done for an object with a field that this version does not implement: it may restrict which replicas move. The Event has
 * the generation in its id, so that a generation has one.
 */
function unknownFields(object: WorkloadRebalancer, fields: readonly string[]): PlanStep {
  const [is, it] = fields.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const reason = `${fields.join(', ')} ${is} not implemented by this version of Evenkeel; remove ${it}, or upgrade`;
  const id = `unknown-fields-${object.generation}`;
  const message = `Nothing is rescheduled: ${reason}`;
  return { step: 'Unknown', object, objectEvent: { type: 'Warning', reason: 'UnknownField', message, id }, reason };
}

export interface PlanInput {
  readonly hub: string;
  readonly object: WorkloadRebalancer;
  readonly before: RebalanceTask | undefined;
  readonly workloads: readonly TaskWorkload[];
  /** Unique id of this plan. */
  readonly plan: string;
  readonly chunkSize: number;
  readonly historyDays: number;
  /** Undefined if no traces are exported. */
  readonly traceId?: string | undefined;
}

export interface Plan {
  readonly task: RebalanceTask;
  readonly chunks: readonly Chunk[];
  readonly events: readonly EvenkeelEvent[];
  readonly reason: string;
}

/** Divides the workloads into chunks and computes the task. Without pending workloads it is finished at once, and keeps its finish time. */
export function planRebalance(input: PlanInput, now: Instant): Plan {
  const { hub, object, before, workloads, plan } = input;
  const chunks = cut(input);
  const { pending } = countResults(workloads);
  const done = chunks.filter((chunk) => chunk.workloads.every(isResolved));
  const { successful, failed } = countResults(done.flatMap((chunk) => chunk.workloads));
  const finishTime = (before === undefined ? object.status.finishTime : finishOf(before, object)) ?? now;
  const task: RebalanceTask = {
    hub,
    uid: object.uid,
    name: object.name,
    creationTimestamp: object.creationTimestamp,
    generation: object.generation,
    listDigest: listDigestOf(object.workloads),
    resourceVersion: object.resourceVersion,
    ...(shownFinish(object, object.generation) === undefined && { statusVersion: object.resourceVersion }),
    plan,
    state: pending > 0 ? 'Running' : 'Finished',
    ...(object.ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished: object.ttlSecondsAfterFinished }),
    ...(object.preservesAvailable && { preservesAvailable: true }),
    ...(object.drains !== undefined && { drains: object.drains, ...(object.share && { share: object.share }) }),
    ...(object.assigns !== undefined && { assigns: true }),
    ...(object.policy !== undefined && { ofPolicy: true }),
    workloads: workloads.length,
    successful,
    failed,
    chunks: chunks.length,
    pendingChunks: chunks.filter((chunk) => !done.includes(chunk)).map(({ number }) => number),
    ...(pending === 0 && { finishTime: wholeSecond(finishTime) }),
    ...(pending === 0 && before?.rescheduling && { rescheduling: before.rescheduling }),
    ...(input.traceId !== undefined && { traceId: input.traceId }),
    quietSince: now,
    updatedAt: now,
    expiresAt: now + input.historyDays * DAY,
  };
  return {
    task,
    chunks,
    events: pending > 0 ? chunksPlanned(task) : [finished(task)],
    reason: `generation ${object.generation}: of ${count(workloads.length, 'workload')} ${pending} to trigger, in ${count(task.pendingChunks.length, 'chunk')}`,
  };
}

/** Of two concurrent plans for a generation one is committed. */
export function afterPlan(committed: Committed, { task, events, reason }: Plan): PublishedOutcome {
  if (committed.result === 'stale') return { reason: 'another plan won; its own events follow', events: [] };
  return { reason, fields: { workloads: task.workloads, chunks: task.chunks }, events };
}

/**
 * The chunk that the invocation of the plan triggers itself. If it fails, its message is delivered again, finds the plan, and
 * publishes the chunk's event. Of several chunks each has its own invocation.
 */
export function onlyOpenChunk({ result }: Committed, { task: { pendingChunks }, chunks }: Plan): Chunk | undefined {
  if (result !== 'done') return undefined;
  const [first, ...others] = pendingChunks;
  return others.length > 0 ? undefined : chunks.find(({ number }) => number === first);
}

/** The result of a plan and of the triggers of its only open chunk. */
export function afterTriggers({ task, reason }: Plan, triggered: Outcome): Outcome {
  const { workloads, chunks } = task;
  return { reason: `${reason}; ${triggered.reason}`, fields: { workloads, chunks, ...triggered.fields } };
}

export function afterFinish(committed: Committed, task: RebalanceTask): PublishedOutcome {
  if (committed.result === 'stale') return { reason: 'the task moved on', events: [] };
  return { reason: 'finished', events: [finished(task)] };
}

/**
 * Not the status alone: it may be the finish of an earlier generation, and the ttl would count from there. One of a later generation than the
 * task's, as after a restore of the table, counts.
 */
function finishOf({ finishTime, generation }: RebalanceTask, object: WorkloadRebalancer): Instant | undefined {
  if (finishTime === undefined) return undefined;
  return shownFinish(object, Math.max(generation, object.status.observedGeneration)) ?? finishTime;
}

/** The bindings with the highest schedulePriority are in the first chunks. */
function cut({ hub, object, workloads, plan, chunkSize }: PlanInput): Chunk[] {
  const task = { hub, uid: object.uid };
  const ordered = [...workloads].sort((a, b) => (b.seen?.priority ?? 0) - (a.seen?.priority ?? 0));
  return Array.from({ length: Math.ceil(ordered.length / chunkSize) }, (_, number) => ({
    task,
    plan,
    number,
    version: 0,
    workloads: ordered.slice(number * chunkSize, (number + 1) * chunkSize),
  }));
}

function chunksPlanned({ hub, uid, name, plan, pendingChunks }: RebalanceTask): EvenkeelEvent[] {
  return pendingChunks.map((chunk) => RebalanceChunkPlanned.of({ hub, uid, name, plan, chunk }));
}

function finished({ hub, uid, name }: RebalanceTask): EvenkeelEvent {
  return RebalanceFinished.of({ hub, uid, name });
}
