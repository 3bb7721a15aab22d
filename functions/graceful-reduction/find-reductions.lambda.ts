/** Consumes ResyncDue and policy changes; LISTs a hub's bindings and publishes those with due reductions. Covers lost events. */
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { listIfServed } from '../../shared/edge/list-all.ts';
import { listBindings, NO_BINDINGS } from '../../shared/edge/list-bindings.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { listMembers } from '../../shared/edge/read-fleet.ts';
import { PropagationPolicyChanged, ReductionDue, ResyncDue } from '../../shared/events/catalogue.ts';
import { type ReductionPolicy, reductionPolicies } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import { asksOrHolds, queueOf } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import type { Member } from '../../shared/model/member-cluster.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { policyOf } from '../../shared/model/rescheduling-policy.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import { isDue, overdueHolds } from './find-reductions.ts';

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
  const policiesByKey = await listPolicies(hub);
  // Only if a binding needs it: a hub without members need not serve clusters.
  let members: ReadonlyMap<string, Member> | undefined;
  const context = { now: now(), graceSeconds: settings.reductionGraceSeconds, releaseOnTemplateChange: false };
  let [seen, held, overdue, found] = [0, 0, 0, 0];
  for await (const page of pages) {
    if (page.some(asksOrHolds)) members ??= await membersByName(hub);
    const question = { ...context, members: members ?? new Map<string, Member>() };
    const due = page.filter((binding) => isDue({ ...question, binding }, policyIn(policiesByKey, binding)));
    await bus.publish(
      due.map(({ metadata }) => ReductionDue.of({ hub: name, namespace: metadata.namespace, name: metadata.name })),
    );
    seen += page.length;
    held += page.filter((binding) => queueOf(binding).size > 0).length;
    for (const binding of page) overdue += overdueHolds({ ...context, binding }).length;
    found += due.length;
  }
  telemetry.count('ReductionsHeld', held, { hub: name });
  // Also without a dimension: one alarm per hub would exceed the limits of a stack.
  telemetry.count('ReductionsOverdue', overdue);
  return { reason: `${found} of ${seen} bindings are due`, fields: { seen, held, overdue, found } };
}

async function membersByName(hub: Hub): Promise<ReadonlyMap<string, Member>> {
  return new Map((await listMembers(hub)).map((member) => [member.cluster.name, member]));
}

/** Policies with reduction annotations, by keyText. */
async function listPolicies(hub: Hub): Promise<ReadonlyMap<string, ReductionPolicy>> {
  const lists = await Promise.all(reductionPolicies.map((kind) => listIfServed(hub, kind, ({ key }) => keyText(key))));
  return new Map(
    lists
      .flat()
      .flatMap((policy) => (policy.annotations === undefined ? [] : [[keyText(policy.key), policy] as const])),
  );
}

function policyIn(
  policiesByKey: ReadonlyMap<string, ReductionPolicy>,
  { metadata }: PlacedBinding,
): ReductionPolicy | undefined {
  const key = policyOf(metadata.annotations);
  return key && policiesByKey.get(keyText(key));
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
