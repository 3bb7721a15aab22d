/** WorkloadRebalancer (apps.karmada.io/v1alpha1), read into what decisions need, and its status written back. */
import * as z from 'zod/mini';
import { objectMeta, parseObject, timestamp } from './hub-object.ts';
import type { ObjectReference } from './object-reference.ts';
import type { Resource } from './resource.ts';
import { type Instant, toTimestamp } from './time.ts';

/** Label: the RebalancePolicy that made it. */
export const POLICY_LABEL = 'evenkeel.dev/rebalance-policy';
/** Annotation: "<run>/<wave>". */
export const WAVE_ANNOTATION = 'evenkeel.dev/rebalance-wave';

type RebalanceResult = 'Successful' | 'Failed';
type RebalanceFailedReason = 'ReferencedBindingNotFound';

/** One entry of status.observedWorkloads: no result while its trigger is not yet written. */
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

/** `spec` of one to be created, as people write it: a namespace that is empty is left out. */
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
  /** The hub's time of the last change that was not one of status, from managedFields; absent where the hub keeps none. */
  readonly changedAt?: Instant;
  readonly workloads: readonly ObjectReference[];
  /** The RebalancePolicy that made it, and the wave it is of; a person's has neither. */
  readonly policy?: string;
  readonly wave?: string;
  readonly ttlSecondsAfterFinished?: number;
  readonly status: RebalancerStatus;
}

const reference = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z._default(z.string(), ''),
  name: z.string(),
});

const observed = z.object({
  workload: reference,
  result: z.optional(z.enum(['Successful', 'Failed'])),
  reason: z.optional(z.literal('ReferencedBindingNotFound')),
});

const schema = z.object({
  metadata: z.extend(objectMeta, { labels: z._default(z.record(z.string(), z.string()), {}) }),
  spec: z.object({ workloads: z.array(reference), ttlSecondsAfterFinished: z.nullish(z.number()) }),
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
  const { [WAVE_ANNOTATION]: wave } = metadata.annotations;
  const changes = metadata.managedFields.flatMap((entry) =>
    entry.subresource || entry.time === undefined ? [] : [entry.time],
  );
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
    status: {
      observedWorkloads: (status?.observedWorkloads ?? []) as readonly ObservedWorkload[],
      observedGeneration: status?.observedGeneration ?? 0,
      ...(status?.finishTime != null && { finishTime: status.finishTime }),
    },
  };
}

/** The status as upstream shapes it; an empty namespace, result or reason is left out, an absent finishTime is null so that a merge patch removes it. */
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
