/** Consumes reported rebalances and due checks; records in the task whether the scheduler acted. */
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { RebalanceReported, ReschedulingCheckDue } from '../../shared/bus/catalogue.ts';
import { writeSchedule } from '../../shared/bus/write-schedule.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { emit } from '../../shared/runtime/emit.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { readBindings } from '../../shared/workload-rebalancer/read-bindings.ts';
import { type TaskKey, workloadsOf } from '../../shared/workload-rebalancer/rebalance-task.ts';
import {
  type CheckStep,
  checkStep,
  decideRescheduling,
  type PlacedWorkload,
  presenceAfter,
  presenceOf,
  type Read,
  readOf,
  requireSomeRead,
  reschedulingTelemetry,
  workloadsToRead,
} from './confirm-rescheduling.ts';

const factories = { hubs: awsHubs, tasks: awsTasks, schedule: awsSchedule };
type ConfirmReschedulingContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [RebalanceReported, ReschedulingCheckDue], run });

async function run(
  detail: { hub: string; uid: string; name: string },
  ports: ConfirmReschedulingContext,
): Promise<Outcome> {
  const { task, ...step } = checkStep(await ports.tasks.readTask(detail), ports.settings, ports.now());
  if (task === undefined) return schedule(step, detail, ports);
  const successful = workloadsOf(await ports.tasks.readChunks(task)).filter(({ result }) => result === 'Successful');
  const reads = await readAll(await ports.hubs.connect(detail.hub), workloadsToRead(task, successful), ports);
  const decision = decideRescheduling(task, successful, { reads, now: ports.now(), limits: ports.settings });
  const marked = await ports.tasks.markRescheduling(task, decision.next);
  if (marked.result === 'stale') return { reason: 'the task moved on' };
  emit(ports.telemetry, reschedulingTelemetry(task, decision));
  return schedule(decision, detail, ports);
}

async function readAll(
  hub: Hub,
  wanted: readonly PlacedWorkload[],
  { settings }: ConfirmReschedulingContext,
): Promise<ReadonlyMap<number, Read>> {
  const observed = await readBindings(hub, wanted);
  requireSomeRead(wanted, observed);
  const reads = await eachAtOnce(
    wanted,
    settings.hubInFlight,
    async ({ place, workload }): Promise<[number, Read]> => [
      place,
      readOf(workload, observed) ?? (await existence(hub, workload)),
    ],
  );
  return new Map(reads);
}

function existence(hub: Hub, workload: ObjectReference): Promise<Read> {
  const read = hub.identify(bindingResource(workload), bindingKey(workload));
  return read.then(presenceOf, (thrown: unknown) => presenceAfter(asFault(thrown)));
}

async function schedule(
  { checkAgainAt, reason }: Pick<CheckStep, 'checkAgainAt' | 'reason'>,
  { hub, uid, name }: TaskKey & { readonly name: string },
  ports: ConfirmReschedulingContext,
): Promise<Outcome> {
  const event = ReschedulingCheckDue.of({ hub, uid, name });
  await writeSchedule(ports.schedule, { purpose: 'confirm', hub, uid, at: checkAgainAt }, event);
  return { reason };
}

export const handler = onQueue(task, factories);
