/** Consumes ResyncDue and policy changes; LISTs a hub's bindings and publishes those with due reductions. Covers lost events. */
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { listIfServed } from '../../shared/edge/list-all.ts';
import { listBindings, NO_BINDINGS } from '../../shared/edge/list-bindings.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { listMembers } from '../../shared/edge/read-fleet.ts';
import { PropagationPolicyChanged, ReductionDue, ResyncDue } from '../../shared/events/catalogue.ts';
import { type ReductionPolicy, reductionPolicies } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import { asksOrHolds } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import { byName, type Member } from '../../shared/model/member-cluster.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
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

async function run({ hub: name }: { hub: string }, ports: FindReductionsContext): Promise<Outcome> {
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
  // Also without a dimension: one alarm per hub would exceed the limits of a stack.
  telemetry.count('ReductionsOverdue', found.overdue);
  return { reason: `${found.found} of ${found.seen} bindings are due`, fields: { ...found } };
}

async function listPolicies(hub: Hub): Promise<ReadonlyMap<string, ReductionPolicy>> {
  const lists = await Promise.all(reductionPolicies.map((kind) => listIfServed(hub, kind, ({ key }) => keyText(key))));
  return annotatedPolicies(lists.flat());
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
