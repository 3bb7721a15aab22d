/** Hears that a hub is to be compared; LISTs its bindings and says which of those that name our scheduler are to be looked at. Finds what a lost event, or another cluster's room, has left undone. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { listBindings, NO_BINDINGS } from '../../shared/edge/list-bindings.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { readClusters } from '../../shared/edge/read-clusters.ts';
import { BindingChanged } from '../../shared/events/catalogue/binding-changed.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { mayNeedScheduling } from './find-unscheduled.ts';

type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;

export const task = queueTask({ hears: [ResyncDue], run });

async function run({ hub: name }: { hub: string }, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(name);
  const pages = await listBindings(hub);
  if (pages === undefined) return { reason: NO_BINDINGS };
  let clusters: readonly Cluster[] | undefined;
  let [seen, ours, found] = [0, 0, 0];
  for await (const page of pages) {
    const bindings = page.filter(isOurs);
    // Only where somebody uses our scheduler: a hub without members need not serve clusters.
    if (bindings.length > 0) clusters ??= await readClusters(hub);
    const due = bindings.filter((binding) => mayNeedScheduling(binding, clusters ?? []));
    await ports.bus.publish(
      due.map(({ metadata }) => BindingChanged.of({ hub: name, namespace: metadata.namespace, name: metadata.name })),
    );
    seen += page.length;
    ours += bindings.length;
    found += due.length;
  }
  return { reason: `${found} of our ${ours} bindings are to be looked at`, fields: { seen, ours, found } };
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
