/** Writes the triggers of a chunk's workloads to their bindings, and the results to its row. */
import type { EventBus } from '../../shared/bus/event-bus.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault, type Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import type { Hub, Hubs } from '../../shared/kubernetes/hub.ts';
import { unread, writtenVersion } from '../../shared/kubernetes/resource.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import type { AssignmentPorts } from '../../shared/scheduler/write-assignments.ts';
import { seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import {
  type Chunk,
  isResolved,
  type RebalanceTask,
  type TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Completion, TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import {
  afterChunk,
  afterLastChunk,
  forOurScheduler,
  isLastChunk,
  isOfOurScheduler,
  isWithoutTrigger,
  restOfChunk,
  summarise,
} from './chunk-progress.ts';
import { completionOf, recordResults, storedRow } from './record-results.ts';
import {
  afterTrigger,
  failbackPatch,
  type PendingWorkloads,
  plannedOn,
  type Triggered,
  type TriggerResults,
  triggerPatch,
  triggerStep,
} from './trigger-bindings.ts';
import { writeMoves } from './write-moves.ts';
import { writeScheduledTriggers } from './write-scheduled-triggers.ts';

export interface WriteTriggersContext extends AssignmentPorts {
  readonly hubs: Pick<Hubs, 'uses'>;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
}

/** A chunk of the current plan of `task`, some of whose workloads have no result yet. */
export interface OpenChunk {
  readonly task: RebalanceTask;
  readonly chunk: Chunk;
}

/** Conflicting writes to one binding before the workload is left to a later delivery. */
const CONFLICTS = 5;

/** Throws the Fault of a workload if no workload got a result; otherwise the rest is published as a new message. */
export async function writeTriggers(
  hub: Hub,
  { task, chunk }: OpenChunk,
  ports: WriteTriggersContext,
): Promise<Outcome> {
  const pending = chunk.workloads.filter((workload) => !isResolved(workload));
  const write = isWithoutTrigger(task) ? writeMoves : triggerPending;
  const { triggered, faults } = await write(hub, { task, workloads: pending }, ports);
  const results = triggered.map(({ workload }) => workload);
  // The hub's hook ignores our own writes. Published before the results are saved: a redelivery publishes again.
  await ports.bus.publish(forOurScheduler(hub.name, triggered));
  const completion = completionOf(await save(chunk, results, ports));
  if (completion === undefined) {
    const rest = restOfChunk({ ...chunk.task, plan: chunk.plan, chunk: chunk.number }, task, { results, faults });
    await ports.tasks.markProgressed(task, ports.now());
    return publishOutcome(rest, ports);
  }
  const outcome = await complete(completion, task, ports);
  return { ...outcome, reason: `${summarise(results)} (${outcome.reason})` };
}

async function triggerPending(
  hub: Hub,
  pending: PendingWorkloads,
  ports: WriteTriggersContext,
): Promise<TriggerResults> {
  const { scheduled, left } = await writeScheduledTriggers(hub, pending, ports);
  const { triggered, faults } = await triggerAll(hub, { ...pending, workloads: left }, ports);
  return { triggered: [...scheduled, ...triggered], faults };
}

/**
 * At most `hubInFlight` at once: if all ran at once and the time ended, each would have sent its first request and
 * none its last, in this delivery and in every later one. A fault of one workload leaves that one for later.
 */
async function triggerAll(
  hub: Hub,
  { task, workloads }: PendingWorkloads,
  { hubs, settings, now }: Pick<WriteTriggersContext, 'hubs' | 'settings' | 'now'>,
): Promise<TriggerResults> {
  const faults: Fault[] = [];
  const triggered = await eachAtOnce(workloads, settings.hubInFlight, (workload) =>
    trigger(hub, workload, { task, hubs, now }).catch((thrown: unknown): Triggered => {
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
  { task, hubs, now }: Pick<WriteTriggersContext, 'hubs' | 'now'> & { readonly task: RebalanceTask },
): Promise<Triggered> {
  const resource = bindingResource(workload.workload);
  const key = bindingKey(workload.workload);
  let seen = plannedOn(workload);
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    if (seen === undefined) {
      const binding = await hub.get(resource, key);
      seen = binding && seenBinding(binding, workload.workload);
    }
    const { trigger, triggered } = triggerStep(task, workload, { seen, now: now() });
    if (seen === undefined || trigger === undefined) return triggered;
    if (seen.usesLaterTerm && !isOfOurScheduler(seen) && (await hubs.uses(hub.name, 'failback'))) {
      const merge = failbackPatch(seen);
      const cleared = await hub.patch(writtenVersion(resource), key, { merge, subresource: 'status' });
      if (cleared.result === 'missing') return afterTrigger('missing', triggered);
      seen = cleared.result === 'done' ? { ...seen, resourceVersion: cleared.object.resourceVersion } : undefined;
      if (seen === undefined) continue;
    }
    const { result } = await hub.patch(unread(resource), key, { merge: triggerPatch(seen, trigger) });
    if (result !== 'conflict') return afterTrigger(result, triggered);
    seen = undefined;
  }
  return { workload };
}

/** Writes the row; after a concurrent write, merges with it. */
async function save(chunk: Chunk, results: readonly TaskWorkload[], { tasks }: WriteTriggersContext): Promise<Chunk> {
  let next = recordResults(chunk, results);
  while (!(await tasks.saveChunk(next))) {
    const stored = await tasks.readChunk({ ...chunk.task, plan: chunk.plan }, chunk.number);
    next = recordResults(storedRow(stored, chunk), results);
  }
  return next;
}

/** A chunk whose workloads all have their results: its task advances, or finishes. */
export async function complete(
  completion: Completion,
  task: RebalanceTask,
  ports: WriteTriggersContext,
): Promise<Outcome> {
  const completed = await ports.tasks.completeChunk(task, completion, ports.now());
  if (!isLastChunk(completed)) return publishOutcome(afterChunk(completed, completion), ports);
  return publishOutcome(afterLastChunk(await ports.tasks.finish(task, ports.now()), completion), ports);
}
