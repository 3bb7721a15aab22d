/** Consumes progressed and finished tasks; writes the object's status. */
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { RebalanceFinished, RebalanceProgressed } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { clusterScoped, type ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { writtenVersion } from '../../shared/kubernetes/resource.ts';
import { requireWritten } from '../../shared/kubernetes/retry-conflicts.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { publishOutcome } from '../../shared/runtime/publish-outcome.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import type { RebalanceTask } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  asLeft,
  eventsOfFinish,
  freshnessOf,
  isOfOtherList,
  reported,
  reportOf,
  statusWrite,
  taskToReport,
} from './report-status.ts';

const factories = { hubs: awsHubs, tasks: awsTasks, bus: awsBus };
type ReportStatusContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [RebalanceProgressed, RebalanceFinished], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: ReportStatusContext,
  types: ReadonlySet<string>,
): Promise<Outcome> {
  const limits = { progressReports: ports.settings.progressReports, now: ports.now() };
  const task = taskToReport(await ports.tasks.readTask(detail), types, limits);
  if (task === undefined) return { reason: 'nothing worth a write' };
  const hub = await ports.hubs.connect(detail.hub);
  return requireWritten(`status of ${task.name}`, (attempt) => project(hub, { task, attempt }, ports));
}

/**
 * The object is read before the task, so an older report can't replace a newer one: after a concurrent report, either our write
 * conflicts by resourceVersion, or our task is the newer one.
 */
async function project(
  hub: Hub,
  { task: before, attempt }: { readonly task: RebalanceTask; readonly attempt: number },
  ports: ReportStatusContext,
): Promise<Outcome | 'conflict'> {
  const key = { namespace: '', name: before.name };
  const object = asLeft(before, attempt) ?? (await hub.get(workloadRebalancers, key, freshnessOf(attempt, before)));
  const task = await ports.tasks.readTask(before);
  if (task === undefined) return { reason: 'the task is gone' };
  if (object?.uid !== before.uid) {
    await ports.tasks.abandon(task, ports.now());
    return { reason: 'the rebalancer is gone' };
  }
  if (isOfOtherList(object, task))
    return { reason: 'the hub was restored, and the rebalancer edited; its next plan follows' };
  const chunks = await ports.tasks.readChunks(task);
  const write = statusWrite(object, task, chunks);
  if (write === undefined) return { reason: 'rows of the task are gone; the object keeps its status' };
  let version: string | undefined;
  if (write.merge !== undefined) {
    const patch = { merge: write.merge, subresource: 'status' } as const;
    const written = await hub.patch(writtenVersion(workloadRebalancers), key, patch);
    if (written.result !== 'done') return 'conflict';
    version = written.object.resourceVersion;
  }
  await ports.tasks.markReported(task, reportOf(task, version), ports.now());
  const outcome = await publishOutcome(reported(task), ports);
  // Last, so that nothing of the task waits for them.
  if (version !== undefined) await writeEvents(hub, { task, objectEvents: eventsOfFinish(task, chunks) }, ports);
  return outcome;
}

async function writeEvents(
  hub: Hub,
  { task, objectEvents }: { readonly task: RebalanceTask; readonly objectEvents: readonly ObjectEvent[] },
  { now }: ReportStatusContext,
): Promise<void> {
  const regarding = clusterScoped(workloadRebalancers, task);
  await Promise.all(objectEvents.map((objectEvent) => writeEvent(hub, regarding, { objectEvent, now: now() })));
}

export const handler = onQueue(task, factories);
