/** Consumes WorkloadRebalancerChanged: plans the generation, or republishes the pending events of an earlier plan. */
import { awsTasks } from '../../shared/adapters/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceFinished, WorkloadRebalancerChanged } from '../../shared/events/catalogue.ts';
import type { Fault } from '../../shared/model/fault.ts';
import {
  areWhole,
  isResolved,
  type RebalanceTask,
  type TaskWorkload,
  workloadsOf,
} from '../../shared/model/rebalance-task.ts';
import { type WorkloadRebalancer, workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { TaskStore } from '../../shared/ports/task-store.ts';
import { knownFromStatus, nextStep, planRebalance, refreshWorkloads } from './plan-rebalance.ts';
import { hubIsAway, readBindings, seenBinding } from './read-bindings.ts';

interface PlanRebalanceContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
}

export const task = queueTask({ consumes: [WorkloadRebalancerChanged], run });

async function run(detail: { hub: string; name: string }, ports: PlanRebalanceContext): Promise<Outcome> {
  const hub = await ports.hubs.connect(detail.hub);
  const { object, before } = await readRebalancer(hub, detail.name, ports);
  const next = nextStep(object, before);
  switch (next.step) {
    case 'Nothing':
      return next;
    case 'Resume':
      await ports.bus.publish(next.events);
      return next;
    case 'Finish':
      return before ? finish(before, ports) : next;
    case 'Plan':
      return object ? plan(hub, { object, before }, ports) : next;
  }
}

interface RebalancerAndTask {
  readonly object: WorkloadRebalancer | undefined;
  readonly before: RebalanceTask | undefined;
}

/**
 * An older generation than the task's occurs on a hub restored from a backup, or in a delayed response.
 * It is read again, until two reads match for the same plan.
 */
async function readRebalancer(hub: Hub, name: string, { tasks }: PlanRebalanceContext): Promise<RebalancerAndTask> {
  let known: RebalanceTask | undefined;
  for (;;) {
    const object = await hub.get(workloadRebalancers, { namespace: '', name });
    const before = object && (await tasks.readTask({ hub: hub.name, uid: object.uid }));
    const isOlder = object !== undefined && before !== undefined && object.generation < before.generation;
    if (!isOlder || before.plan === known?.plan) return { object, before };
    known = before;
  }
}

async function plan(
  hub: Hub,
  { object, before }: RebalancerAndTask & { readonly object: WorkloadRebalancer },
  ports: PlanRebalanceContext,
): Promise<Outcome> {
  const rows = before && (await ports.tasks.readChunks(before));
  const known = before && rows && areWhole(rows, before) ? workloadsOf(rows) : knownFromStatus(object);
  const workloads = await withHeldTriggers(hub, refreshWorkloads(object, known, ports.now()));
  const { chunkSize, historyDays } = ports.settings;
  const input = { hub: hub.name, object, before, workloads, plan: ports.newId(), chunkSize, historyDays };
  const { task, chunks, events, reason } = planRebalance(input, ports.now());
  await ports.tasks.writeChunks(chunks, task.expiresAt);
  const committed = await ports.tasks.commitPlan(task, before?.plan);
  if (committed.result === 'stale') return { reason: 'another plan won; its own events follow' };
  await ports.bus.publish(events);
  return { reason, fields: { workloads: task.workloads, chunks: task.chunks } };
}

/**
 * One bulk read for the whole task: each chunk then writes with the observed versions, and reads again only what changed. A binding that could
 * not be read is read by its chunk, so that only its workload is delayed.
 */
async function withHeldTriggers(hub: Hub, workloads: readonly TaskWorkload[]): Promise<readonly TaskWorkload[]> {
  const pending = workloads.filter((workload) => !isResolved(workload));
  const faults: Fault[] = [];
  const bindings = await readBindings(hub, pending, (fault) => faults.push(fault));
  const away = hubIsAway(faults);
  if (away !== undefined && !pending.some(({ workload }) => bindings(workload))) throw away;
  return workloads.map((workload) => {
    const binding = isResolved(workload) ? undefined : bindings(workload.workload);
    const { seen: _old, ...rest } = workload;
    return binding ? { ...rest, seen: seenBinding(binding) } : rest;
  });
}

async function finish(before: RebalanceTask, ports: PlanRebalanceContext): Promise<Outcome> {
  const committed = await ports.tasks.finish(before, ports.now());
  if (committed.result === 'stale') return { reason: 'the task moved on' };
  await ports.bus.publish([RebalanceFinished.of({ hub: before.hub, uid: before.uid, name: before.name })]);
  return { reason: 'finished' };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
