/** Writes the triggers of a chunk's workloads to their bindings, and the results to its row. */
import { RebalanceChunkPlanned } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { OneTimeSchedule } from '../../shared/bus/one-time-schedule.ts';
import { writeSchedule } from '../../shared/bus/write-schedule.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault, type Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import type { Hub, Hubs, Written } from '../../shared/kubernetes/hub.ts';
import { clusterScoped } from '../../shared/kubernetes/object-event.ts';
import { unread, writtenVersion } from '../../shared/kubernetes/resource.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import type { Budget } from '../../shared/move-budget/budget.ts';
import type { Disruptions } from '../../shared/move-budget/disruption-budget.ts';
import { type BudgetPorts, decideWithin, markWritten, moveRules } from '../../shared/move-budget/write-grants.ts';
import { getFleet } from '../../shared/rebalance-policy/read-fleet.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import type { AssignmentPorts } from '../../shared/scheduler/write-assignments.ts';
import { seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import {
  type Chunk,
  isResolved,
  type RebalanceTask,
  type SeenBinding,
  type TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Completion, TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  afterChunk,
  afterLastChunk,
  type ChunkKey,
  forOurScheduler,
  isDisrupting,
  isLastChunk,
  isWithoutTrigger,
  restOfChunk,
  summarise,
  triggerTelemetry,
} from './chunk-progress.ts';
import { completionOf, recordResults, storedRow } from './record-results.ts';
import {
  afterTrigger,
  failbackPatch,
  keepsLaterTerm,
  type PendingWorkloads,
  plannedOn,
  type Triggered,
  type TriggerResults,
  type TriggerWrite,
  triggerPatch,
  triggerStep,
} from './trigger-bindings.ts';
import {
  askAgainAt,
  grantWorkloads,
  moverOf,
  type WithinBudget,
  waitingEvent,
  waitingWorkload,
  writtenOf,
} from './within-budget.ts';
import { writeMoves } from './write-moves.ts';
import { writeScheduledTriggers } from './write-scheduled-triggers.ts';

export interface WriteTriggersContext extends AssignmentPorts, BudgetPorts {
  readonly hubs: Pick<Hubs, 'uses'>;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
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
  const { granted, failed, waiting, isCounted } = await grantMoves(hub, { task, workloads: pending }, ports);
  const write = isWithoutTrigger(task) ? writeMoves : triggerPending;
  const { triggered, faults } = await write(hub, { task, workloads: granted }, ports);
  await markWritten(hub, { mover: moverOf(task), bindings: writtenOf(triggered, { isCounted }) }, ports);
  const results = [...triggered.map(({ workload }) => workload), ...failed, ...waiting.map(waitingWorkload)];
  // The hub's hook ignores our own writes. Published before the results are saved: a redelivery publishes again.
  await ports.bus.publish(forOurScheduler(hub.name, triggered));
  const completion = completionOf(await save(chunk, results, ports));
  emit(ports.telemetry, triggerTelemetry(pending, triggered, ports.now()));
  if (completion === undefined) {
    const key = { ...chunk.task, plan: chunk.plan, chunk: chunk.number };
    const rest = restOfChunk(key, task, { results, faults, waiting });
    await ports.tasks.markProgressed(task, ports.now());
    if (waiting.length > 0) await wait(hub, { task, key, waiting }, ports);
    return publishOutcome(rest, ports);
  }
  const outcome = await complete(completion, task, ports);
  return { ...outcome, reason: `${summarise(results)} (${outcome.reason})` };
}

/** On a hub without budgets all, and nothing is read. */
async function grantMoves(
  hub: Hub,
  { task, workloads }: PendingWorkloads,
  ports: WriteTriggersContext,
): Promise<WithinBudget> {
  const namespaces = new Set(workloads.map(({ workload }) => workload.namespace));
  const keys = workloads.map(({ workload }) => bindingKey(workload));
  const rules = await moveRules(hub, { namespaces, isDisrupting: isDisrupting(task) }, ports);
  // A hub without rules may serve no clusters: they are read after the rules.
  if (rules === undefined) return { granted: workloads, failed: [], waiting: [], isCounted: false };
  const [{ candidates }, clusters] = await Promise.all([getFleet(hub, keys), readClusters(hub)]);
  const failback = await ports.hubs.uses(hub.name, 'failback');
  const inputs = { task, workloads, candidates, clusters, failback };
  const decide = (budget: Budget, disruptions: Disruptions) => grantWorkloads({ ...inputs, disruptions }, budget);
  return decideWithin(hub, { rules, candidates, decide }, ports);
}

/** Publishes the chunk again when a limit may allow more, and writes an Event for its users. */
async function wait(
  hub: Hub,
  {
    task,
    key,
    waiting,
  }: { readonly task: RebalanceTask; readonly key: ChunkKey; readonly waiting: WithinBudget['waiting'] },
  { schedule, now }: WriteTriggersContext,
): Promise<void> {
  const { hub: name, uid, chunk, plan } = key;
  const event = RebalanceChunkPlanned.of({ hub: name, uid, name: task.name, plan, chunk });
  const at = askAgainAt(waiting, now());
  await writeSchedule(schedule, { purpose: 'rebalance-chunk', hub: name, uid: `${uid}/${chunk}`, at }, event);
  await writeEvent(hub, clusterScoped(workloadRebalancers, task), {
    objectEvent: waitingEvent(task, waiting),
    now: now(),
  });
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
  let seen = plannedOn(workload);
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    seen ??= await readSeen(hub, workload);
    const { write, triggered } = triggerStep(task, workload, { seen, now: now() });
    if (write === undefined) return triggered;
    const result = await writeTrigger(hub, workload, { ...write, hubs });
    if (result !== 'conflict') return afterTrigger(result, triggered);
    seen = undefined;
  }
  return { workload };
}

async function readSeen(hub: Hub, { workload }: TaskWorkload): Promise<SeenBinding | undefined> {
  const binding = await hub.get(bindingResource(workload), bindingKey(workload));
  return binding && seenBinding(binding, workload);
}

async function writeTrigger(
  hub: Hub,
  { workload }: TaskWorkload,
  { seen, trigger, hubs }: TriggerWrite & Pick<WriteTriggersContext, 'hubs'>,
): Promise<Written<unknown>['result']> {
  const resource = bindingResource(workload);
  const key = bindingKey(workload);
  let { resourceVersion } = seen;
  if (keepsLaterTerm(seen) && (await hubs.uses(hub.name, 'failback'))) {
    const cleared = await hub.patch(writtenVersion(resource), key, {
      merge: failbackPatch(seen),
      subresource: 'status',
    });
    if (cleared.result !== 'done') return cleared.result;
    ({ resourceVersion } = cleared.object);
  }
  return (await hub.patch(unread(resource), key, { merge: triggerPatch(resourceVersion, trigger) })).result;
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
