/** Consumes ResyncDue and policy changes: publishes a hub's bindings with due reductions, among those that changed, or all of them. Covers lost events. */
import { awsPositions } from '../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { PropagationPolicyChanged, ReductionDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import {
  contextOfPolicies,
  type ListedReductions,
  listReductionsSince,
} from '../../shared/graceful-reduction/list-reductions.ts';
import { asksOrHolds } from '../../shared/graceful-reduction/replica-reduction.ts';
import { NO_BINDINGS } from '../../shared/karmada/list-bindings.ts';
import { byName, type Member } from '../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { followed, type PositionKey, type StoredPosition } from '../../shared/karmada/resync-position.ts';
import { compareBindings } from '../../shared/karmada/write-resync-position.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listMembers } from '../../shared/rebalance-policy/read-fleet.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { resyncedWith } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { type FoundReductions, foundIn, isDue, noneFound, openOf, telemetryOf } from './find-reductions.ts';

const factories = { hubs: awsHubs, positions: awsPositions, bus: awsBus };
type FindReductionsContext = ContextOf<typeof factories>;

export const task = queueTask({
  consumes: [ResyncDue, PropagationPolicyChanged],
  about: ({ hub }) => hub,
  run: resyncedWith('gracefulReduction', run),
});

async function run(
  { hub: name }: { hub: string },
  ports: FindReductionsContext,
  eventTypes: ReadonlySet<string>,
): Promise<Outcome> {
  const hub = await ports.hubs.connect(name);
  const position = await ports.positions.read(positionKey(name));
  // A changed policy concerns bindings that did not change.
  const from = eventTypes.has(PropagationPolicyChanged.type) ? undefined : followed(position, { now: ports.now() });
  const listed = await listReductionsSince(hub, from);
  return listed === undefined ? { reason: NO_BINDINGS } : compare(hub, { ...listed, position }, ports);
}

function positionKey(hub: string): PositionKey {
  return { hub, function: 'find-reductions' };
}

async function compare(
  hub: Hub,
  {
    bindings,
    policies: { policies, versions },
    position,
  }: ListedReductions & { readonly position: StoredPosition | undefined },
  { settings, now, bus, telemetry, positions }: FindReductionsContext,
): Promise<Outcome> {
  // Only if a binding needs it: a hub without members need not serve clusters.
  let members: ReadonlyMap<string, Member> = new Map();
  const comparePage = async (page: readonly PlacedBinding[], before: FoundReductions) => {
    if (members.size === 0 && page.some(asksOrHolds)) members = byName(await listMembers(hub));
    const inputs = { policies, members, settings, now: now() };
    const due = page.filter((binding) => isDue(binding, inputs));
    await bus.publish(
      due.map(({ metadata: { namespace, name } }) => ReductionDue.of({ hub: hub.name, namespace, name })),
    );
    return { open: openOf(page, { due, ...inputs }), counts: foundIn(before, page, { due: due.length, ...inputs }) };
  };
  const dependsOn = () => ({ context: contextOfPolicies(policies), versions });
  const from = { key: positionKey(hub.name), position, positions, startedAt: now() };
  const found = await compareBindings(bindings, { none: noneFound, comparePage, dependsOn }, from);
  emit(telemetry, telemetryOf(hub.name, found));
  const { overdueSince: _, ...counts } = found;
  const fields = { ...counts, complete: bindings.isComplete };
  return { reason: `${found.found} of ${found.seen} bindings are due`, fields };
}

export const handler = onQueue(task, factories);
