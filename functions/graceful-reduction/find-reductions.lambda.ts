/** Consumes ResyncDue and policy changes; LISTs a hub's bindings and publishes those with due reductions. Covers lost events. */
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { PropagationPolicyChanged, ReductionDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import type { InvocationContext, Outcome } from '../../shared/core/invocation.ts';
import { type ReductionPolicy, reductionPolicies } from '../../shared/graceful-reduction/reduction-policy.ts';
import { asksOrHolds } from '../../shared/graceful-reduction/replica-reduction.ts';
import { listBindings, NO_BINDINGS } from '../../shared/karmada/list-bindings.ts';
import { byName, type Member } from '../../shared/karmada/member-cluster.ts';
import type { Hub, Hubs } from '../../shared/kubernetes/hub.ts';
import { listIfServed } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { listMembers } from '../../shared/rebalance-policy/read-fleet.ts';
import { whyNoResync } from '../../shared/runtime/hub-use.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import { annotatedPolicies, foundIn, isDue, noneFound } from './find-reductions.ts';

interface FindReductionsContext extends InvocationContext {
  readonly hubs: Hubs;
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
  return reason === undefined ? findReductions(name, ports) : { reason };
}

async function findReductions(name: string, ports: FindReductionsContext): Promise<Outcome> {
  const { settings, now, bus, telemetry } = ports;
  const hub = await ports.hubs.connect(name);
  const pages = await listBindings(hub);
  if (pages === undefined) return { reason: NO_BINDINGS };
  const policies = await listPolicies(hub);
  // Only if a binding needs it: a hub without members need not serve clusters.
  let members: ReadonlyMap<string, Member> = new Map();
  let found = noneFound;
  for await (const page of pages) {
    if (members.size === 0 && page.some(asksOrHolds)) members = byName(await listMembers(hub));
    const inputs = { policies, members, settings, now: now() };
    const due = page.filter((binding) => isDue(binding, inputs));
    await bus.publish(
      due.map(({ metadata: { namespace, name: of } }) => ReductionDue.of({ hub: name, namespace, name: of })),
    );
    found = foundIn(found, page, { due: due.length, ...inputs });
  }
  telemetry.count('ReductionsHeld', found.held, { hub: name });
  if (found.overdue > 0) telemetry.count('ReductionsOverdue', found.overdue, { hub: name });
  return { reason: `${found.found} of ${found.seen} bindings are due`, fields: { ...found } };
}

async function listPolicies(hub: Hub): Promise<ReadonlyMap<string, ReductionPolicy>> {
  const lists = await Promise.all(reductionPolicies.map((kind) => listIfServed(hub, kind, ({ key }) => keyText(key))));
  return annotatedPolicies(lists.flat());
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
