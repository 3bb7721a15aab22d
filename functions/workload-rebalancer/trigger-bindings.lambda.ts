/** Hears that a chunk was planned; writes the triggers of its workloads and records the results. */
import { awsBus, awsHubs, awsTasks } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { BindingChanged } from '../../shared/events/catalogue/binding-changed.ts';
import { RebalanceChunkPlanned } from '../../shared/events/catalogue/rebalance-chunk-planned.ts';
import { RebalanceFinished } from '../../shared/events/catalogue/rebalance-finished.ts';
import { RebalanceProgressed } from '../../shared/events/catalogue/rebalance-progressed.ts';
import type { EvenkeelEvent } from '../../shared/events/event.ts';
import { EVENKEEL_SCHEDULER } from '../../shared/model/assignment/scheduling-decision.ts';
import { bindingKey, bindingResource } from '../../shared/model/binding.ts';
import { asFault, Fault } from '../../shared/model/fault.ts';
import { referenceLabel } from '../../shared/model/object-reference.ts';
import {
  type Chunk,
  isResolved,
  type RebalanceTask,
  type SeenBinding,
  type TaskWorkload,
} from '../../shared/model/rebalance-task.ts';
import { unread } from '../../shared/model/resource.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { seenBinding } from './read-bindings.ts';
import { completionOf, recordResults } from './record-results.ts';
import {
  decideTrigger,
  dueIn,
  notFound,
  succeeded,
  summarise,
  triggerAuthor,
  triggerPatch,
} from './trigger-bindings.ts';

type Uses = Pick<Ports, 'hubs' | 'tasks' | 'bus'> & Surroundings;

/** Writes to one binding that meet another writer's, before the workload is left for a later delivery. */
const CONFLICTS = 5;

export const task = queueTask({ hears: [RebalanceChunkPlanned], run });

async function run(detail: { hub: string; uid: string; plan: string; chunk: number }, ports: Uses): Promise<Outcome> {
  const task = await ports.tasks.readTask(detail);
  if (task?.plan !== detail.plan || task.state === 'Abandoned') return { reason: 'the plan was replaced' };
  const chunk = await ports.tasks.readChunk(detail, detail.chunk);
  if (chunk === undefined) {
    // Rows are written before the plan is, and read consistently: this one is lost, and does not come back.
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

  const { triggered, fault } = await triggerAll(hub, chunk, { author: triggerAuthor(task), now: ports.now });
  const results = triggered.map(({ workload }) => workload);
  // The hub's hook does not tell of what we write ourselves. Before the results: a replay says it again.
  await ports.bus.publish(forOurScheduler(detail.hub, triggered));
  const saved = await save(recordResults(chunk, results), results, ports);
  if (completionOf(saved) === undefined) {
    throw fault ?? new Fault('retryable', 'some bindings kept changing under the write', { reason: 'Conflict' });
  }
  const outcome = await complete(saved, task, ports);
  return { ...outcome, reason: `${summarise(results)} (${outcome.reason})` };
}

/** Who asks, and what time it is. */
type Asking = Pick<Surroundings, 'now'> & { readonly author: string };

interface Triggered {
  readonly workload: TaskWorkload;
  /** The binding as it was last read; absent where it is not there, or was not reached. */
  readonly seen?: SeenBinding;
}

function forOurScheduler(hub: string, triggered: readonly Triggered[]): EvenkeelEvent[] {
  const ours = triggered.filter(({ seen }) => seen?.schedulerName === EVENKEEL_SCHEDULER);
  return ours.map(({ workload }) => BindingChanged.of({ hub, ...bindingKey(workload.workload) }));
}

/** All at once; the hub's adapter keeps to its budget of requests in flight. A fault of one workload leaves that one for later. */
async function triggerAll(
  hub: Hub,
  chunk: Chunk,
  asking: Asking,
): Promise<{ triggered: Triggered[]; fault: Fault | undefined }> {
  let fault: Fault | undefined;
  const pending = chunk.workloads.filter((workload) => !isResolved(workload));
  const triggered = await Promise.all(
    pending.map((workload) =>
      trigger(hub, workload, asking).catch((thrown: unknown): Triggered => {
        fault ??= asFault(thrown);
        return { workload };
      }),
    ),
  );
  return { triggered, fault };
}

async function trigger(hub: Hub, workload: TaskWorkload, { author, now }: Asking): Promise<Triggered> {
  const resource = bindingResource(workload.workload);
  const key = bindingKey(workload.workload);
  let seen = workload.seen;
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    if (seen === undefined) {
      const binding = await hub.get(resource, key);
      if (binding === undefined) return { workload: notFound(workload) };
      seen = seenBinding(binding);
    }
    const decision = decideTrigger(workload.wantedSince, seen, author);
    if (decision.action === 'Keep') return { workload: succeeded(workload, decision), seen };
    const retryAfterMs = dueIn(decision.rescheduleTriggeredAt, now());
    if (retryAfterMs > 0) {
      const label = referenceLabel(workload.workload);
      throw new Fault('limited', `the trigger of ${label} is ahead of the clock`, {
        reason: 'TriggerAhead',
        retryAfterMs,
      });
    }
    const written = await hub.patch(unread(resource), key, {
      merge: triggerPatch(seen, decision.rescheduleTriggeredAt, author),
    });
    if (written.verdict === 'done') return { workload: succeeded(workload, decision), seen };
    if (written.verdict === 'missing') return { workload: notFound(workload) };
    seen = undefined;
  }
  return { workload };
}

/** Writes the row; where another delivery wrote first, adds to what that one wrote. */
async function save(chunk: Chunk, results: readonly TaskWorkload[], ports: Uses): Promise<Chunk> {
  let next: Chunk | undefined = chunk;
  while (next !== undefined) {
    if (await ports.tasks.saveChunk(next)) return next;
    const stored = await ports.tasks.readChunk({ ...chunk.task, plan: chunk.plan }, chunk.number);
    next = stored && recordResults(stored, results);
  }
  throw new Fault('retryable', `chunk ${chunk.number} of plan ${chunk.plan} has no row`, { reason: 'ChunkMissing' });
}

/** Fan-in: whoever takes the last chunk out finishes the task; a redelivery finds that done and says it again. */
async function complete(chunk: Chunk, task: RebalanceTask, ports: Uses): Promise<Outcome> {
  const completion = completionOf(chunk);
  if (completion === undefined) return { reason: 'the chunk is not done' };
  const completed = await ports.tasks.completeChunk(task, completion, ports.now());
  if (completed.verdict === 'stale') return { reason: 'the plan was replaced' };
  const { hub, uid, name, pendingChunks } = completed.task;
  const fields = { chunk: chunk.number, successful: completion.successful, failed: completion.failed };
  if (pendingChunks.length > 0) {
    await ports.bus.publish([RebalanceProgressed.of({ hub, uid, name })]);
    return { reason: `chunk ${chunk.number} is done, ${pendingChunks.length} are not`, fields };
  }
  const finished = await ports.tasks.finish(task, ports.now());
  if (finished.verdict === 'stale') return { reason: 'the plan was replaced', fields };
  await ports.bus.publish([RebalanceFinished.of({ hub, uid, name })]);
  return { reason: `chunk ${chunk.number} is done, the last one`, fields };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
