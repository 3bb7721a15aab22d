/** Executes write operations: creates rebalancers, pauses, resumes and compares hubs, and redrives dead letters. */
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsConnections } from '../../shared/aws/secrets-manager/secret-connections.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { awsQueues } from '../../shared/aws/sqs/sqs-queues.ts';
import { DeschedulingDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { Queues } from '../../shared/bus/queues.ts';
import type { InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { type Ordered, onOperator, operatorTask } from '../../shared/console-api/operator-task.ts';
import { asFault } from '../../shared/core/fault.ts';
import type { InvocationContext } from '../../shared/core/invocation.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { releaseAllHeld } from '../../shared/graceful-reduction/write-releases.ts';
import type { Hubs } from '../../shared/kubernetes/hub.ts';
import type { HubConnections } from '../../shared/kubernetes/hub-connections.ts';
import { RECORD_MS } from '../../shared/kubernetes/hub-record.ts';
import type { HubRegistry } from '../../shared/kubernetes/hub-registry.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { created, rebalancerOf, rejectionOf } from './carry-out-order.ts';

interface CarryOutOrderContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly connections: HubConnections;
  readonly registry: HubRegistry;
  readonly queues: Queues;
  readonly bus: EventBus;
}

export const task = operatorTask<'order', CarryOutOrderContext, undefined>({
  kind: 'order',
  remember: () => undefined,
  answers: {
    createRebalancer,
    redriveDeadLetters: async ({ queue, ids }, { queues }: CarryOutOrderContext) => ({
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
  },
});

/** Holds are released after the pause began, so that no function holds them again with an older record. */
async function pauseHub(
  { hub: name, reason = '', releaseHolds }: InputOf<'pauseHub'>,
  { hubs, connections, now, by }: CarryOutOrderContext & Ordered,
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
  { hubs, bus, newId, by }: CarryOutOrderContext & Ordered,
): Promise<OutputOf<'createRebalancer'>> {
  const hub = await hubs.connect(name);
  const object = rebalancerOf({ workloads, ttlSecondsAfterFinished, by }, newId().slice(0, 8));
  const written = await hub.create(workloadRebalancers, object).catch((thrown: unknown) => {
    throw rejectionOf(name, asFault(thrown));
  });
  const { answer, events } = created(name, object, written);
  await bus.publish(events);
  return answer;
}

async function compare(hub: string, { bus }: CarryOutOrderContext): Promise<string[]> {
  const events = [ResyncDue.of({ hub }), DeschedulingDue.of({ hub })];
  await bus.publish(events);
  return events.map(({ type }) => type);
}

export const handler = onOperator(task, {
  hubs: awsHubs,
  connections: awsConnections,
  registry: awsRegistry,
  queues: awsQueues,
  bus: awsBus,
});
