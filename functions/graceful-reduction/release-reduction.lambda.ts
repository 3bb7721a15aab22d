/** Consumes changes of a binding or its status, and ended grace periods; releases reductions, records the waiting ones, and copies the policy's annotations to the binding. */
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsSchedule } from '../../shared/aws/eventbridge-schedule.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { BindingChanged, BindingStatusChanged, ReductionDue } from '../../shared/bus/catalogue.ts';
import { writeSchedule } from '../../shared/bus/write-schedule.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { onVersion } from '../../shared/graceful-reduction/holds.ts';
import { reductionPolicyKind } from '../../shared/graceful-reduction/reduction-policy.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { byName, memberClusters } from '../../shared/karmada/member-cluster.ts';
import { type PlacedBinding, placedKind } from '../../shared/karmada/placed-binding.ts';
import { policyOf } from '../../shared/karmada/rescheduling-policy.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { requireWritten } from '../../shared/kubernetes/retry-conflicts.ts';
import { writeEvent } from '../../shared/kubernetes/write-event.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { reportUse } from '../../shared/runtime/hub-use.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { onQueue, queueTask } from '../../shared/runtime/queue-task.ts';
import {
  clustersOf,
  decideWrite,
  eventsOf,
  inputOf,
  isUnaffected,
  outcomeOf,
  type ReductionWrite,
  telemetryOf,
  withPolicyAnnotations,
} from './release-reduction.ts';

const factories = { hubs: awsHubs, bus: awsBus, schedule: awsSchedule };
type ReleaseReductionContext = ContextOf<typeof factories>;

interface BindingPlace extends ObjectKey {
  readonly hub: string;
}

export const task = queueTask({
  consumes: [BindingChanged, BindingStatusChanged, ReductionDue],
  about: (at) => `${at.hub}/${keyText(at)}`,
  run,
});

async function run(at: BindingPlace, ports: ReleaseReductionContext): Promise<Outcome> {
  const hub = await ports.hubs.connect(at.hub);
  // After a conflict the binding is read again before the next decision.
  return requireWritten(`binding ${at.name}`, () => release(at, hub, ports));
}

async function release(at: BindingPlace, hub: Hub, ports: ReleaseReductionContext): Promise<Outcome | 'conflict'> {
  const { settings, now, bus, schedule } = ports;
  const read = await hub.get(placedKind(at), at);
  if (read === undefined) return { reason: 'the binding is gone' };
  const policy = policyOf(read.metadata.annotations);
  const annotated = withPolicyAnnotations(read, policy && (await hub.get(reductionPolicyKind(policy), policy)));
  if (isUnaffected(annotated)) return { reason: 'nothing asks for its reductions to be held' };
  await reportUse({ hub: at.hub, feature: 'gracefulReduction', object: keyText(at) }, ports);
  const { binding } = annotated;
  const members = byName((await hub.getMany(memberClusters, clustersOf(binding))).values());
  const write = decideWrite(inputOf(binding, { members, settings, now: now() }), annotated);
  // Even without a write: the hub's admission writes complete entries, so that there may be nothing left to write. Before the write,
  // because a schedule without effect is harmless, and a missing one is not.
  const again = { purpose: 'reduction', hub: at.hub, uid: binding.metadata.uid, at: write.checkAgainAt };
  await writeSchedule(schedule, again, ReductionDue.of({ ...at }));
  const outcome = outcomeOf(write);
  if (write.patch === undefined) return outcome;
  const written = await hub.patch(placedKind(at), at, { merge: onVersion(binding, write.patch) });
  if (written.result === 'conflict') return 'conflict';
  if (written.result === 'missing') return outcome;
  // The hub's hook ignores our own writes, so our scheduler gets this event from here.
  if (isOurs(binding)) await bus.publish([BindingChanged.of({ ...at })]);
  await report(at, { hub, binding, write }, ports);
  return outcome;
}

/** Events on the binding show users why its replicas were removed. */
async function report(
  at: BindingPlace,
  { hub, binding, write }: { readonly hub: Hub; readonly binding: PlacedBinding; readonly write: ReductionWrite },
  { telemetry, now }: ReleaseReductionContext,
): Promise<void> {
  emit(telemetry, telemetryOf(at, write));
  const { uid } = binding.metadata;
  const regarding = { kind: placedKind(at), key: { namespace: at.namespace, name: at.name }, uid };
  await Promise.all(
    eventsOf(binding, write).map((objectEvent) => writeEvent(hub, regarding, { objectEvent, now: now() })),
  );
}

export const handler = onQueue(task, factories);
