/** Consumes WorkloadRebalancerChanged: plans the generation and triggers a single chunk, or republishes the pending events of an earlier plan. */
import { awsAssignments } from '../../shared/aws/dynamodb/dynamodb-assignment-store.ts';
import { awsMoveLedger } from '../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsEstimators } from '../../shared/aws/hub-estimators.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { activeTraceId } from '../../shared/core/tracing.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { clusterScoped } from '../../shared/kubernetes/object-event.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { readBindings } from '../../shared/workload-rebalancer/read-bindings.ts';
import type { RebalanceTask } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { type WorkloadRebalancer, workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  afterFinish,
  afterPlan,
  afterTriggers,
  earlierTask,
  isCurrent,
  nextStep,
  onlyOpenChunk,
  type PlanStep,
  planRebalance,
} from './plan-rebalance.ts';
import { knownWorkloads, refreshWorkloads, unresolved, withBindings } from './refresh-workloads.ts';
import { writeTriggers } from './write-triggers.ts';

const factories = {
  hubs: awsHubs,
  tasks: awsTasks,
  bus: awsBus,
  estimators: awsEstimators,
  assignments: awsAssignments,
  ledger: awsMoveLedger,
  schedule: awsSchedule,
};
type PlanRebalanceContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [WorkloadRebalancerChanged], run });

async function run(detail: { hub: string; name: string }, ports: PlanRebalanceContext): Promise<Outcome> {
  const hub = await ports.hubs.connect(detail.hub);
  const { object, before } = await readRebalancer(hub, detail.name, ports);
  const next = nextStep(object, before);
  if (next.step === 'Plan') return plan(hub, { object: next.object, before }, ports);
  if (next.step === 'Unknown') return warn(hub, next, ports);
  if (next.step === 'Finish') {
    const finished = await ports.tasks.finish(next.task, ports.now());
    return publishOutcome(afterFinish(finished, next.task), ports);
  }
  return publishOutcome(next, ports);
}

async function warn(
  hub: Hub,
  { object, objectEvent, reason }: Extract<PlanStep, { readonly step: 'Unknown' }>,
  { now }: PlanRebalanceContext,
): Promise<Outcome> {
  const regarding = clusterScoped(workloadRebalancers, object);
  const failure = await writeEvent(hub, regarding, { objectEvent, now: now() });
  return { reason, ...(failure !== undefined && { fields: { unwritten: failure } }) };
}

interface RebalancerAndTask {
  readonly object: WorkloadRebalancer | undefined;
  readonly before: RebalanceTask | undefined;
}

async function readRebalancer(hub: Hub, name: string, { tasks }: PlanRebalanceContext): Promise<RebalancerAndTask> {
  let known: RebalanceTask | undefined;
  for (;;) {
    const object = await hub.get(workloadRebalancers, { namespace: '', name });
    const before = object && (await tasks.readTask({ hub: hub.name, uid: object.uid }));
    if (isCurrent(object, before, known)) return { object, before };
    known = before;
  }
}

async function plan(
  hub: Hub,
  { object, before }: RebalancerAndTask & { readonly object: WorkloadRebalancer },
  ports: PlanRebalanceContext,
): Promise<Outcome> {
  const earlier = earlierTask(object, before);
  const rows = earlier && (await ports.tasks.readChunks(earlier));
  const listed = refreshWorkloads(object, knownWorkloads(object, earlier, rows), ports.now());
  const workloads = withBindings(listed, await readBindings(hub, unresolved(listed)));
  const { chunkSize, historyDays } = ports.settings;
  const traceId = activeTraceId();
  const input = {
    hub: hub.name,
    object,
    before: earlier,
    workloads,
    plan: ports.newId(),
    chunkSize,
    historyDays,
    traceId,
  };
  const planned = planRebalance(input, ports.now());
  await ports.tasks.writeChunks(planned.chunks, planned.task.expiresAt);
  const committed = await ports.tasks.commitPlan(planned.task, before?.plan);
  const only = onlyOpenChunk(committed, planned);
  if (only === undefined) return publishOutcome(afterPlan(committed, planned), ports);
  return afterTriggers(planned, await writeTriggers(hub, { task: planned.task, chunk: only }, ports));
}

export const handler = onQueue(task, factories);
