/** Consumes planned chunks: writes the triggers of their workloads and records the results. */
import { awsTasks } from '../../shared/adapters/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import {
  BindingChanged,
  RebalanceChunkPlanned,
  RebalanceFinished,
  RebalanceProgressed,
} from '../../shared/events/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/events/event.ts';
import { EVENKEEL_SCHEDULER } from '../../shared/model/assignment/schedule-binding.ts';
import { bindingKey, bindingResource } from '../../shared/model/binding.ts';
import { eachAtOnce } from '../../shared/model/each-at-once.ts';
import { asFault, Fault } from '../../shared/model/fault.ts';
import {
  type Chunk,
  isResolved,
  type RebalanceTask,
  type SeenBinding,
  type TaskWorkload,
} from '../../shared/model/rebalance-task.ts';
import { unread } from '../../shared/model/resource.ts';
import { count } from '../../shared/model/words.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { TaskStore } from '../../shared/ports/task-store.ts';
import { seenBinding } from './read-bindings.ts';
import { completionOf, recordResults } from './record-results.ts';
import {
  decideTrigger,
  holdTrigger,
  notFound,
  requestOf,
  succeeded,
  summarise,
  triggerPatch,
} from './trigger-bindings.ts';

interface TriggerBindingsContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
}

/** Conflicting writes to one binding before the workload is left to a later delivery. */
const CONFLICTS = 5;

export const task = queueTask({ consumes: [RebalanceChunkPlanned], run });

async function run(
  detail: { hub: string; uid: string; plan: string; chunk: number },
  ports: TriggerBindingsContext,
): Promise<Outcome> {
  const task = await ports.tasks.readTask(detail);
  if (task?.plan !== detail.plan || task.state === 'Abandoned') return { reason: 'the plan was replaced' };
  const chunk = await ports.tasks.readChunk(detail, detail.chunk);
  if (chunk === undefined) {
    // Rows are written before the plan, and read consistently: this one is lost permanently.
    await ports.tasks.abandon(task, ports.now());
    return { reason: `chunk ${detail.chunk} has lost its row; resync plans the rebalancer anew` };
  }
  if (chunk.workloads.every(isResolved)) return complete(chunk, task, ports);

  const hub = await ports.hubs.connect(detail.hub);
  const key = { namespace: '', name: task.name };
  const identity = await hub.identify(workloadRebalancers, key, { notOlderThan: task.resourceVersion });
  if (identity?.uid !== task.uid) {
    await ports.tasks.abandon(task, ports.now());
    return { reason: 'the rebalancer is gone; its remaining workloads are left alone' };
  }
  if (identity.generation !== task.generation) return { reason: 'the rebalancer was edited; its next plan follows' };

  const inFlight = ports.settings.hubInFlight;
  const { triggered, fault } = await triggerAll(hub, chunk, { task, now: ports.now, inFlight });
  const results = triggered.map(({ workload }) => workload);
  // The hub's hook ignores our own writes. Published before the results are saved: a redelivery publishes again.
  await ports.bus.publish(forOurScheduler(detail.hub, triggered));
  const saved = await save(recordResults(chunk, results), results, ports);
  if (completionOf(saved) === undefined) {
    const held = heldFault(results);
    // A terminal fault of one workload would end the message, and the held triggers would wait for resync.
    const why = (fault?.retryClass === 'terminal' ? held : fault) ?? fault ?? held ?? keptChanging;
    if (!results.some(isResolved)) throw why;
    return goOn(detail, { task, results, why }, ports);
  }
  const outcome = await complete(saved, task, ports);
  return { ...outcome, reason: `${summarise(results)} (${outcome.reason})` };
}

/**
 * Reports the results, and plans the rest as a new message: a delivery with progress must not count as a failed
 * attempt. Example: a hub that allows 30 of 100 writes per invocation needs four; and a binding that can't be written for minutes
 * delays only its own result.
 */
async function goOn(
  { hub, uid, plan, chunk }: { hub: string; uid: string; plan: string; chunk: number },
  { task, results, why }: { task: RebalanceTask; results: readonly TaskWorkload[]; why: Fault },
  ports: TriggerBindingsContext,
): Promise<Outcome> {
  const { name } = task;
  await ports.tasks.markProgressed(task, ports.now());
  await ports.bus.publish([
    RebalanceProgressed.of({ hub, uid, name }),
    RebalanceChunkPlanned.of({ hub, uid, name, plan, chunk }),
  ]);
  const left = results.filter((workload) => !isResolved(workload)).length;
  return { reason: `${summarise(results)} (chunk ${chunk} goes on: ${why.message})`, fields: { chunk, left } };
}

const keptChanging = new Fault('retryable', 'some bindings kept changing under the write', { reason: 'Conflict' });

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

/** The task, the time, and the number of requests in flight. */
type Asking = Pick<InvocationContext, 'now'> & { readonly task: RebalanceTask; readonly inFlight: number };

interface Triggered {
  readonly workload: TaskWorkload;
  /** The binding as it was last read; absent if it does not exist, or was not read. */
  readonly seen?: SeenBinding;
}

function forOurScheduler(hub: string, triggered: readonly Triggered[]): EvenkeelEvent[] {
  const ours = triggered.filter(({ seen }) => seen?.schedulerName === EVENKEEL_SCHEDULER);
  return ours.map(({ workload }) => BindingChanged.of({ hub, ...bindingKey(workload.workload) }));
}

/**
 * At most `inFlight` at once: if all ran at once and the time ended, each would have sent its first request and
 * none its last, in this delivery and in every later one. A fault of one workload leaves that one for later.
 */
async function triggerAll(
  hub: Hub,
  chunk: Chunk,
  asking: Asking,
): Promise<{ triggered: readonly Triggered[]; fault: Fault | undefined }> {
  let fault: Fault | undefined;
  const pending = chunk.workloads.filter((workload) => !isResolved(workload));
  const triggered = await eachAtOnce(pending, asking.inFlight, (workload) =>
    trigger(hub, workload, asking).catch((thrown: unknown): Triggered => {
      // One unreadable binding must not fail the others.
      if (fault === undefined || fault.retryClass === 'terminal') fault = asFault(thrown);
      return { workload };
    }),
  );
  return { triggered, fault };
}

async function trigger(hub: Hub, workload: TaskWorkload, { task, now }: Asking): Promise<Triggered> {
  const resource = bindingResource(workload.workload);
  const key = bindingKey(workload.workload);
  const request = requestOf(task, workload);
  // A row of an older version has no generation. After a hold the scheduler may have acted.
  let seen = workload.seen?.generation === undefined || workload.held ? undefined : workload.seen;
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    if (seen === undefined) {
      const binding = await hub.get(resource, key);
      if (binding === undefined) return { workload: notFound(workload) };
      seen = seenBinding(binding);
    }
    const decision = decideTrigger(request, seen);
    const held = holdTrigger(decision, { seen, held: workload.held, now: now() });
    if (held !== undefined) return { workload: { ...workload, held } };
    if (decision.action === 'Keep') return { workload: succeeded(workload, decision), seen };
    const written = await hub.patch(unread(resource), key, {
      merge: triggerPatch(seen, decision.rescheduleTriggeredAt, request),
    });
    if (written.result === 'done') return { workload: succeeded(workload, decision), seen };
    if (written.result === 'missing') return { workload: notFound(workload) };
    seen = undefined;
  }
  return { workload };
}

/** Writes the row; after a concurrent write, merges with it. */
async function save(chunk: Chunk, results: readonly TaskWorkload[], ports: TriggerBindingsContext): Promise<Chunk> {
  let next: Chunk | undefined = chunk;
  while (next !== undefined) {
    if (await ports.tasks.saveChunk(next)) return next;
    const stored = await ports.tasks.readChunk({ ...chunk.task, plan: chunk.plan }, chunk.number);
    next = stored && recordResults(stored, results);
  }
  throw new Fault('retryable', `chunk ${chunk.number} of plan ${chunk.plan} has no row`, { reason: 'ChunkMissing' });
}

/** Fan-in: the delivery that completes the last chunk finishes the task; a redelivery publishes the event again. */
async function complete(chunk: Chunk, task: RebalanceTask, ports: TriggerBindingsContext): Promise<Outcome> {
  const completion = completionOf(chunk);
  if (completion === undefined) return { reason: 'the chunk is not done' };
  const completed = await ports.tasks.completeChunk(task, completion, ports.now());
  if (completed.result === 'stale') return { reason: 'the plan was replaced' };
  const { hub, uid, name, pendingChunks } = completed.task;
  const fields = { chunk: chunk.number, successful: completion.successful, failed: completion.failed };
  if (pendingChunks.length > 0) {
    await ports.bus.publish([RebalanceProgressed.of({ hub, uid, name })]);
    return { reason: `chunk ${chunk.number} is done, ${pendingChunks.length} are not`, fields };
  }
  const finished = await ports.tasks.finish(task, ports.now());
  if (finished.result === 'stale') return { reason: 'the plan was replaced', fields };
  await ports.bus.publish([RebalanceFinished.of({ hub, uid, name })]);
  return { reason: `chunk ${chunk.number} is done, the last one`, fields };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
