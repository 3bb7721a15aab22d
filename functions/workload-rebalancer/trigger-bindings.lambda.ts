/** Consumes planned chunks: writes the triggers of their workloads and records the results. */
import { awsAssignments } from '../../shared/aws/dynamodb/dynamodb-assignment-store.ts';
import { awsMoveLedger } from '../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsEstimators } from '../../shared/aws/hub-estimators.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { RebalanceChunkPlanned } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import type { RebalanceTask } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { type ChunkKey, lostRow, REPLACED, taskOf, whyStop } from './chunk-progress.ts';
import { completionOf } from './record-results.ts';
import { complete, writeTriggers } from './write-triggers.ts';

const factories = {
  hubs: awsHubs,
  tasks: awsTasks,
  bus: awsBus,
  estimators: awsEstimators,
  assignments: awsAssignments,
  ledger: awsMoveLedger,
  schedule: awsSchedule,
};
type TriggerBindingsContext = ContextOf<typeof factories>;

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
  return writeTriggers(hub, { task, chunk }, ports);
}

async function abandon(task: RebalanceTask, reason: string, ports: TriggerBindingsContext): Promise<Outcome> {
  await ports.tasks.abandon(task, ports.now());
  return { reason };
}

export const handler = onQueue(task, factories);
