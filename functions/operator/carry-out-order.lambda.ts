/** Carries out what people order: creates rebalancers, pauses and resumes hubs, has them compared, and has dead letters delivered again. */
import { awsBus, awsConnections, awsHubs, awsQueues } from '../../shared/edge/aws-ports.ts';
import { onOperator, operatorTask } from '../../shared/edge/operator-task.ts';
import { DeschedulingDue } from '../../shared/events/catalogue/descheduling-due.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from '../../shared/events/catalogue/workload-rebalancer-changed.ts';
import { asFault, Fault } from '../../shared/model/fault.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { InputOf, OutputOf } from '../../shared/operator/operations.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { rebalancerOf, refusalOf } from './carry-out-order.ts';

type Uses = Pick<Ports, 'hubs' | 'connections' | 'queues' | 'bus'> & Surroundings;

export const task = operatorTask({
  kind: 'order',
  remember: () => undefined,
  answers: {
    createRebalancer,
    redriveDeadLetters: async ({ queue, ids }, { queues }: Uses) => ({
      redriven: await queues.redrive({ ...(queue !== undefined && { queue }), ...(ids && { ids }) }),
    }),
    pauseHub: async ({ hub, reason }, { connections, settings, now }) => {
      const { since, reason: why } = await connections.pause(hub, { since: now(), reason });
      return {
        paused: { since: toTimestamp(since), reason: why },
        withinSeconds: settings.hubConnectionSeconds,
      };
    },
    resumeHub: async ({ hub }, ports) => {
      const ended = await ports.connections.resume(hub);
      // Whoever resumes twice may do so because the first time nothing was said after it.
      await compare(hub, ports);
      return { wasPaused: ended !== undefined };
    },
    resyncHub: async ({ hub }, ports) => {
      // While it is paused nobody would do anything about what is found.
      await ports.hubs.connect(hub);
      return { asked: await compare(hub, ports) };
    },
  },
});

async function createRebalancer(
  { hub: name, workloads, ttlSecondsAfterFinished }: InputOf<'createRebalancer'>,
  { hubs, bus, newId }: Uses,
): Promise<OutputOf<'createRebalancer'>> {
  const hub = await hubs.connect(name);
  const object = rebalancerOf({ workloads, ttlSecondsAfterFinished }, newId().slice(0, 8));
  const written = await hub.create(workloadRebalancers, object).catch((thrown: unknown) => {
    throw refusalOf(name, asFault(thrown));
  });
  if (written.verdict === 'done') {
    const { name: made, uid } = written.object;
    // What our own account does on a hub, no hook tells of.
    await bus.publish([WorkloadRebalancerChanged.of({ hub: name, name: made })]);
    return { name: made, uid };
  }
  throw new Fault('retryable', `a WorkloadRebalancer ${object.metadata.name} is there already; ask again`, {
    reason: 'Conflict',
  });
}

async function compare(hub: string, { bus }: Uses): Promise<string[]> {
  const events = [ResyncDue.of({ hub }), DeschedulingDue.of({ hub })];
  await bus.publish(events);
  return events.map(({ type }) => type);
}

export const handler = onOperator(task, {
  hubs: awsHubs,
  connections: awsConnections,
  queues: awsQueues,
  bus: awsBus,
});
