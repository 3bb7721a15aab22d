/** Consumes ResyncDue: LISTs a hub's rebalancers and publishes those that drifted. It alone suffices to complete every rebalance. */
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { ResyncDue, WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { hasAny, pagesIfServed } from '../../shared/kubernetes/list-all.ts';
import { reportUse } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { type WorkloadRebalancer, workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { evidence, findDrift } from './find-drift.ts';

const factories = { hubs: awsHubs, tasks: awsTasks, bus: awsBus };
type FindDriftContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [ResyncDue], run });

async function run({ hub: name }: { hub: string }, ports: FindDriftContext): Promise<Outcome> {
  const began = ports.now();
  const outcome = await compare(name, ports);
  await ports.tasks.markCompared(name, began);
  await reportUnregistered(name, ports);
  return outcome;
}

/** The functions of these features skip the hub, so an operator who forgot one would see nothing else. */
async function reportUnregistered(name: string, ports: FindDriftContext): Promise<void> {
  for (const { feature, kinds } of evidence) {
    if (await ports.hubs.uses(name, feature)) continue;
    const hub = await ports.hubs.connect(name);
    for (const kind of kinds)
      if (await hasAny(hub, kind))
        await reportUse({ hub: name, feature, object: `${kind.plural}.${kind.group}` }, ports);
  }
}

async function compare(name: string, ports: FindDriftContext): Promise<Outcome> {
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
  return { reason: `${drifted} of ${seen} rebalancers drifted`, fields: { seen, drifted } };
}

async function driftOf(hub: string, object: WorkloadRebalancer, ports: FindDriftContext) {
  const task = await ports.tasks.readTask({ hub, uid: object.uid });
  const drift = findDrift({ object, task, now: ports.now(), stalledSeconds: ports.settings.stalledSeconds });
  return { object, drift };
}

export const handler = onQueue(task, factories);
