/** Hears that a binding or its status was written, or that a grace is over; releases what may go, notes what waits, and brings the policy's words onto the binding. */
import { awsBus, awsHubs, awsSchedule } from '../../shared/edge/aws-ports.ts';
import { onQueue, queueTask } from '../../shared/edge/queue-task.ts';
import { writeNotice } from '../../shared/edge/write-notice.ts';
import { BindingChanged } from '../../shared/events/catalogue/binding-changed.ts';
import { BindingStatusChanged } from '../../shared/events/catalogue/binding-status-changed.ts';
import { ReductionDue } from '../../shared/events/catalogue/reduction-due.ts';
import { isOurs } from '../../shared/model/assignment/scheduling-decision.ts';
import { Fault } from '../../shared/model/fault.ts';
import { onVersion } from '../../shared/model/graceful-reduction/holds.ts';
import { reductionPolicyKind } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import { queueOf } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import { type Member, memberClusters } from '../../shared/model/member-cluster.ts';
import { keyText, type ObjectKey } from '../../shared/model/object-key.ts';
import { type PlacedBinding, placedKind } from '../../shared/model/placed-binding.ts';
import { policyOf } from '../../shared/model/rescheduling-policy.ts';
import { scheduleName } from '../../shared/model/schedule-name.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Outcome, Ports, Surroundings } from '../../shared/ports/ports.ts';
import { decideWrite, isOfNoConcern, type ReductionWrite, withWords } from './release-reduction.ts';

type Uses = Pick<Ports, 'hubs' | 'bus' | 'schedule'> & Surroundings;

interface At extends ObjectKey {
  readonly hub: string;
}

export const task = queueTask({
  hears: [BindingChanged, BindingStatusChanged, ReductionDue],
  about: (at) => `${at.hub}/${keyText(at)}`,
  run,
});

/** While pods get ready Karmada writes the status several times a second: who only tried once would seldom be first. */
const TRIES = 5;

async function run(at: { hub: string; namespace: string; name: string }, ports: Uses): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const outcome = await tryOnce(at, hub, ports);
    if (outcome !== 'conflict') return outcome;
  }
  throw new Fault('retryable', `binding ${at.name} changed under each of ${TRIES} writes`, { reason: 'Conflict' });
}

/** Whoever wrote in between is read before anything else is decided. */
async function tryOnce(at: At, hub: Hub, ports: Uses): Promise<Outcome | 'conflict'> {
  const { settings, now } = ports;
  const read = await hub.get(placedKind(at), at);
  if (read === undefined) return { reason: 'the binding is gone' };
  const policy = policyOf(read.metadata.annotations);
  const judged = withWords(read, policy && (await hub.get(reductionPolicyKind(policy), policy)));
  if (isOfNoConcern(judged)) return { reason: 'nothing asks for its reductions to be held' };
  const { binding } = judged;
  const question = {
    binding,
    members: await membersOf(hub, binding),
    now: now(),
    graceSeconds: settings.reductionGraceSeconds,
    releaseOnTemplateChange: settings.reductionTemplateRelease === 1,
  };
  const write = decideWrite(question, judged);
  const { reason, released, waiting, taken } = write;
  const outcome = { reason, fields: { released: released.length, waiting: waiting.length, taken: taken.length } };
  return (await carryOut(at, { hub, binding, write }, ports)) ? outcome : 'conflict';
}

/** Those that hold the binding, or may still hold what was taken from them. */
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

interface Work {
  readonly hub: Hub;
  readonly binding: PlacedBinding;
  readonly write: ReductionWrite;
}

/** False where somebody wrote in between. */
async function carryOut(at: At, { hub, binding, write }: Work, ports: Uses): Promise<boolean> {
  const { patch, lookAgainAt } = write;
  if (patch === undefined) return true;
  // Before the write: one that is due for nothing finds that out, one that is missing would be missed.
  if (lookAgainAt !== undefined)
    await ports.schedule.put(
      scheduleName('reduction', { hub: at.hub, uid: binding.metadata.uid }),
      lookAgainAt,
      ReductionDue.of({ ...at }),
    );
  const written = await hub.patch(placedKind(at), at, { merge: onVersion(binding, patch) });
  if (written.verdict === 'conflict') return false;
  if (written.verdict === 'missing') return true;
  // The hub's hook does not tell of what we write ourselves: our own scheduler hears of it from here.
  if (isOurs(binding)) await ports.bus.publish([BindingChanged.of({ ...at })]);
  await tell(at, { hub, binding, write }, ports);
  return true;
}

/** A person looks at the binding to see why its replicas went when they did. */
async function tell(at: At, { hub, binding, write }: Work, { telemetry, now }: Uses): Promise<void> {
  const { hub: name } = at;
  if (write.released.length > 0) telemetry.count('ReductionsReleased', write.released.length, { hub: name });
  for (const { cluster, by, reason } of write.released) {
    const isLate = by === 'Grace';
    if (isLate) {
      telemetry.outcome('EK330', { hub: name, binding: keyText(at), cluster, reason });
      telemetry.count('ReductionsReleasedLate', 1, { hub: name });
    }
    const { uid, generation } = binding.metadata;
    const notice = {
      type: isLate ? 'Warning' : 'Normal',
      reason: 'ReplicaReductionReleased',
      message: `What ${cluster} kept is released: ${reason}`,
      id: `${cluster}.${generation}`,
    } as const;
    const regarding = { kind: placedKind(at), key: { namespace: at.namespace, name: at.name }, uid };
    await writeNotice(hub, regarding, { notice, now: now() });
  }
}

export const handler = onQueue(task, { hubs: awsHubs, bus: awsBus, schedule: awsSchedule });
