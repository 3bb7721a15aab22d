/** Consumes ResyncDue: publishes a hub's bindings of our scheduler that are due, among those that changed, or all of them. Covers lost events, and capacity that became free. */
import { awsPositions } from '../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { BindingChanged, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { NO_BINDINGS } from '../../shared/karmada/list-bindings.ts';
import { listBindingsSince } from '../../shared/karmada/list-changed-bindings.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import { followed } from '../../shared/karmada/resync-position.ts';
import { compareBindings } from '../../shared/karmada/write-resync-position.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { resyncedWith } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import {
  contextOf,
  dependsOnClusters,
  dueBindings,
  type FoundUnscheduled,
  noneFound,
  sumOf,
} from './find-unscheduled.ts';

const factories = { hubs: awsHubs, positions: awsPositions, bus: awsBus };
type FindUnscheduledContext = ContextOf<typeof factories>;

export const task = queueTask({ consumes: [ResyncDue], run: resyncedWith('scheduler', run) });

async function run(
  { hub: name }: { hub: string },
  { hubs, bus, positions, now }: FindUnscheduledContext,
): Promise<Outcome> {
  const hub = await hubs.connect(name);
  const key = { hub: name, function: 'find-unscheduled' } as const;
  const [position, startedAt] = [await positions.read(key), now()];
  // Only if our scheduler is used: a hub without members need not serve clusters.
  let clusters = dependsOnClusters(position) ? await readClusters(hub) : undefined;
  const from = followed(position, { now: startedAt, context: contextOf(clusters) });
  const listed = await listBindingsSince(hub, from);
  if (listed === undefined) return { reason: NO_BINDINGS };
  const comparePage = async (page: readonly PlacedBinding[], before: FoundUnscheduled) => {
    const ours = page.filter(isOurs);
    if (ours.length > 0) clusters ??= await readClusters(hub);
    const due = dueBindings(ours, clusters);
    await bus.publish(due.map(({ namespace, name: of }) => BindingChanged.of({ hub: name, namespace, name: of })));
    const counts = { seen: page.length, ours: ours.length, found: due.length };
    return { open: due.map(keyText), counts: sumOf(before, counts) };
  };
  const comparison = { none: noneFound, comparePage, dependsOn: () => ({ context: contextOf(clusters) }) };
  const { seen, ours, found } = await compareBindings(listed, comparison, { key, position, positions, startedAt });
  return {
    reason: `${found} of our ${ours} bindings are due`,
    fields: { seen, ours, found, complete: listed.isComplete },
  };
}

export const handler = onQueue(task, factories);
