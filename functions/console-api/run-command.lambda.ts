/** Executes write operations: creates rebalancers, registers, pauses, resumes, compares and removes hubs, and redrives dead letters. */
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsPositions } from '../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsConnections } from '../../shared/aws/secrets-manager/secret-connections.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { awsQueues } from '../../shared/aws/sqs/sqs-queues.ts';
import { DeschedulingDue, HubTokenCheckDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import { type CalledBy, onOperation, operationTask } from '../../shared/console-api/operation-task.ts';
import type { InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { releaseAllHeld } from '../../shared/graceful-reduction/write-releases.ts';
import { RECORD_MS } from '../../shared/kubernetes/hub-record.ts';
import type { HubRegistry } from '../../shared/kubernetes/hub-registry.ts';
import { changeHubRecord } from '../../shared/kubernetes/write-hub-record.ts';
import { createDrain, deleteDrains } from '../../shared/rebalance-policy/write-drains.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  absentIfInvalid,
  assertMayRegister,
  assertOwnLogGroup,
  assertRemoved,
  changed,
  namesOfDone,
  registered,
  registration,
  removal,
  removing,
  running,
} from './hub-commands.ts';
import { created, drainEvents, drainOf, rebalancerOf, rejectionOf } from './run-command.ts';

/** Tasks of a removed hub that are read, most recently changed first. */
const FAR_BACK = 500;
const AT_ONCE = 10;

const factories = {
  hubs: awsHubs,
  connections: awsConnections,
  registry: awsRegistry,
  tasks: awsTasks,
  positions: awsPositions,
  queues: awsQueues,
  bus: awsBus,
};
type RunCommandContext = ContextOf<typeof factories>;

export const task = operationTask<'command', RunCommandContext, undefined>({
  kind: 'command',
  remember: () => undefined,
  answers: {
    createRebalancer,
    drainCluster,
    uncordonCluster: async ({ hub: name, cluster }, { hubs, bus }: RunCommandContext) => {
      const hub = await hubs.connect(name);
      const deleted = await deleteDrains(hub, cluster).catch(explained(name, 'delete ClusterDrains'));
      await bus.publish(drainEvents(name, deleted));
      return { deleted: deleted.map((drain) => drain.name) };
    },
    redriveDeadLetters: async ({ queue, ids }, { queues }: RunCommandContext) => ({
      redriven: await queues.redrive({ queue, ids }),
    }),
    pauseHub,
    resumeHub: async ({ hub }, ports) => {
      const ended = await ports.connections.resume(hub);
      // Also on a repeated resume: the first may have failed between the resume and the comparison.
      await compare(hub, ports);
      return { wasPaused: ended !== undefined };
    },
    resyncHub: async ({ hub }, ports) => {
      // While the hub is paused, no function acts on the result.
      await ports.hubs.connect(hub);
      return { asked: await compare(hub, ports) };
    },
    registerHub,
    setHub,
    removeHub,
  },
});

/** Holds are released after the pause began, so that no function holds them again with an older record. */
async function pauseHub(
  { hub: name, reason = '', releaseHolds }: InputOf<'pauseHub'>,
  { hubs, connections, now, by }: RunCommandContext & CalledBy,
): Promise<OutputOf<'pauseHub'>> {
  const hub = releaseHolds ? await hubs.connect(name) : undefined;
  const paused = await connections.pause(name, { since: now(), reason, by });
  return {
    paused: { ...paused, since: toTimestamp(paused.since) },
    withinSeconds: RECORD_MS / 1000,
    released: hub ? await releaseAllHeld(hub) : 0,
  };
}

async function createRebalancer(
  { hub: name, workloads, ttlSecondsAfterFinished }: InputOf<'createRebalancer'>,
  { hubs, bus, newId, by }: RunCommandContext & CalledBy,
): Promise<OutputOf<'createRebalancer'>> {
  const hub = await hubs.connect(name);
  const object = rebalancerOf({ workloads, ttlSecondsAfterFinished, by }, newId().slice(0, 8));
  const written = await hub.create(workloadRebalancers, object).catch(explained(name, 'create WorkloadRebalancers'));
  const { answer, events } = created(name, object, written);
  await bus.publish(events);
  return answer;
}

async function drainCluster(
  { hub: name, cluster }: InputOf<'drainCluster'>,
  { hubs, bus, now, by }: RunCommandContext & CalledBy,
): Promise<OutputOf<'drainCluster'>> {
  const hub = await hubs.connect(name);
  const { drain, isNew } = await createDrain(hub, drainOf(cluster, by), now()).catch(
    explained(name, 'create ClusterDrains'),
  );
  await bus.publish(drainEvents(name, [drain]));
  return { name: drain.name, created: isNew };
}

/** Throws the error again, with the remedy if the hub rejected the write. */
function explained(hub: string, what: string): (thrown: unknown) => never {
  return (thrown) => {
    throw rejectionOf(hub, what, asFault(thrown));
  };
}

async function compare(hub: string, { bus }: RunCommandContext): Promise<string[]> {
  const events = [ResyncDue.of({ hub }), DeschedulingDue.of({ hub })];
  await bus.publish(events);
  return events.map(({ type }) => type);
}

/** The events make the functions serve the hub now, and not at the next scheduled times. */
async function registerHub(
  command: InputOf<'registerHub'>,
  { registry, positions, bus, by }: RunCommandContext & CalledBy,
): Promise<OutputOf<'registerHub'>> {
  assertMayRegister(by);
  const { hub } = command;
  const repaired = repairing(registry);
  assertOwnLogGroup(registered(command, await repaired.read(hub)), await registry.list());
  const { before, revision } = await changeHubRecord(repaired, hub, (existing) => registered(command, existing));
  await positions.forget(hub);
  await bus.publish([ResyncDue.of({ hub }), DeschedulingDue.of({ hub }), HubTokenCheckDue.of({ hub })]);
  return registration(command, { before, revision });
}

async function setHub(command: InputOf<'setHub'>, ports: RunCommandContext & CalledBy): Promise<OutputOf<'setHub'>> {
  const { registry, positions, by } = ports;
  assertMayRegister(by);
  const { hub, server } = command;
  assertOwnLogGroup(changed(command, await registry.read(hub)), await registry.list());
  const { revision } = await changeHubRecord(registry, hub, (existing) => changed(command, existing));
  if (server !== undefined) await positions.forget(hub);
  await compare(hub, ports);
  return { revision };
}

/** Reads an invalid record as none, so that a registration replaces it. */
function repairing(registry: HubRegistry): Pick<HubRegistry, 'read' | 'write'> {
  return {
    read: (hub) => registry.read(hub).catch((thrown: unknown) => absentIfInvalid(asFault(thrown))),
    write: (record, revision) => registry.write(record, revision),
  };
}

/** The functions stop first; a repeated call continues where the last one failed. */
async function removeHub(
  { hub }: InputOf<'removeHub'>,
  ports: RunCommandContext & CalledBy,
): Promise<OutputOf<'removeHub'>> {
  const { registry, positions, by } = ports;
  assertMayRegister(by);
  const { before, revision } = await changeHubRecord(registry, hub, removing);
  await positions.forget(hub);
  const abandoned = await abandonTasks(hub, ports);
  assertRemoved(before, await registry.delete(hub, revision));
  return removal(before, abandoned);
}

/** Names of the tasks that were not finished. */
async function abandonTasks(hub: string, { tasks, now }: RunCommandContext): Promise<readonly string[]> {
  const recent = running(await tasks.recent(hub, FAR_BACK));
  const open = running(await eachAtOnce(recent, AT_ONCE, ({ uid }) => tasks.readTask({ hub, uid })));
  return namesOfDone(await eachAtOnce(open, AT_ONCE, (task) => tasks.abandon(task, now())));
}

export const handler = onOperation(task, factories);
