/** Consumes reported rebalances and due checks; records in the task whether the scheduler acted. */
import { awsTasks } from '../../shared/adapters/dynamodb/dynamodb-task-store.ts';
import { awsSchedule } from '../../shared/adapters/scheduler/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceReported, ReschedulingCheckDue } from '../../shared/events/catalogue.ts';
import { bindingKey, bindingResource } from '../../shared/model/binding.ts';
import { DEADLINE_EXCEEDED } from '../../shared/model/deadline.ts';
import { scheduleName } from '../../shared/model/digest.ts';
import { eachAtOnce } from '../../shared/model/each-at-once.ts';
import { asFault, type Fault } from '../../shared/model/fault.ts';
import type { ObjectReference } from '../../shared/model/object-reference.ts';
import { type RebalanceTask, type TaskWorkload, workloadsOf } from '../../shared/model/rebalance-task.ts';
import type { Instant } from '../../shared/model/time.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { OneTimeSchedule } from '../../shared/ports/one-time-schedule.ts';
import type { TaskStore } from '../../shared/ports/task-store.ts';
import { decideRescheduling, firstCheckAt, placesToRead, type Read } from './confirm-rescheduling.ts';
import { hubIsAway, readBindings, seenBinding } from './read-bindings.ts';

interface ConfirmReschedulingContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly tasks: TaskStore;
  readonly schedule: OneTimeSchedule;
}

export const task = queueTask({ consumes: [RebalanceReported, ReschedulingCheckDue], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: ConfirmReschedulingContext,
): Promise<Outcome> {
  const task = await ports.tasks.readTask(detail);
  if (task === undefined || task.pendingChunks.length > 0) return { reason: 'there is no finished task to check' };
  if (task.rescheduling?.state === 'Confirmed') return { reason: 'confirmed before' };
  const first = firstCheckAt(task, ports.settings, ports.now());
  if (first !== undefined) return checkAt(first, task, ports);

  const successful = workloadsOf(await ports.tasks.readChunks(task)).filter(({ result }) => result === 'Successful');
  const reads = await readAll(await ports.hubs.connect(detail.hub), { task, successful }, ports.settings.hubInFlight);
  const decision = decideRescheduling(task, successful, { reads, now: ports.now(), limits: ports.settings });
  const marked = await ports.tasks.markRescheduling(task, decision.next);
  if (marked.result === 'stale') return { reason: 'the task moved on' };
  if (decision.next.state === 'Overdue') {
    ports.telemetry.count('ReschedulingOverdue', decision.waiting, { hub: task.hub });
    ports.telemetry.outcome('EK300', {
      hub: task.hub,
      name: task.name,
      waiting: decision.waiting,
      first: decision.next.waitingFor[0],
    });
  }
  if (decision.checkAgainAt !== undefined) await checkAt(decision.checkAgainAt, task, ports);
  return { reason: decision.reason };
}

/**Whether an absent binding exists is unknown after a fault, so it is read by name. Throws only if nothing could be read:
 * the hub is unreachable, or so slow that not one request fits into an invocation.
 */
async function readAll(
  hub: Hub,
  { task, successful }: { readonly task: RebalanceTask; readonly successful: readonly TaskWorkload[] },
  inFlight: number,
): Promise<ReadonlyMap<number, Read>> {
  const wanted = placesToRead(task, successful.length).flatMap((place) => {
    const workload = successful[place]?.workload;
    return workload === undefined ? [] : [{ place, workload }];
  });
  const faults: Fault[] = [];
  const found = await readBindings(hub, wanted, (fault) => faults.push(fault));
  const isPresent = ({ workload }: { workload: ObjectReference }) => found(workload) !== undefined;
  const cut = faults.find(({ reason }) => reason === DEADLINE_EXCEEDED);
  const nothingRead = cut ?? hubIsAway(faults);
  if (nothingRead !== undefined && !wanted.some(isPresent)) throw nothingRead;
  const reads = await eachAtOnce(wanted, inFlight, async ({ place, workload }): Promise<[number, Read]> => {
    const binding = found(workload);
    if (binding !== undefined) return [place, seenBinding(binding)];
    if (faults.length === 0) return [place, 'gone'];
    return [place, cut === undefined ? await existence(hub, workload) : 'unread'];
  });
  return new Map(reads);
}

async function existence(hub: Hub, workload: ObjectReference): Promise<Read> {
  try {
    const identity = await hub.identify(bindingResource(workload), bindingKey(workload));
    return identity === undefined ? 'gone' : 'unreadable';
  } catch (thrown) {
    return asFault(thrown).reason === DEADLINE_EXCEEDED ? 'unread' : 'unreadable';
  }
}

async function checkAt(
  at: Instant,
  { hub, uid, name }: RebalanceTask,
  ports: ConfirmReschedulingContext,
): Promise<Outcome> {
  await ports.schedule.put(scheduleName('confirm', { hub, uid }), at, ReschedulingCheckDue.of({ hub, uid, name }));
  return { reason: 'the scheduler has a moment to act' };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, schedule: awsSchedule });
