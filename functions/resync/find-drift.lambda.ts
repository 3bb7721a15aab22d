/** Hears that a hub is to be compared; LISTs its rebalancers and says which are not where they should be. Alone, it brings everything to its end. */
import { awsBus, awsHubs, awsTasks } from '../../shared/edge/aws-ports.ts';
import { pagesIfServed } from '../../shared/edge/list-all.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { WorkloadRebalancerChanged } from '../../shared/events/catalogue/workload-rebalancer-changed.ts';
import { type WorkloadRebalancer, workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { findDrift } from './find-drift.ts';

type Uses = Pick<Ports, 'hubs' | 'tasks' | 'bus'> & Surroundings;

export const task = queueTask({ hears: [ResyncDue], run });

async function run({ hub: name }: { hub: string }, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(name);
  const pages = await pagesIfServed(hub, workloadRebalancers);
  if (pages === undefined) return { reason: 'the hub does not know WorkloadRebalancers' };
  let seen = 0;
  let drifted = 0;
  for await (const page of pages) {
    const changed = (await Promise.all(page.map((object) => driftOf(name, object, ports)))).filter(
      ({ drift }) => drift !== undefined,
    );
    await ports.bus.publish(
      changed.map(({ object }) => WorkloadRebalancerChanged.of({ hub: name, name: object.name })),
    );
    seen += page.length;
    drifted += changed.length;
  }
  return { reason: `${drifted} of ${seen} rebalancers are not where they should be`, fields: { seen, drifted } };
}

async function driftOf(hub: string, object: WorkloadRebalancer, ports: Uses) {
  const task = await ports.tasks.readTask({ hub, uid: object.uid });
  const drift = findDrift({ object, task, now: ports.now(), stalledSeconds: ports.settings.stalledSeconds });
  return { object, drift };
}

export const handler = onQueue(task, { hubs: awsHubs, tasks: awsTasks, bus: awsBus });
