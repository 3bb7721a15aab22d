/** Decides what our scheduler writes to its bindings: nothing, the observed generation, or a new assignment, possibly with a trigger. */

import { Fault } from '../core/fault.ts';
import { fnv1a } from '../core/fnv1a.ts';
import type { TelemetryEntry } from '../core/telemetry.ts';
import { type Instant, toTimestamp } from '../core/time.ts';
import { assignOthers, type StayingReplicas } from '../karmada/assignment/assign-others.ts';
import type { ClusterReplicas } from '../karmada/assignment/assign-replicas.ts';
import { type AssumedReplicas, createAssumeCache } from '../karmada/assignment/assume-cache.ts';
import { capacityOf } from '../karmada/assignment/available-replicas.ts';
import type { Cluster } from '../karmada/assignment/cluster.ts';
import {
  ACTED_ON_TRIGGER,
  actedOn,
  countsCapacity,
  goesEverywhere,
  possibleClusters,
  type Scheduling,
} from '../karmada/assignment/plan-scheduling.ts';
import {
  assignedBy,
  decideScheduling,
  observedStatus,
  type SchedulingInput,
  schedulingEvent,
  schedulingText,
  specPatch,
  statusPatch,
} from '../karmada/assignment/scheduling-decision.ts';
import { whyDue } from '../karmada/assignment/why-due.ts';
import { type PlacedBinding, placedKind, priorityOf } from '../karmada/placed-binding.ts';
import type { Patch, Written } from '../kubernetes/hub.ts';
import type { ObjectEvent, Regarding } from '../kubernetes/object-event.ts';
import { kindOf, type WrittenVersion } from '../kubernetes/resource.ts';

/** A merge patch of the binding, or of its status. */
export interface BindingChange {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** The trigger of a rebalancer, which is written with the assignment. */
export interface NewTrigger {
  readonly rescheduleTriggeredAt: Instant;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The replicas that stay where they are; the others are assigned to other clusters than those that lose some. */
export interface KeptReplicas extends StayingReplicas {
  /** Written with the assignment. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** A binding of our scheduler, or of any if replicas are kept. */
export interface BindingToAssign {
  /** As it was read, without the trigger. */
  readonly binding: PlacedBinding;
  readonly trigger?: NewTrigger;
  /** Absent: all replicas are assigned as the scheduler decides. */
  readonly keep?: KeptReplicas;
  /** Answers of the estimators, by cluster. */
  readonly estimated?: ReadonlyMap<string, number>;
}

/** Undefined if there is nothing to write. */
export interface SchedulingWrites {
  readonly spec: BindingChange | undefined;
  /** The change of its status after its spec was written, which has the binding of this generation. */
  readonly status: (generation: number) => BindingChange | undefined;
  /** On the binding and its workload, if its status changes. */
  readonly objectEvent?: Omit<ObjectEvent, 'id'> | undefined;
  readonly reason: string;
}

/** What is written to a binding, and its new assignment; empty if it has none. */
interface DecidedWrites extends SchedulingWrites {
  readonly assigned: readonly ClusterReplicas[];
}

export interface AssignmentsInput<T extends BindingToAssign> {
  readonly items: readonly T[];
  readonly clusters: readonly Cluster[];
  /** Assigned by others, and not in the clusters' reports yet. */
  readonly assumed: AssumedReplicas;
  readonly now: Instant;
}

export interface DecidedAssignments<T extends BindingToAssign> {
  /** In the order of `items`. */
  readonly decided: readonly { readonly item: T; readonly writes: DecidedWrites }[];
  /** The replicas that these assignments add. */
  readonly added: AssumedReplicas;
}

/** The binding with its new trigger: what the scheduler decides by. */
function withTrigger({ binding, trigger }: BindingToAssign): PlacedBinding {
  if (trigger === undefined) return binding;
  const { metadata, spec } = binding;
  const { rescheduleTriggeredAt, annotations } = trigger;
  return {
    ...binding,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
    spec: { ...spec, rescheduleTriggeredAt },
  };
}

/** The clusters whose estimators are queried: none if the binding is not due, or capacity does not matter. */
export function clustersToAsk(item: BindingToAssign, clusters: readonly Cluster[]): readonly Cluster[] {
  const binding = withTrigger(item);
  const decides = countsCapacity(binding) && (item.keep !== undefined || whyDue(binding, clusters) !== undefined);
  return decides ? possibleClusters(binding, clusters) : [];
}

/** Whether a decision may add replicas to clusters, so that those of other invocations matter. */
export function mayAssign(item: BindingToAssign, clusters: readonly Cluster[]): boolean {
  const binding = withTrigger(item);
  return item.keep !== undefined || goesEverywhere(binding) || whyDue(binding, clusters) !== undefined;
}

/**
 * Of several bindings those with the higher schedulePriority are decided first, then in the given order. Each is decided by the capacity that those
 * before it leave: replicas that move to a cluster take capacity there, and those that leave one free none before it reports so.
 */
export function decideAssignments<T extends BindingToAssign>({
  items,
  clusters,
  assumed: others,
  now,
}: AssignmentsInput<T>): DecidedAssignments<T> {
  const assumed = createAssumeCache(others);
  const added = createAssumeCache();
  const writes = new Map<T, DecidedWrites>();
  for (const item of [...items].sort((a, b) => priorityOf(b.binding) - priorityOf(a.binding))) {
    const available = capacityOf(item.binding, { estimated: item.estimated ?? new Map(), assumed });
    const input = { binding: withTrigger(item), clusters, available };
    const decided = item.keep === undefined ? planWrites(input, now) : planOthers(input, item.keep);
    writes.set(item, { ...decided, ...withoutEvent(item, decided), spec: withNewTrigger(item, decided.spec) });
    for (const cache of [assumed, added]) cache.addAssigned(item.binding, decided.assigned);
  }
  const decided = items.flatMap((item) => {
    const ofItem = writes.get(item);
    return ofItem === undefined ? [] : [{ item, writes: ofItem }];
  });
  return { decided, added: added.assumed() };
}

/** The rebalancer reports its success for all of its workloads: two Events for each would be as many writes again as its triggers. */
function withoutEvent({ trigger }: BindingToAssign, { objectEvent }: SchedulingWrites) {
  const isReported = trigger !== undefined && objectEvent?.type === 'Normal';
  return isReported ? { objectEvent: undefined } : {};
}

/** One write: a scheduler that saw the trigger alone would act on it. */
function withNewTrigger({ trigger }: BindingToAssign, spec: BindingChange | undefined): BindingChange | undefined {
  if (trigger === undefined) return spec;
  const { annotations = {} } = (spec?.metadata ?? {}) as { readonly annotations?: object };
  return {
    metadata: { annotations: { ...trigger.annotations, ...annotations } },
    spec: { ...spec?.spec, rescheduleTriggeredAt: toTimestamp(trigger.rescheduleTriggeredAt) },
  };
}

/** The spec first, as upstream: clients that read the status find the assignment. */
export function planWrites(input: SchedulingInput, now: Instant): DecidedWrites {
  const decision = decideScheduling(input);
  const { reason } = decision;
  if (decision.action === 'Leave') return { spec: undefined, status: () => undefined, reason, assigned: [] };
  if (decision.action === 'Observe') {
    const status = statusChange(observedStatus(input.binding, now));
    return { spec: undefined, status: () => status, reason, assigned: [] };
  }
  const { scheduling } = decision;
  return {
    spec: specPatch(input.binding, scheduling, triggerNote(input.binding, scheduling)),
    status: (generation) => statusChange(statusPatch(input.binding, scheduling, { generation, now })),
    objectEvent: schedulingEvent(scheduling),
    reason: `${reason}: ${schedulingText(scheduling)}`,
    assigned: assignedBy(scheduling) ?? [],
  };
}

/**
 * In one write: a scheduler that saw the kept replicas alone would assign the others, where it has capacity for some only. The status is left to
 * the binding's scheduler.
 */
function planOthers(input: SchedulingInput, keep: KeptReplicas): DecidedWrites {
  const scheduling = assignOthers(input, keep);
  const none = { spec: undefined, status: () => undefined, reason: schedulingText(scheduling), assigned: [] };
  if (scheduling.outcome !== 'Success') return none;
  const { clusters } = scheduling;
  return { ...none, spec: { metadata: { annotations: keep.annotations }, spec: { clusters } }, assigned: clusters };
}

function statusChange(status: object | undefined): BindingChange | undefined {
  return status && { status };
}

/** Conditional on the version that was read, or written before. */
export function patchOf(resourceVersion: string, change: BindingChange): Patch {
  const merge = { ...change, metadata: { ...change.metadata, resourceVersion } };
  return change.status === undefined ? { merge } : { merge, subresource: 'status' };
}

/** The version after the write; undefined if the binding was deleted. After a conflict the decision is made again, based on a new read. */
export function afterPatch(name: string, written: Written<WrittenVersion>): WrittenVersion | undefined {
  if (written.result === 'conflict')
    throw new Fault('retryable', `binding ${name} changed under the write`, { reason: 'Conflict' });
  return written.result === 'done' ? written.object : undefined;
}

/** The binding and its workload, with an Event of what was decided for the binding's generation. */
export function eventsOf(
  { metadata, spec: { resource } }: PlacedBinding,
  { objectEvent }: SchedulingWrites,
): readonly { readonly regarding: Regarding; readonly objectEvent: ObjectEvent }[] {
  if (objectEvent === undefined) return [];
  const { namespace, name, uid, generation } = metadata;
  const event = { ...objectEvent, id: `scheduled-${generation}-${fnv1a(objectEvent.message).toString(16)}` };
  const { namespace: of, name: workload, uid: workloadUid } = resource;
  return [
    { regarding: { kind: placedKind(metadata), key: { namespace, name }, uid }, objectEvent: event },
    {
      regarding: { kind: kindOf(resource), key: { namespace: of, name: workload }, uid: workloadUid },
      objectEvent: event,
    },
  ];
}

/** One line per cluster whose estimator did not answer. */
export function silentEstimators(hub: string, faults: ReadonlyMap<string, Fault>): readonly TelemetryEntry[] {
  return [...faults].map(([cluster, { reason, message: error }]) => ({
    code: 'EK310',
    fields: { hub, cluster, reason, error },
  }));
}

/** Only for a success: if no cluster fits, the trigger stays pending until one does. */
function triggerNote({ spec }: PlacedBinding, scheduling: Scheduling): Readonly<Record<string, string>> {
  const { rescheduleTriggeredAt: triggered } = spec;
  if (scheduling.outcome !== 'Success' || triggered == null) return {};
  return { [ACTED_ON_TRIGGER]: actedOn(triggered, scheduling.affinityName) };
}
