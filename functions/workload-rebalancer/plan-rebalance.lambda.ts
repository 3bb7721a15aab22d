/** Hears that a WorkloadRebalancer changed; plans its generation, or says again what a plan made before still needs. */
import { awsBus, awsHubs, awsTasks } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceFinished } from '../../shared/events/catalogue/rebalance-finished.ts';
import { WorkloadRebalancerChanged } from '../../shared/events/catalogue/workload-rebalancer-changed.ts';
import {
  areWhole,
  isResolved,
  type RebalanceTask,
  type TaskWorkload,
  workloadsOf,
} from '../../shared/model/rebalance-task.ts';
import { type WorkloadRebalancer, workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { knownFromStatus, nextStep, planRebalance, refreshWorkloads } from './plan-rebalance.ts';
import { readBindings, seenBinding } from './read-bindings.ts';

type Uses = Pick<Ports, 'hubs' | 'tasks' | 'bus'> & Surroundings;

export const task = queueTask({ hears: [WorkloadRebalancerChanged], run });

async function run(detail: { hub: string; name: string }, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(detail.hub);
  const { object, before } = await look(hub, detail.name, ports);
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

interface Sight {
  readonly object: WorkloadRebalancer | undefined;
  readonly before: RebalanceTask | undefined;
}

/**
 * An older generation than the task has is what a hub shows that was restored from a backup, or an answer that was long under way.
 * It is asked again, until it shows the same of the same plan.
 */
async function look(hub: Hub, name: string, { tasks }: Uses): Promise<Sight> {
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
  { object, before }: Sight & { readonly object: WorkloadRebalancer },
  ports: Uses,
): Promise<Outcome> {
  const rows = before && (await ports.tasks.readChunks(before));
  const known = before && rows && areWhole(rows, before) ? workloadsOf(rows) : knownFromStatus(object);
  const workloads = await withSight(hub, refreshWorkloads(object, known, ports.now()));
  const { chunkSize, historyDays } = ports.settings;
  const input = { hub: hub.name, object, before, workloads, plan: ports.newId(), chunkSize, historyDays };
  const { task, chunks, events, reason } = planRebalance(input, ports.now());
  await ports.tasks.writeChunks(chunks, task.expiresAt);
  const committed = await ports.tasks.commitPlan(task, before?.plan);
  if (committed.verdict === 'stale') return { reason: 'another plan won; its own events follow' };
  await ports.bus.publish(events);
  return { reason, fields: { workloads: task.workloads, chunks: task.chunks } };
}

/** One bulk read for the whole task: each chunk then writes on what was seen, and reads again only what changed since. */
async function withSight(hub: Hub, workloads: readonly TaskWorkload[]): Promise<readonly TaskWorkload[]> {
  const pending = workloads.filter((workload) => !isResolved(workload));
  const bindings = await readBindings(hub, pending);
  return workloads.map((workload) => {
    const binding = isResolved(workload) ? undefined : bindings(workload.workload);
    const { seen: _old, ...rest } = workload;
    return binding ? { ...rest, seen: seenBinding(binding) } : rest;
  });
}

async function finish(before: RebalanceTask, ports: Uses): Promise<Outcome> {
  const committed = await ports.tasks.finish(before, ports.now());
  if (committed.verdict === 'stale') return { reason: 'the task moved on' };
  await ports.bus.publish([RebalanceFinished.of({ hub: before.hub, uid: before.uid, name: before.name })]);
  return { reason: 'finished' };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
