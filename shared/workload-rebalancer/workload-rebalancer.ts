/** WorkloadRebalancer (apps.karmada.io/v1alpha1), read into what decisions need, and its status written back. */
import * as z from 'zod/mini';
import { type Instant, toTimestamp } from '../core/time.ts';
import { objectMeta, parseObject, referenceFields, timestamp } from '../kubernetes/hub-object.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { Resource } from '../kubernetes/resource.ts';

/** Label: the RebalancePolicy that created it. */
export const POLICY_LABEL = 'evenkeel.dev/rebalance-policy';
/** Annotation: "<run>/<wave>". */
export const WAVE_ANNOTATION = 'evenkeel.dev/rebalance-wave';
/** Annotation: as `spec.reschedule.preserveAvailableReplicas`, on hubs whose CRD does not have that field. "false": no effect. */
export const PRESERVE_ANNOTATION = 'evenkeel.dev/preserve-available-replicas';

/** Annotation of a wave of a ClusterDrain: the cluster whose replicas move. No trigger is written, and other replicas stay. */
export const DRAIN_ANNOTATION = 'evenkeel.dev/drains';

/** Annotation of a wave's WorkloadRebalancer: "<percent> <uid of the ClusterDrain>". */
export const DRAIN_SHARE = 'evenkeel.dev/drain-share';

/** Annotation: JSON of the replicas by cluster, by "namespace/name" of the binding, which the workloads get without a trigger (`evenkeel undo`, waves of policies by pressure or price). Read when a workload is first planned. */
export const ASSIGN_ANNOTATION = 'evenkeel.dev/assigns';

/** Annotation of a binding, "<name>/<uid> <requested time>" of the rebalancer that moved its unschedulable replicas: a redelivery moves no more. */
export const UNSCHEDULABLE_MOVED_BY = 'evenkeel.dev/unschedulable-moved-by';

/** The part of a workload's replicas that a ClusterDrain with spec.percent moves off its cluster. */
export interface DrainShare {
  /** Uid of the ClusterDrain. */
  readonly drain: string;
  /** Of the replicas that the workload had on the cluster when the drain first moved some: 0 to 100. */
  readonly percent: number;
}

/** Replicas by cluster; a cluster without replicas is left out. */
export type AssignedReplicas = Readonly<Record<string, number>>;

/** By keyText of the binding. */
export type Assignments = Readonly<Record<string, AssignedReplicas>>;

const assignments = z.record(z.string(), z.record(z.string(), z.int().check(z.minimum(1))));

type RebalanceResult = 'Successful' | 'Failed';
/**
 * Karmada's controller knows only the first.
 * - `ReferencedBindingMismatch`: the binding of that name is of another object.
 * - Of a rebalancer that preserves available replicas; nothing was changed. `PreserveNotSupported`: the workload's replicas can't be moved one by one.
 *   `SchedulingInProgress`: its last change is not over. `EstimatorUnavailable`: its unschedulable replicas are not known.
 *   `InsufficientCapacity`: no other cluster has capacity for all of them.
 * - Of a wave of a ClusterDrain, also `SchedulingInProgress` and `InsufficientCapacity`.
 * - Of a rebalancer that gives assignments, also those two. `AssignmentNotPossible`: the workload can't have the assignment, or none is given for it.
 * - `ExceedsBudget`: more of its replicas would move than a MoveBudget of the hub ever allows at once.
 */
export type RebalanceFailedReason =
  | 'ReferencedBindingNotFound'
  | 'ReferencedBindingMismatch'
  | 'PreserveNotSupported'
  | 'SchedulingInProgress'
  | 'EstimatorUnavailable'
  | 'InsufficientCapacity'
  | 'AssignmentNotPossible'
  | 'ExceedsBudget';

/** One entry of status.observedWorkloads: no result until its trigger is written. */
export interface ObservedWorkload {
  readonly workload: ObjectReference;
  readonly result?: RebalanceResult;
  readonly reason?: RebalanceFailedReason;
}

export interface RebalancerStatus {
  readonly observedWorkloads: readonly ObservedWorkload[];
  readonly observedGeneration: number;
  readonly finishTime?: Instant;
}

/** `spec` for a create, in the form that users write: an empty namespace is omitted. */
export function rebalanceSpec(
  workloads: readonly ObjectReference[],
  ttlSecondsAfterFinished: number | undefined,
): { readonly workloads: readonly object[]; readonly ttlSecondsAfterFinished?: number } {
  return {
    workloads: workloads.map(({ namespace, ...rest }) => (namespace === '' ? rest : { ...rest, namespace })),
    ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
  };
}

export interface WorkloadRebalancer {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: Instant;
  readonly deletionTimestamp?: Instant;
  /** The hub's time of the last change other than status, from managedFields; absent if the hub keeps none. */
  readonly changedAt?: Instant;
  readonly workloads: readonly ObjectReference[];
  /** The RebalancePolicy that created it, and its wave; absent for a user's. */
  readonly policy?: string;
  readonly wave?: string;
  readonly ttlSecondsAfterFinished?: number;
  /** Whether only unschedulable replicas are rescheduled. */
  readonly preservesAvailable?: true;
  /** The cluster whose replicas alone are moved. */
  readonly drains?: string;
  /** The part of them that is moved; absent: all. */
  readonly share?: DrainShare;
  /** The assignments that its workloads get. */
  readonly assigns?: Assignments;
  /** Fields of the spec that this version does not implement, by path: "spec.reschedule.drain". Absent if there are none. */
  readonly unknownFields?: readonly string[];
  readonly status: RebalancerStatus;
}

const reference = z.object(referenceFields);

const observed = z.object({
  workload: reference,
  result: z.optional(z.enum(['Successful', 'Failed'])),
  reason: z.optional(z.string()),
});

const rescheduleFields = { preserveAvailableReplicas: z.nullish(z.boolean()) };
const specFields = {
  workloads: z.array(reference),
  ttlSecondsAfterFinished: z.nullish(z.number()),
  reschedule: z.nullish(z.object(rescheduleFields)),
};

const schema = z.object({
  metadata: z.extend(objectMeta, { labels: z._default(z.record(z.string(), z.string()), {}) }),
  spec: z.object(specFields),
  status: z.nullish(
    z.object({
      observedWorkloads: z.nullish(z.array(observed)),
      observedGeneration: z.nullish(z.number()),
      finishTime: z.nullish(timestamp),
    }),
  ),
});

/** Reads the object as the API server sends it. */
function parseWorkloadRebalancer(object: unknown): WorkloadRebalancer {
  const { metadata, spec, status } = parseObject(schema, object, 'WorkloadRebalancer');
  const { [POLICY_LABEL]: policy } = metadata.labels;
  const { [WAVE_ANNOTATION]: wave, [DRAIN_ANNOTATION]: drains, [ASSIGN_ANNOTATION]: assigns } = metadata.annotations;
  const share = parseShare(metadata.annotations[DRAIN_SHARE] ?? '');
  const changes = metadata.managedFields.flatMap((entry) =>
    entry.subresource || entry.time === undefined ? [] : [entry.time],
  );
  const unknownFields = unknownFieldsOf(object);
  return {
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    ...(metadata.deletionTimestamp !== undefined && { deletionTimestamp: metadata.deletionTimestamp }),
    ...(changes.length > 0 && { changedAt: Math.max(...changes) }),
    workloads: spec.workloads,
    ...(policy !== undefined && { policy }),
    ...(wave !== undefined && { wave }),
    ...(spec.ttlSecondsAfterFinished != null && { ttlSecondsAfterFinished: spec.ttlSecondsAfterFinished }),
    ...(preservesAvailable(metadata.annotations, spec) && { preservesAvailable: true }),
    ...(drains !== undefined && { drains, ...(share && { share }) }),
    ...(assigns !== undefined && { assigns: parseAssignments(assigns) }),
    ...(unknownFields.length > 0 && { unknownFields }),
    status: {
      observedWorkloads: (status?.observedWorkloads ?? []) as readonly ObservedWorkload[],
      observedGeneration: status?.observedGeneration ?? 0,
      ...(status?.finishTime != null && { finishTime: status.finishTime }),
    },
  };
}

export function shareText({ drain, percent }: DrainShare): string {
  return `${percent} ${drain}`;
}

/** Undefined for a text of another form: all replicas move, as without a share. */
export function parseShare(text: string): DrainShare | undefined {
  const [, percent = '', drain = ''] = /^(\d{1,3}) (\S+)$/.exec(text) ?? [];
  return drain === '' || Number(percent) > 100 ? undefined : { drain, percent: Number(percent) };
}

/** An annotation with any other value than "false" counts: too few replicas move, never too many. */
function preservesAvailable(
  { [PRESERVE_ANNOTATION]: annotation = 'false' }: Readonly<Record<string, string>>,
  { reschedule }: z.output<typeof schema>['spec'],
): boolean {
  return annotation !== 'false' || reschedule?.preserveAvailableReplicas === true;
}

/** The API server prunes what its CRD does not have, so these are of a newer CRD. Those of several workloads are named once. */
function unknownFieldsOf(object: unknown): readonly string[] {
  const { spec } = object as { readonly spec: { readonly workloads: readonly object[]; readonly reschedule?: object } };
  const inSpec = Object.keys(spec).filter((name) => !Object.hasOwn(specFields, name));
  const inReschedule = Object.keys(spec.reschedule ?? {}).filter((name) => !Object.hasOwn(rescheduleFields, name));
  const inWorkloads = spec.workloads.flatMap(Object.keys).filter((name) => !Object.hasOwn(referenceFields, name));
  return [
    ...inSpec.map((name) => `spec.${name}`),
    ...inReschedule.map((name) => `spec.reschedule.${name}`),
    ...new Set(inWorkloads.map((name) => `spec.workloads[].${name}`)),
  ];
}

/**
 * When a generation finished, by the object's status: every workload has its result. It is final for that generation.
 * Undefined if the status shows no finish, or one of another generation.
 */
export function shownFinish({ status }: Pick<WorkloadRebalancer, 'status'>, generation: number): Instant | undefined {
  const isWhole = status.observedWorkloads.every(({ result }) => result !== undefined);
  return isWhole && status.observedGeneration === generation ? status.finishTime : undefined;
}

/** The status in upstream's format; an empty namespace, result or reason is omitted, an absent finishTime is null so that a merge patch removes it. */
export function writeStatus(status: RebalancerStatus): object {
  return {
    observedWorkloads: status.observedWorkloads.map(({ workload, result, reason }) => ({
      workload: { ...workload, namespace: workload.namespace === '' ? undefined : workload.namespace },
      result,
      reason,
    })),
    observedGeneration: status.observedGeneration,
    finishTime: status.finishTime === undefined ? null : toTimestamp(status.finishTime),
  };
}

export const workloadRebalancers: Resource<WorkloadRebalancer> = {
  group: 'apps.karmada.io',
  version: 'v1alpha1',
  kind: 'WorkloadRebalancer',
  plural: 'workloadrebalancers',
  namespaced: false,
  pageSize: 25,
  parse: parseWorkloadRebalancer,
};

/** Empty if the text is not in that form: its workloads then fail one by one, and none is moved. */
function parseAssignments(text: string): Assignments {
  try {
    return z.parse(assignments, JSON.parse(text));
  } catch {
    return {};
  }
}
