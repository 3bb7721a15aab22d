/** Consumes changes of a binding or its status, and ended grace periods; releases reductions, records the waiting ones, and copies the policy's annotations to the binding. */
import { awsBus } from '../../shared/adapters/eventbridge/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/adapters/scheduler/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/adapters/secrets-manager/secret-hubs.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { writeEvent } from '../../shared/edge/write-event.ts';
import { BindingChanged, BindingStatusChanged, ReductionDue } from '../../shared/events/catalogue.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import { scheduleName } from '../../shared/model/digest.ts';
import { Fault } from '../../shared/model/fault.ts';
import { onVersion } from '../../shared/model/graceful-reduction/holds.ts';
import { reductionPolicyKind } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import { queueOf } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import { type Member, memberClusters } from '../../shared/model/member-cluster.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { type PlacedBinding, placedKind } from '../../shared/model/placed-binding.ts';
import { policyOf } from '../../shared/model/rescheduling-policy.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { Hub, Hubs } from '../../shared/ports/hub.ts';
import type { InvocationContext, Outcome } from '../../shared/ports/invocation.ts';
import type { OneTimeSchedule } from '../../shared/ports/one-time-schedule.ts';
import { decideWrite, isUnaffected, type ReductionWrite, withPolicyAnnotations } from './release-reduction.ts';

interface ReleaseReductionContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
}

interface BindingPlace extends ObjectKey {
  readonly hub: string;
}

export const task = queueTask({
  consumes: [BindingChanged, BindingStatusChanged, ReductionDue],
  about: (at) => `${at.hub}/${keyText(at)}`,
  run,
});

/** While pods become ready Karmada writes the status several times a second, so a single attempt would often conflict. */
const MAX_ATTEMPTS = 5;

async function run(
  at: { hub: string; namespace: string; name: string },
  ports: ReleaseReductionContext,
): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const outcome = await tryOnce(at, hub, ports);
    if (outcome !== 'conflict') return outcome;
  }
  throw new Fault('retryable', `binding ${at.name} changed under each of ${MAX_ATTEMPTS} writes`, {
    reason: 'Conflict',
  });
}

/** After a conflict the binding is read again before the next decision. */
async function tryOnce(at: BindingPlace, hub: Hub, ports: ReleaseReductionContext): Promise<Outcome | 'conflict'> {
  const { settings, now } = ports;
  const read = await hub.get(placedKind(at), at);
  if (read === undefined) return { reason: 'the binding is gone' };
  const policy = policyOf(read.metadata.annotations);
  const annotated = withPolicyAnnotations(read, policy && (await hub.get(reductionPolicyKind(policy), policy)));
  if (isUnaffected(annotated)) return { reason: 'nothing asks for its reductions to be held' };
  const { binding } = annotated;
  const question = {
    binding,
    members: await membersOf(hub, binding),
    now: now(),
    graceSeconds: settings.reductionGraceSeconds,
    releaseOnTemplateChange: settings.reductionTemplateRelease === 1,
  };
  const write = decideWrite(question, annotated);
  const { reason, released, waiting, taken } = write;
  const outcome = { reason, fields: { released: released.length, waiting: waiting.length, taken: taken.length } };
  return (await carryOut(at, { hub, binding, write }, ports)) ? outcome : 'conflict';
}

/** Clusters of the binding, and clusters that may still have removed replicas. */
async function membersOf(hub: Hub, binding: PlacedBinding): Promise<ReadonlyMap<string, Member>> {
  const { spec, status } = binding;
  const names = new Set([
    ...spec.clusters.map(({ name }) => name),
    ...status.aggregatedStatus.map(({ clusterName }) => clusterName),
    ...queueOf(binding).keys(),
  ]);
  const found = await hub.getMany(
    memberClusters,
    [...names].map((name) => ({ namespace: '', name })),
  );
  return new Map([...found.values()].map((member) => [member.cluster.name, member]));
}

interface ReductionWork {
  readonly hub: Hub;
  readonly binding: PlacedBinding;
  readonly write: ReductionWrite;
}

/** False after a conflict. */
async function carryOut(
  at: BindingPlace,
  { hub, binding, write }: ReductionWork,
  ports: ReleaseReductionContext,
): Promise<boolean> {
  const { patch, checkAgainAt } = write;
  // Even without a write: the hub's admission writes complete entries, so that there may be nothing left to write. Before the write,
  // because a schedule without effect is harmless, and a missing one is not.
  if (checkAgainAt !== undefined)
    await ports.schedule.put(
      scheduleName('reduction', { hub: at.hub, uid: binding.metadata.uid }),
      checkAgainAt,
      ReductionDue.of({ ...at }),
    );
  if (patch === undefined) return true;
  const written = await hub.patch(placedKind(at), at, { merge: onVersion(binding, patch) });
  if (written.result === 'conflict') return false;
  if (written.result === 'missing') return true;
  // The hub's hook ignores our own writes, so our scheduler gets this event from here.
  if (isOurs(binding)) await ports.bus.publish([BindingChanged.of({ ...at })]);
  await report(at, { hub, binding, write }, ports);
  return true;
}

/** Events on the binding show users why its replicas were removed. */
async function report(
  at: BindingPlace,
  { hub, binding, write }: ReductionWork,
  { telemetry, now }: ReleaseReductionContext,
): Promise<void> {
  const { hub: name } = at;
  if (write.released.length > 0) telemetry.count('ReductionsReleased', write.released.length, { hub: name });
  for (const { cluster, by, reason } of write.released) {
    const isLate = by === 'Grace';
    if (isLate) {
      telemetry.outcome('EK330', { hub: name, binding: keyText(at), cluster, reason });
      telemetry.count('ReductionsReleasedLate', 1, { hub: name });
    }
    const { uid, generation } = binding.metadata;
    const objectEvent = {
      type: isLate ? 'Warning' : 'Normal',
      reason: 'ReplicaReductionReleased',
      message: `What ${cluster} kept is released: ${reason}`,
      id: `${cluster}.${generation}`,
    } as const;
    const regarding = { kind: placedKind(at), key: { namespace: at.namespace, name: at.name }, uid };
    await writeEvent(hub, regarding, { objectEvent, now: now() });
  }
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus, schedule: awsSchedule });
