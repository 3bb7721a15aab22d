/** Decides what follows the triggers of a chunk: its rest again, or the completion of the chunk and of its task. */
import {
  BindingChanged,
  RebalanceChunkPlanned,
  RebalanceFinished,
  RebalanceProgressed,
} from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { PublishedOutcome } from '../../shared/bus/published-outcome.ts';
import { count } from '../../shared/core/count.ts';
import { Fault } from '../../shared/core/fault.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import { objectiveTelemetry, TRIGGER_SECONDS } from '../../shared/core/objectives.ts';
import type { Settings } from '../../shared/core/settings.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import type { Identity } from '../../shared/kubernetes/hub.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import {
  isResolved,
  type RebalanceTask,
  type TaskKey,
  type TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Committed, Completion } from '../../shared/workload-rebalancer/task-store.ts';
import { isOfOurScheduler, type Triggered } from './trigger-bindings.ts';

export interface ChunkKey extends TaskKey {
  readonly plan: string;
  readonly chunk: number;
}

/** The task of a chunk, if its plan is still the current one. */
export function taskOf(stored: RebalanceTask | undefined, { plan }: ChunkKey): RebalanceTask | undefined {
  return stored?.plan === plan && stored.state !== 'Abandoned' ? stored : undefined;
}

export const REPLACED = 'the plan was replaced';

/** Rows are written before the plan, and read consistently: a missing one is lost permanently. */
export function lostRow({ chunk }: ChunkKey): string {
  return `chunk ${chunk} has lost its row; resync plans the rebalancer anew`;
}

/** Whether its moves are written as assignments, without a trigger. */
export function isWithoutTrigger({ preservesAvailable, drains, assigns }: RebalanceTask): boolean {
  return preservesAvailable === true || drains !== undefined || assigns === true;
}

/** Whether ready replicas may stop before others are ready. Those of a drain are held, and only unschedulable ones move where available replicas are preserved. */
export function isDisrupting(task: RebalanceTask): boolean {
  return task.assigns === true || !isWithoutTrigger(task);
}

/** Why no more triggers are written for the rebalancer; undefined if they are. */
export function whyStop(
  identity: Identity | undefined,
  task: RebalanceTask,
): { readonly reason: string; readonly abandons: boolean } | undefined {
  if (identity?.uid !== task.uid)
    return { reason: 'the rebalancer is gone; its remaining workloads are left alone', abandons: true };
  if (identity.generation === task.generation) return undefined;
  return { reason: 'the rebalancer was edited; its next plan follows', abandons: false };
}

/** How many times hubInFlight bindings are read before the first of them is written: on a hub that takes 10 s for a response, an invocation still writes some. */
const ROUNDS = 2;

/** The workloads in the portions that are read, and then written. */
export function inRounds(
  workloads: readonly TaskWorkload[],
  { hubInFlight }: Pick<Settings, 'hubInFlight'>,
): readonly (readonly TaskWorkload[])[] {
  const atOnce = hubInFlight * ROUNDS;
  return Array.from({ length: Math.ceil(workloads.length / atOnce) }, (_, round) =>
    workloads.slice(round * atOnce, (round + 1) * atOnce),
  );
}

/** The bindings of our scheduler that it has not assigned yet. */
export function forOurScheduler(hub: string, triggered: readonly Triggered[]): EvenkeelEvent[] {
  const ours = triggered.filter(({ seen, isScheduled }) => isOfOurScheduler(seen) && !isScheduled);
  return ours.map(({ workload }) => BindingChanged.of({ hub, ...bindingKey(workload.workload) }));
}

/** Whether triggers were written in time. Of `pending`, a workload that has a reason already waited for a limit that a user set. */
export function triggerTelemetry(
  pending: readonly TaskWorkload[],
  triggered: readonly Triggered[],
  now: Instant,
): readonly TelemetryEntry[] {
  const waited = new Set(pending.flatMap(({ why, workload }) => (why === undefined ? [] : [referenceKey(workload)])));
  const ages = triggered.flatMap(({ workload: { result, workload, wantedSince } }) =>
    result === 'Successful' && !waited.has(referenceKey(workload)) ? [now - wantedSince] : [],
  );
  const kept = ages.filter((age) => age <= TRIGGER_SECONDS * SECOND).length;
  return objectiveTelemetry('triggers', { kept, missed: ages.length - kept });
}

/** The results of a delivery, and its faults in the order in which they occurred. */
export interface Delivery {
  readonly results: readonly TaskWorkload[];
  readonly faults: readonly Fault[];
  /** Workloads that wait for the budgets of the hub; the chunk is published again for them later. */
  readonly waiting?: readonly unknown[];
}

/**
 * Reports the results, and plans the rest as a new message: a delivery with progress must not count as a failed
 * attempt. Example: a hub that allows 30 of 100 writes per invocation needs four; and a binding that can't be written for minutes
 * delays only its own result. Without progress the fault is thrown.
 */
export function restOfChunk(
  { hub, uid, plan, chunk }: ChunkKey,
  { name }: RebalanceTask,
  { results, faults, waiting = [] }: Delivery,
): PublishedOutcome {
  const open = results.filter((workload) => !isResolved(workload)).length;
  if (waiting.length > 0 && open === waiting.length && faults.length === 0) {
    const fields = { chunk, waiting: waiting.length };
    return { reason: summarise(results), fields, events: [RebalanceProgressed.of({ hub, uid, name })] };
  }
  const why = whyUnfinished({ results, faults });
  if (!results.some(isResolved)) throw why;
  const left = results.filter((workload) => !isResolved(workload)).length;
  return {
    reason: `${summarise(results)} (chunk ${chunk} goes on: ${why.message})`,
    fields: { chunk, left },
    events: [RebalanceProgressed.of({ hub, uid, name }), RebalanceChunkPlanned.of({ hub, uid, name, plan, chunk })],
  };
}

/** A terminal fault of one workload would end the message, and the held triggers would wait for resync: it counts last. */
function whyUnfinished({ results, faults }: Delivery): Fault {
  const passing = faults.find(({ retryClass }) => retryClass !== 'terminal');
  return passing ?? heldFault(results) ?? faults.at(-1) ?? keptChanging();
}

function keptChanging(): Fault {
  return new Fault('retryable', 'some bindings kept changing under the write', { reason: 'Conflict' });
}

/**
 * A trigger is held for at most a second, and a queue delivers a message again no sooner: the fault names no time. A workload with a result
 * holds no trigger.
 */
function heldFault(results: readonly TaskWorkload[]): Fault | undefined {
  const held = results.filter(({ held }) => held !== undefined).length;
  if (held === 0) return undefined;
  const message = `${count(held, 'trigger')} held for a second of the scheduler's clock`;
  return new Fault('limited', message, { reason: 'TriggerHeld' });
}

/** Fan-in: the delivery that completes the last chunk finishes the task. */
export function isLastChunk(completed: Committed): boolean {
  return completed.result !== 'stale' && completed.task.pendingChunks.length === 0;
}

export function afterChunk(completed: Committed, completion: Completion): PublishedOutcome {
  if (completed.result === 'stale') return { reason: REPLACED, events: [] };
  const { hub, uid, name, pendingChunks } = completed.task;
  return {
    reason: `chunk ${completion.number} is done, ${pendingChunks.length} are not`,
    fields: fieldsOf(completion),
    events: [RebalanceProgressed.of({ hub, uid, name })],
  };
}

/** A redelivery publishes the event again. */
export function afterLastChunk(finished: Committed, completion: Completion): PublishedOutcome {
  const fields = fieldsOf(completion);
  if (finished.result === 'stale') return { reason: REPLACED, fields, events: [] };
  const { hub, uid, name } = finished.task;
  const reason = `chunk ${completion.number} is done, the last one`;
  return { reason, fields, events: [RebalanceFinished.of({ hub, uid, name })] };
}

function fieldsOf({ number, successful, failed }: Completion) {
  return { chunk: number, successful, failed };
}

/** Summary by reason: "98 triggered: it was last scheduled before; 2 not found: it has no binding". */
export function summarise(results: readonly TaskWorkload[]): string {
  const byReason = groupBy(
    results,
    ({ why, held }) => why ?? (held ? 'held for a second' : 'left for a later delivery'),
  );
  return [...byReason].map(([why, { length }]) => `${length} ${why}`).join('; ');
}
