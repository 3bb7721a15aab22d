/** Consumes ResyncDue and policy changes: publishes a hub's bindings with due reductions, among those that changed, or all of them. Covers lost events. */
import { awsPositions } from '../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { PropagationPolicyChanged, ReductionDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { InvocationContext, Outcome } from '../../shared/core/invocation.ts';
import type { Instant } from '../../shared/core/time.ts';
import {
  contextOfPolicies,
  type ListedPolicies,
  listReductionPolicies,
  unchangedPolicies,
} from '../../shared/graceful-reduction/list-reduction-policies.ts';
import { asksOrHolds } from '../../shared/graceful-reduction/replica-reduction.ts';
import { NO_BINDINGS } from '../../shared/karmada/list-bindings.ts';
import {
  type ListedBindings,
  listAllBindings,
  listChangedBindings,
} from '../../shared/karmada/list-changed-bindings.ts';
import { byName, type Member } from '../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import {
  mayFollow,
  type PositionKey,
  type ResyncPositions,
  type StoredPosition,
  withinLimit,
} from '../../shared/karmada/resync-position.ts';
import type { Hub, Hubs } from '../../shared/kubernetes/hub.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { listMembers } from '../../shared/rebalance-policy/read-fleet.ts';
import { whyNoResync } from '../../shared/runtime/hub-use.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { foundIn, isDue, mayBecomeDue, noneFound } from './find-reductions.ts';

interface FindReductionsContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly positions: ResyncPositions;
  readonly bus: EventBus;
}

export const task = queueTask({
  consumes: [ResyncDue, PropagationPolicyChanged],
  about: ({ hub }) => hub,
  run,
});

async function run(
  { hub: name }: { hub: string },
  ports: FindReductionsContext,
  eventTypes: ReadonlySet<string>,
): Promise<Outcome> {
  const reason = await whyNoResync({ hub: name, feature: 'gracefulReduction' }, ports.hubs, eventTypes);
  if (reason !== undefined) return { reason };
  const hub = await ports.hubs.connect(name);
  const position = await ports.positions.read(positionKey(name));
  // A changed policy concerns bindings that did not change.
  const isResync = !eventTypes.has(PropagationPolicyChanged.type);
  const inputs = (isResync ? await listChanged(hub, position, ports.now()) : undefined) ?? (await listAll(hub));
  return inputs === undefined ? { reason: NO_BINDINGS } : compare(hub, { ...inputs, position }, ports);
}

function positionKey(hub: string): PositionKey {
  return { hub, function: 'find-reductions' };
}

interface Listed {
  readonly bindings: ListedBindings;
  readonly policies: ListedPolicies;
}

async function listChanged(hub: Hub, position: StoredPosition | undefined, now: Instant): Promise<Listed | undefined> {
  if (position === undefined || !mayFollow(position, now)) return undefined;
  const [policies, bindings] = await Promise.all([
    unchangedPolicies(hub, position),
    listChangedBindings(hub, position),
  ]);
  return policies && bindings && { bindings, policies };
}

async function listAll(hub: Hub): Promise<Listed | undefined> {
  const bindings = await listAllBindings(hub);
  return bindings && { bindings, policies: await listReductionPolicies(hub) };
}

async function compare(
  hub: Hub,
  { bindings, policies: { policies, versions }, position }: Listed & { readonly position: StoredPosition | undefined },
  { settings, now, bus, telemetry, positions }: FindReductionsContext,
): Promise<Outcome> {
  const began = now();
  // Only if a binding needs it: a hub without members need not serve clusters.
  let members: ReadonlyMap<string, Member> = new Map();
  let found = noneFound;
  const open: string[] = [];
  for await (const page of bindings.pages) {
    if (members.size === 0 && page.some(asksOrHolds)) members = byName(await listMembers(hub));
    const inputs = { policies, members, settings, now: now() };
    const due = page.filter((binding) => isDue(binding, inputs));
    await bus.publish(
      due.map(({ metadata: { namespace, name } }) => ReductionDue.of({ hub: hub.name, namespace, name })),
    );
    open.push(...page.filter((binding) => due.includes(binding) || mayBecomeDue(binding, inputs)).map(keyOf));
    found = foundIn(found, page, { due: due.length, ...inputs });
  }
  const next = {
    ...{ versions: { ...versions, ...bindings.versions }, open, context: contextOfPolicies(policies) },
    listedAt: bindings.isComplete ? began : (position?.listedAt ?? 0),
  };
  await positions.save(positionKey(hub.name), withinLimit(next), position);
  telemetry.count('ReductionsHeld', found.held, { hub: hub.name });
  if (found.overdue > 0) telemetry.count('ReductionsOverdue', found.overdue, { hub: hub.name });
  const fields = { ...found, complete: bindings.isComplete };
  return { reason: `${found.found} of ${found.seen} bindings are due`, fields };
}

function keyOf({ metadata }: PlacedBinding): string {
  return keyText(metadata);
}

export const handler = onQueue(task, { hubs: awsHubs, positions: awsPositions, bus: awsBus });
