/** Consumes planned chunks: writes the triggers of their workloads and records the results. */
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { RebalanceChunkPlanned } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault, type Fault } from '../../shared/core/fault.ts';
import type { InvocationContext, Outcome } from '../../shared/core/invocation.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import type { Hub, Hubs } from '../../shared/kubernetes/hub.ts';
import { unread } from '../../shared/kubernetes/resource.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import {
  type Chunk,
  isResolved,
  type RebalanceTask,
  type TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Completion, TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  afterChunk,
  afterLastChunk,
  type ChunkKey,
  forOurScheduler,
  isLastChunk,
  lostRow,
  REPLACED,
  restOfChunk,
  summarise,
  taskOf,
  whyStop,
} from './chunk-progress.ts';
import { completionOf, recordResults, storedRow } from './record-results.ts';
import { afterTrigger, plannedOn, type Triggered, triggerStep } from './trigger-bindings.ts';

interface TriggerBindingsContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
}

/** Conflicting writes to one binding before the workload is left to a later delivery. */
const CONFLICTS = 5;

export const task = queueTask({ consumes: [RebalanceChunkPlanned], run });

async function run(detail: ChunkKey, ports: TriggerBindingsContext): Promise<Outcome> {
  const task = taskOf(await ports.tasks.readTask(detail), detail);
  if (task === undefined) return { reason: REPLACED };
  const chunk = await ports.tasks.readChunk(detail, detail.chunk);
  if (chunk === undefined) return abandon(task, lostRow(detail), ports);
  const before = completionOf(chunk);
  if (before !== undefined) return complete(before, task, ports);

  const hub = await ports.hubs.connect(detail.hub);
  const key = { namespace: '', name: task.name };
  const identity = await hub.identify(workloadRebalancers, key, { notOlderThan: task.resourceVersion });
  const stop = whyStop(identity, task);
  if (stop !== undefined) return stop.abandons ? abandon(task, stop.reason, ports) : { reason: stop.reason };

  const { triggered, faults } = await triggerAll(hub, { task, chunk }, ports);
  const results = triggered.map(({ workload }) => workload);
  // The hub's hook ignores our own writes. Published before the results are saved: a redelivery publishes again.
  await ports.bus.publish(forOurScheduler(detail.hub, triggered));
  const completion = completionOf(await save(chunk, results, ports));
  if (completion === undefined) {
    const rest = restOfChunk(detail, task, { results, faults });
    await ports.tasks.markProgressed(task, ports.now());
    return publishOutcome(rest, ports);
  }
  const outcome = await complete(completion, task, ports);
  return { ...outcome, reason: `${summarise(results)} (${outcome.reason})` };
}

async function abandon(task: RebalanceTask, reason: string, ports: TriggerBindingsContext): Promise<Outcome> {
  await ports.tasks.abandon(task, ports.now());
  return { reason };
}

/**
 * At most `hubInFlight` at once: if all ran at once and the time ended, each would have sent its first request and
 * none its last, in this delivery and in every later one. A fault of one workload leaves that one for later.
 */
async function triggerAll(
  hub: Hub,
  { task, chunk }: { readonly task: RebalanceTask; readonly chunk: Chunk },
  { settings, now }: TriggerBindingsContext,
): Promise<{ readonly triggered: readonly Triggered[]; readonly faults: readonly Fault[] }> {
  const faults: Fault[] = [];
  const pending = chunk.workloads.filter((workload) => !isResolved(workload));
  const triggered = await eachAtOnce(pending, settings.hubInFlight, (workload) =>
    trigger(hub, workload, { task, now }).catch((thrown: unknown): Triggered => {
      // One unreadable binding must not fail the others.
      faults.push(asFault(thrown));
      return { workload };
    }),
  );
  return { triggered, faults };
}

async function trigger(
  hub: Hub,
  workload: TaskWorkload,
  { task, now }: Pick<InvocationContext, 'now'> & { readonly task: RebalanceTask },
): Promise<Triggered> {
  const resource = bindingResource(workload.workload);
  const key = bindingKey(workload.workload);
  let seen = plannedOn(workload);
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    seen ??= await hub.get(resource, key);
    const { patch, triggered } = triggerStep(task, workload, { seen, now: now() });
    if (patch === undefined) return triggered;
    const { result } = await hub.patch(unread(resource), key, { merge: patch });
    if (result !== 'conflict') return afterTrigger(result, triggered);
    seen = undefined;
  }
  return { workload };
}

/** Writes the row; after a concurrent write, merges with it. */
async function save(chunk: Chunk, results: readonly TaskWorkload[], { tasks }: TriggerBindingsContext): Promise<Chunk> {
  let next = recordResults(chunk, results);
  while (!(await tasks.saveChunk(next))) {
    const stored = await tasks.readChunk({ ...chunk.task, plan: chunk.plan }, chunk.number);
    next = recordResults(storedRow(stored, chunk), results);
  }
  return next;
}

async function complete(completion: Completion, task: RebalanceTask, ports: TriggerBindingsContext): Promise<Outcome> {
  const completed = await ports.tasks.completeChunk(task, completion, ports.now());
  if (!isLastChunk(completed)) return publishOutcome(afterChunk(completed, completion), ports);
  return publishOutcome(afterLastChunk(await ports.tasks.finish(task, ports.now()), completion), ports);
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
