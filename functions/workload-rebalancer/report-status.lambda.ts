/** Consumes progressed and finished tasks; writes the object's status. */
import { awsTasks } from '../../shared/adapters/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceFinished, RebalanceProgressed, RebalanceReported } from '../../shared/events/catalogue.ts';
import { Fault } from '../../shared/model/fault.ts';
import { areWhole, type RebalanceTask } from '../../shared/model/rebalance-task.ts';
import { unread } from '../../shared/model/resource.ts';
import { shownFinish, workloadRebalancers, writeStatus } from '../../shared/model/workload-rebalancer.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Freshness, Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { TaskStore } from '../../shared/ports/task-store.ts';
import { isWorthReporting, projectStatus, shows } from './report-status.ts';

interface ReportStatusContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly tasks: TaskStore;
  readonly bus: EventBus;
}

const CONFLICTS = 5;

export const task = queueTask({ consumes: [RebalanceProgressed, RebalanceFinished], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: ReportStatusContext,
  types: ReadonlySet<string>,
): Promise<Outcome> {
  const task = await ports.tasks.readTask(detail);
  const event = types.has(RebalanceFinished.type) ? 'finish' : 'progress';
  const { progressReports } = ports.settings;
  if (task === undefined || !isWorthReporting(task, event, { progressReports, now: ports.now() }))
    return { reason: 'nothing worth a write' };
  const hub = await ports.hubs.connect(detail.hub);
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    // After a conflict the object is read without a minimum version: the API server's cache may be behind for a while.
    const freshness = attempt === 0 ? { notOlderThan: task.resourceVersion } : {};
    const outcome = await project(hub, { task, freshness }, ports);
    if (outcome) return outcome;
  }
  throw new Fault('retryable', `status of ${task.name} kept changing under the write`, { reason: 'Conflict' });
}

/**
 * The object is read before the task, so an older report can't replace a newer one: after a concurrent report, either our write
 * conflicts by resourceVersion, or our task is the newer one.
 */
async function project(
  hub: Hub,
  { task: { name, uid, ...known }, freshness }: { readonly task: RebalanceTask; readonly freshness: Freshness },
  ports: ReportStatusContext,
): Promise<Outcome | undefined> {
  const object = await hub.get(workloadRebalancers, { namespace: '', name }, freshness);
  const task = await ports.tasks.readTask({ hub: known.hub, uid });
  if (task === undefined) return { reason: 'the task is gone' };
  if (object?.uid !== uid) {
    await ports.tasks.abandon(task, ports.now());
    return { reason: 'the rebalancer is gone' };
  }
  const chunks = await ports.tasks.readChunks(task);
  // A partial report would drop results from the object. If the task is lost completely, resync restores it from them.
  if (!areWhole(chunks, task)) return { reason: 'rows of the task are gone; the object keeps its status' };
  const status = projectStatus(task, chunks);
  // A delivery that read the object before its finish can plan the same generation again if the task's row is lost in between. That
  // plan finishes later, and the finish on the object stays.
  const isFinal = shownFinish(object, task.generation) !== undefined;
  if (!isFinal && !shows(object, status)) {
    const merge = { metadata: { resourceVersion: object.resourceVersion }, status: writeStatus(status) };
    const written = await hub.patch(
      unread(workloadRebalancers),
      { namespace: '', name },
      { merge, subresource: 'status' },
    );
    if (written.result !== 'done') return undefined;
  }
  await ports.tasks.markReported(task, task.pendingChunks.length, ports.now());
  if (task.state !== 'Finished') return { reason: `reported, ${task.pendingChunks.length} chunks pending` };
  await ports.bus.publish([RebalanceReported.of({ hub: task.hub, uid, name })]);
  return { reason: 'the finish is on the object', fields: { successful: task.successful, failed: task.failed } };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
