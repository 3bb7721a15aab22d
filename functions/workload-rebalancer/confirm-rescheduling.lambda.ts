/** Hears that a rebalance is reported, or that it is time to look; keeps in the task whether the scheduler acted. */
import { awsHubs, awsSchedule, awsTasks } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { RebalanceReported } from '../../shared/events/catalogue/rebalance-reported.ts';
import { ReschedulingCheckDue } from '../../shared/events/catalogue/rescheduling-check-due.ts';
import { type RebalanceTask, workloadsOf } from '../../shared/model/rebalance-task.ts';
import { scheduleName } from '../../shared/model/schedule-name.ts';
import type { Instant } from '../../shared/model/time.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { decideRescheduling, firstLookAt } from './confirm-rescheduling.ts';
import { readBindings } from './read-bindings.ts';

type Uses = Pick<Ports, 'hubs' | 'tasks' | 'schedule'> & Surroundings;

export const task = queueTask({ hears: [RebalanceReported, ReschedulingCheckDue], run });

async function run(detail: { hub: string; uid: string; name: string }, ports: Uses): Promise<Outcome> {
  const task = await ports.tasks.readTask(detail);
  if (task === undefined || task.pendingChunks.length > 0) return { reason: 'there is no finished task to look at' };
  if (task.rescheduling?.state === 'Confirmed') return { reason: 'confirmed before' };
  const first = firstLookAt(task, ports.settings, ports.now());
  if (first !== undefined) return lookAt(first, task, ports);

  const triggered = workloadsOf(await ports.tasks.readChunks(task)).filter(({ result }) => result === 'Successful');
  const bindings = await readBindings(await ports.hubs.connect(detail.hub), triggered);
  const sights = triggered.map(({ workload }) => ({ workload, binding: bindings(workload) }));
  const decision = decideRescheduling(task, sights, { now: ports.now(), patience: ports.settings });
  const marked = await ports.tasks.markRescheduling(task, decision.next);
  if (marked.verdict === 'stale') return { reason: 'the task moved on' };
  if (decision.next.state === 'Overdue') {
    ports.telemetry.count('ReschedulingOverdue', decision.waiting, { hub: task.hub });
    ports.telemetry.outcome('EK300', {
      hub: task.hub,
      name: task.name,
      waiting: decision.waiting,
      first: decision.next.waitingFor[0],
    });
  }
  if (decision.lookAgainAt !== undefined) await lookAt(decision.lookAgainAt, task, ports);
  return { reason: decision.reason };
}

async function lookAt(at: Instant, { hub, uid, name }: RebalanceTask, ports: Uses): Promise<Outcome> {
  await ports.schedule.put(scheduleName('confirm', { hub, uid }), at, ReschedulingCheckDue.of({ hub, uid, name }));
  return { reason: 'the scheduler has a moment to act' };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, schedule: awsSchedule });
