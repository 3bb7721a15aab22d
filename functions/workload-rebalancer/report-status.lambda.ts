/** Hears that a task went on or finished; projects it on the object's status. */
import { awsBus, awsHubs, awsTasks } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceFinished } from '../../shared/events/catalogue/rebalance-finished.ts';
import { RebalanceProgressed } from '../../shared/events/catalogue/rebalance-progressed.ts';
import { RebalanceReported } from '../../shared/events/catalogue/rebalance-reported.ts';
import { Fault } from '../../shared/model/fault.ts';
import { areWhole, type RebalanceTask } from '../../shared/model/rebalance-task.ts';
import { unread } from '../../shared/model/resource.ts';
import { workloadRebalancers, writeStatus } from '../../shared/model/workload-rebalancer.ts';
import type { Freshness, Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { isWorthReporting, projectStatus, shows } from './report-status.ts';

type Uses = Pick<Ports, 'hubs' | 'tasks' | 'bus'> & Surroundings;

const CONFLICTS = 5;

export const task = queueTask({ hears: [RebalanceProgressed, RebalanceFinished], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: Uses,
  types: ReadonlySet<string>,
): Promise<Outcome> {
  const task = await ports.tasks.readTask(detail);
  const heard = types.has(RebalanceFinished.type) ? 'finish' : 'progress';
  const { progressReports } = ports.settings;
  if (task === undefined || !isWorthReporting(task, heard, { progressReports, now: ports.now() }))
    return { reason: 'nothing worth a write' };
  const hub = await ports.hubs.connect(detail.hub);
  for (let attempt = 0; attempt < CONFLICTS; attempt++) {
    // After a conflict the hub's own word: what it keeps at hand may be behind for a while.
    const freshness = attempt === 0 ? { notOlderThan: task.resourceVersion } : {};
    const outcome = await project(hub, { task, freshness }, ports);
    if (outcome) return outcome;
  }
  throw new Fault('retryable', `status of ${task.name} kept changing under the write`, { reason: 'Conflict' });
}

/**
 * The object is read before the task. So if somebody reported in between, either our write meets another
 * resourceVersion, or our reading of the task is the newer one: an older report can't replace a newer one.
 */
async function project(
  hub: Hub,
  { task: { name, uid, ...known }, freshness }: { readonly task: RebalanceTask; readonly freshness: Freshness },
  ports: Uses,
): Promise<Outcome | undefined> {
  const object = await hub.get(workloadRebalancers, { namespace: '', name }, freshness);
  const task = await ports.tasks.readTask({ hub: known.hub, uid });
  if (task === undefined) return { reason: 'the task is gone' };
  if (object?.uid !== uid) {
    await ports.tasks.abandon(task, ports.now());
    return { reason: 'the rebalancer is gone' };
  }
  const chunks = await ports.tasks.readChunks(task);
  // The object would lose what it says. Where the task is lost whole, resync makes it anew from that.
  if (!areWhole(chunks, task)) return { reason: 'rows of the task are gone; the object keeps what it says' };
  const status = projectStatus(task, chunks);
  if (!shows(object, status)) {
    const merge = { metadata: { resourceVersion: object.resourceVersion }, status: writeStatus(status) };
    const written = await hub.patch(
      unread(workloadRebalancers),
      { namespace: '', name },
      { merge, subresource: 'status' },
    );
    if (written.verdict !== 'done') return undefined;
  }
  await ports.tasks.markReported(task, task.pendingChunks.length, ports.now());
  if (task.state !== 'Finished') return { reason: `reported, ${task.pendingChunks.length} chunks pending` };
  await ports.bus.publish([RebalanceReported.of({ hub: task.hub, uid, name })]);
  return { reason: 'the finish is on the object', fields: { successful: task.successful, failed: task.failed } };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
