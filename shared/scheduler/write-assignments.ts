/** Schedules bindings of our scheduler: decides all of them, then writes the spec and the status of each. */
import { eachAtOnce, tryEach } from '../core/each-at-once.ts';
import { asFault, type Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { estimateCapacity } from '../estimator/estimate-capacity.ts';
import type { ClusterEstimator, Estimators } from '../estimator/estimator.ts';
import type { ClusterReplicas } from '../karmada/assignment/assign-replicas.ts';
import type { Cluster } from '../karmada/assignment/cluster.ts';
import {
  ASSUMED_FOR_MS,
  type AssignmentStore,
  stillAssumed,
  withAssigned,
} from '../karmada/assignment/recent-assignments.ts';
import { type PlacedBinding, placedKind } from '../karmada/placed-binding.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { type WrittenVersion, writtenVersion } from '../kubernetes/resource.ts';
import { writeEvent } from '../kubernetes/write-event.ts';
import { emit } from '../runtime/emit.ts';
import {
  afterPatch,
  type BindingChange,
  type BindingToAssign,
  clustersToAsk,
  type DecidedAssignments,
  decideAssignments,
  eventsOf,
  mayAssign,
  patchOf,
  type SchedulingWrites,
  silentEstimators,
} from './decide-assignments.ts';

export interface AssignmentPorts extends InvocationContext {
  readonly estimators: Estimators;
  readonly assignments: AssignmentStore;
}

/** What became of a binding. */
interface Assigned<T extends BindingToAssign> {
  readonly item: T;
  /** Whether its spec was written, with its trigger if it has one. */
  readonly isWritten: boolean;
  /** Its new assignment; empty if it has none. */
  readonly assigned: readonly ClusterReplicas[];
  readonly reason: string;
  /** Why it, or its status, was not written. */
  readonly fault?: Fault;
  /** The error of an Event. */
  readonly unwritten?: string;
}

/** A fault of one binding affects no other. Throws the Fault of the table. */
export async function writeAssignments<T extends BindingToAssign>(
  hub: Hub,
  items: readonly T[],
  clusters: readonly Cluster[],
  ports: AssignmentPorts,
): Promise<readonly Assigned<T>[]> {
  const { hubInFlight } = ports.settings;
  const estimator = await ports.estimators.of(hub.name);
  const estimated = await eachAtOnce(items, hubInFlight, async (given): Promise<Estimated<T>> => {
    if (estimator === undefined) return { ...given, given };
    return { ...given, given, estimated: await estimates(hub, given, { clusters, estimator, ports }) };
  });
  const { decided } = await decide(hub, estimated, clusters, ports);
  const written = await tryEach(decided, hubInFlight, ({ item, writes }) => write(hub, item.binding, writes, ports));
  return written.map(({ item: { item, writes }, value, fault }) => {
    const failed = fault ?? value?.fault;
    return {
      item: item.given,
      isWritten: value?.isWritten ?? false,
      assigned: writes.assigned,
      reason: writes.reason,
      ...(failed && { fault: failed }),
      ...(value?.unwritten !== undefined && { unwritten: value.unwritten }),
    };
  });
}

interface Estimated<T extends BindingToAssign> extends BindingToAssign {
  readonly given: T;
}

/** Whether a binding is due is computed only where an estimator could be asked. */
async function estimates(
  hub: Hub,
  item: BindingToAssign,
  {
    clusters,
    estimator,
    ports: { settings, telemetry },
  }: {
    readonly clusters: readonly Cluster[];
    readonly estimator: ClusterEstimator;
    readonly ports: AssignmentPorts;
  },
): Promise<ReadonlyMap<string, number>> {
  const possible = clustersToAsk(item, clusters);
  if (possible.length === 0) return new Map();
  const query = { binding: item.binding, clusters: possible, inFlight: settings.hubInFlight };
  const { answers, faults } = await estimateCapacity(estimator, query);
  emit(telemetry, silentEstimators(hub.name, faults));
  return answers;
}

/** Decides until no other invocation has assigned replicas meanwhile, so that no capacity is used twice. */
async function decide<T extends BindingToAssign>(
  hub: Hub,
  items: readonly T[],
  clusters: readonly Cluster[],
  { assignments, now }: AssignmentPorts,
): Promise<DecidedAssignments<T>> {
  if (!items.some((item) => mayAssign(item, clusters)))
    return decideAssignments({ items, clusters, assumed: {}, now: now() });
  for (;;) {
    const before = await assignments.read(hub.name);
    const recent = before?.recent ?? [];
    const time = now();
    const assumed = stillAssumed(recent, clusters, time);
    const decided = decideAssignments({ items, clusters, assumed, now: time });
    if (Object.keys(decided.added).length === 0) return decided;
    const next = withAssigned(recent, { replicas: decided.added, clusters, now: time });
    if (await assignments.save(hub.name, next, { before, expiresAt: time + ASSUMED_FOR_MS })) return decided;
  }
}

async function write(
  hub: Hub,
  binding: PlacedBinding,
  writes: SchedulingWrites,
  { now }: AssignmentPorts,
): Promise<Pick<Assigned<BindingToAssign>, 'isWritten' | 'fault' | 'unwritten'>> {
  const { spec } = writes;
  const written = await patch(hub, binding, binding.metadata, spec);
  if (written === undefined) return { isWritten: false };
  try {
    const status = writes.status(written.generation);
    await patch(hub, binding, written, status);
    const events = status === undefined ? [] : eventsOf(binding, writes);
    const [unwritten] = (
      await Promise.all(
        events.map(({ regarding, objectEvent }) => writeEvent(hub, regarding, { objectEvent, now: now() })),
      )
    ).filter((error) => error !== undefined);
    return { isWritten: true, ...(unwritten !== undefined && { unwritten }) };
  } catch (thrown) {
    return { isWritten: true, fault: asFault(thrown) };
  }
}

/** The version after the change; undefined if the binding does not exist. */
async function patch(
  hub: Hub,
  { metadata }: PlacedBinding,
  before: WrittenVersion,
  change: BindingChange | undefined,
): Promise<WrittenVersion | undefined> {
  if (change === undefined) return before;
  const kind = writtenVersion(placedKind(metadata));
  return afterPatch(metadata.name, await hub.patch(kind, metadata, patchOf(before.resourceVersion, change)));
}
