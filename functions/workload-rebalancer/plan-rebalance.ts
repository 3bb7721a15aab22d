/** Decides, for a rebalancer as the hub shows it, what comes next: a plan for its generation, or what a plan made before still needs. */
import { RebalanceChunkPlanned } from '../../shared/events/catalogue/rebalance-chunk-planned.ts';
import { RebalanceFinished } from '../../shared/events/catalogue/rebalance-finished.ts';
import type { EvenkeelEvent } from '../../shared/events/event.ts';
import { compareReferences, distinctReferences, referenceKey } from '../../shared/model/object-reference.ts';
import {
  type Chunk,
  countResults,
  isResolved,
  type RebalanceTask,
  type TaskWorkload,
} from '../../shared/model/rebalance-task.ts';
import { DAY, type Instant, wholeSecond } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import type { WorkloadRebalancer } from '../../shared/model/workload-rebalancer.ts';

export type NextStep =
  | { readonly step: 'Nothing'; readonly reason: string }
  | { readonly step: 'Plan'; readonly reason: string }
  | { readonly step: 'Finish'; readonly reason: string }
  | { readonly step: 'Resume'; readonly events: readonly EvenkeelEvent[]; readonly reason: string };

/** What the object needs, given the task kept for its uid. A replay finds the commit done and says the events again. */
export function nextStep(object: WorkloadRebalancer | undefined, task: RebalanceTask | undefined): NextStep {
  if (object === undefined) return { step: 'Nothing', reason: 'the object is gone' };
  if (object.deletionTimestamp !== undefined) return { step: 'Nothing', reason: 'the object is being deleted' };
  if (task === undefined) return { step: 'Plan', reason: 'there is no task for it' };
  if (task.state === 'Abandoned') return { step: 'Plan', reason: 'its task was abandoned, and the object is there' };
  // Not "less than": a hub restored from a backup shows an older generation, and what it shows is the truth.
  if (task.generation !== object.generation) {
    return { step: 'Plan', reason: `generation ${object.generation} follows ${task.generation}` };
  }
  if (task.state === 'Finished') return { step: 'Resume', events: [finished(task)], reason: 'it is finished' };
  if (task.pendingChunks.length === 0) return { step: 'Finish', reason: 'its last chunk is in, its finish is not' };
  return { step: 'Resume', events: chunksPlanned(task), reason: `${task.pendingChunks.length} chunks are pending` };
}

/**
 * The workloads of a generation: those of the spec, with what is known of them, and those that left the spec after they
 * succeeded. `known` comes from the task before, or from the object's status where the task was lost.
 *
 * Worked example: known a=Successful b=(none) c=Failed; the spec now lists c, d. Then: a stays (it happened), b goes,
 * c stays Failed (final), d is added and wanted since this change.
 */
export function refreshWorkloads(
  object: WorkloadRebalancer,
  known: readonly TaskWorkload[],
  now: Instant,
): readonly TaskWorkload[] {
  const before = new Map(known.map((workload) => [referenceKey(workload.workload), workload]));
  const wanted = distinctReferences(object.workloads);
  const wantedKeys = new Set(wanted.map(referenceKey));
  const added = wantedSince(object, now);
  const listed = wanted.map((workload) => before.get(referenceKey(workload)) ?? { workload, wantedSince: added });
  const kept = known.filter(
    ({ workload, result }) => result === 'Successful' && !wantedKeys.has(referenceKey(workload)),
  );
  return [...listed, ...kept].sort((a, b) => compareReferences(a.workload, b.workload));
}

/**
 * Since when a workload new to the list wants its rescheduling: the object's creation, as the seed says, as long as the
 * spec is the first one; after an edit the hub's time of that edit, else the time it is first seen.
 * Why not always the creation: a trigger between creation and edit, acted on already, would count for a workload that
 * was asked for only afterwards.
 */
function wantedSince(object: WorkloadRebalancer, now: Instant): Instant {
  return wholeSecond(object.generation === 1 ? object.creationTimestamp : (object.changedAt ?? now));
}

/** What the object's own status tells, for a task that was lost. */
export function knownFromStatus(object: WorkloadRebalancer): readonly TaskWorkload[] {
  const wantedSince = wholeSecond(object.creationTimestamp);
  return object.status.observedWorkloads.map((observed) => ({ ...observed, wantedSince }));
}

export interface PlanInput {
  readonly hub: string;
  readonly object: WorkloadRebalancer;
  readonly before: RebalanceTask | undefined;
  readonly workloads: readonly TaskWorkload[];
  /** Names this plan; unique. */
  readonly plan: string;
  readonly chunkSize: number;
  readonly historyDays: number;
}

export interface Plan {
  readonly task: RebalanceTask;
  readonly chunks: readonly Chunk[];
  readonly events: readonly EvenkeelEvent[];
  readonly reason: string;
}

/** Cuts the workloads into chunks and says what the task is now. Without pending work it is finished at once, and its finish time stays. */
export function planRebalance(input: PlanInput, now: Instant): Plan {
  const { hub, object, before, workloads, plan } = input;
  const chunks = cut(input);
  const { pending } = countResults(workloads);
  const done = chunks.filter((chunk) => chunk.workloads.every(isResolved));
  const { successful, failed } = countResults(done.flatMap((chunk) => chunk.workloads));
  // The status' own only where the task is lost: beside a task it may be of a finish before, and the ttl would count from there.
  const finishTime = (before === undefined ? object.status.finishTime : before.finishTime) ?? now;
  const task: RebalanceTask = {
    hub,
    uid: object.uid,
    name: object.name,
    creationTimestamp: object.creationTimestamp,
    generation: object.generation,
    resourceVersion: object.resourceVersion,
    plan,
    state: pending > 0 ? 'Running' : 'Finished',
    ...(object.ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished: object.ttlSecondsAfterFinished }),
    workloads: workloads.length,
    successful,
    failed,
    chunks: chunks.length,
    pendingChunks: chunks.filter((chunk) => !done.includes(chunk)).map(({ number }) => number),
    ...(pending === 0 && { finishTime: wholeSecond(finishTime) }),
    ...(pending === 0 && before?.rescheduling && { rescheduling: before.rescheduling }),
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

function cut({ hub, object, workloads, plan, chunkSize }: PlanInput): Chunk[] {
  const task = { hub, uid: object.uid };
  return Array.from({ length: Math.ceil(workloads.length / chunkSize) }, (_, number) => ({
    task,
    plan,
    number,
    version: 0,
    workloads: workloads.slice(number * chunkSize, (number + 1) * chunkSize),
  }));
}

function chunksPlanned({ hub, uid, name, plan, pendingChunks }: RebalanceTask): EvenkeelEvent[] {
  return pendingChunks.map((chunk) => RebalanceChunkPlanned.of({ hub, uid, name, plan, chunk }));
}

function finished({ hub, uid, name }: RebalanceTask): EvenkeelEvent {
  return RebalanceFinished.of({ hub, uid, name });
}
