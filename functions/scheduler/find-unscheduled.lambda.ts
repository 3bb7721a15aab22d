/** Consumes ResyncDue: LISTs a hub's bindings and publishes those of our scheduler that are due. Covers lost events, and capacity that became free. */
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { ResyncDue } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { InvocationContext, Outcome } from '../../shared/core/invocation.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { listBindings, NO_BINDINGS } from '../../shared/karmada/list-bindings.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import type { Hubs } from '../../shared/kubernetes/hub.ts';
import { whyNoResync } from '../../shared/runtime/hub-use.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { dueBindings } from './find-unscheduled.ts';

interface FindUnscheduledContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly bus: EventBus;
}

export const task = queueTask({ consumes: [ResyncDue], run });

async function run(
  { hub: name }: { hub: string },
  ports: FindUnscheduledContext,
  eventTypes: ReadonlySet<string>,
): Promise<Outcome> {
  const reason = await whyNoResync({ hub: name, feature: 'scheduler' }, ports.hubs, eventTypes);
  if (reason !== undefined) return { reason };
  const hub = await ports.hubs.connect(name);
  const pages = await listBindings(hub);
  if (pages === undefined) return { reason: NO_BINDINGS };
  let clusters: readonly Cluster[] | undefined;
  let [seen, ours, found] = [0, 0, 0];
  for await (const page of pages) {
    const bindings = page.filter(isOurs);
    // Only if our scheduler is used: a hub without members need not serve clusters.
    if (bindings.length > 0) clusters ??= await readClusters(hub);
    const events = dueBindings(name, bindings, clusters);
    await ports.bus.publish(events);
    seen += page.length;
    ours += bindings.length;
    found += events.length;
  }
  return { reason: `${found} of our ${ours} bindings are due`, fields: { seen, ours, found } };
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
