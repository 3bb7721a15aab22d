/** Hears that a hub is to be compared, or that its policies were changed; LISTs its bindings and says whose reductions are to be looked at. Finds what a lost event has left waiting. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { listIfServed } from '../../shared/edge/list-all.ts';
import { listBindings, NO_BINDINGS } from '../../shared/edge/list-bindings.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { listMembers } from '../../shared/edge/read-fleet.ts';
import { PropagationPolicyChanged } from '../../shared/events/catalogue/propagation-policy-changed.ts';
import { ReductionDue } from '../../shared/events/catalogue/reduction-due.ts';
import { ResyncDue } from '../../shared/events/catalogue/resync-due.ts';
import { type ReductionPolicy, reductionPolicies } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import { asksOrHolds, queueOf } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import type { Member } from '../../shared/model/member-cluster.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { policyOf } from '../../shared/model/rescheduling-policy.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { isDue } from './find-reductions.ts';

type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;

export const task = queueTask({
  hears: [ResyncDue, PropagationPolicyChanged],
  about: ({ hub }) => hub,
  run,
});

async function run({ hub: name }: { hub: string }, ports: Uses): Promise<Outcome> {
  const { settings, now, bus, telemetry } = ports;
  const hub = await ports.hubs.connect(name);
  const pages = await listBindings(hub);
  if (pages === undefined) return { reason: NO_BINDINGS };
  const said = await listPolicies(hub);
  // Only where something is held: a hub without members need not serve clusters.
  let members: ReadonlyMap<string, Member> | undefined;
  const around = { now: now(), graceSeconds: settings.reductionGraceSeconds, releaseOnTemplateChange: false };
  let [seen, held, found] = [0, 0, 0];
  for await (const page of pages) {
    if (page.some(asksOrHolds)) members ??= await membersByName(hub);
    const question = { ...around, members: members ?? new Map<string, Member>() };
    const due = page.filter((binding) => isDue({ ...question, binding }, policyIn(said, binding)));
    await bus.publish(
      due.map(({ metadata }) => ReductionDue.of({ hub: name, namespace: metadata.namespace, name: metadata.name })),
    );
    seen += page.length;
    held += page.filter((binding) => queueOf(binding).size > 0).length;
    found += due.length;
  }
  telemetry.count('ReductionsHeld', held, { hub: name });
  return { reason: `${found} of ${seen} bindings are to be looked at`, fields: { seen, held, found } };
}

async function membersByName(hub: Hub): Promise<ReadonlyMap<string, Member>> {
  return new Map((await listMembers(hub)).map((member) => [member.cluster.name, member]));
}

/** Those that say something of reductions, by keyText. */
async function listPolicies(hub: Hub): Promise<ReadonlyMap<string, ReductionPolicy>> {
  const lists = await Promise.all(reductionPolicies.map((kind) => listIfServed(hub, kind, ({ key }) => keyText(key))));
  return new Map(
    lists.flat().flatMap((policy) => (policy.words === undefined ? [] : [[keyText(policy.key), policy] as const])),
  );
}

function policyIn(
  said: ReadonlyMap<string, ReductionPolicy>,
  { metadata }: PlacedBinding,
): ReductionPolicy | undefined {
  const key = policyOf(metadata.annotations);
  return key && said.get(keyText(key));
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus });
