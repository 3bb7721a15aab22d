/** ResourceBinding and ClusterResourceBinding (work.karmada.io/v1alpha2) in one code path: which one a workload has, and the fields that decisions read. */
import * as z from 'zod/mini';
import { fromTimestamp, type Instant } from '../core/time.ts';
import { objectMeta, parseObject, referenceFields, timestamp } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type TriggerState, triggerStateOf } from './trigger-state.ts';

/** The writer of the trigger: "<rebalancer's name>/<its uid>". Distinguishes our own trigger from those of other clients and users. */
export const TRIGGERED_BY = 'evenkeel.dev/triggered-by';
/** Time of that trigger: if an earlier one is present, a user reverted it. */
export const TRIGGERED_AT = 'evenkeel.dev/triggered-at';
/** The requested time, which the trigger's own may exceed: for clients that compare it with the rebalancer's creation. */
export const REQUESTED_AT = 'evenkeel.dev/requested-at';
/** The rebalancer's resourceVersion when the workload was first planned. Orders the requests of several rebalancers without timestamps. */
export const REQUEST_VERSION = 'evenkeel.dev/request-version';

/** What Evenkeel writes beside a trigger. */
export interface TriggerSignature {
  readonly triggeredBy: string;
  readonly triggeredAt?: Instant;
  /** Absent in signatures of older versions, as is requestVersion. */
  readonly requestedAt?: Instant;
  readonly requestVersion?: string;
}

export interface Binding extends TriggerState {
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  readonly signature?: TriggerSignature;
  /** Absent for karmada-scheduler. */
  readonly schedulerName?: string;
  /** spec.schedulePriority, if it is not 0. */
  readonly priority?: number;
  /** The object of which the binding is; absent if the binding does not state it. */
  readonly resource?: ObjectReference;
}

const schema = z.object({
  metadata: objectMeta,
  spec: z._default(
    z.object({
      resource: z.nullish(z.object(referenceFields)),
      rescheduleTriggeredAt: z.nullish(timestamp),
      schedulerName: z.nullish(z.string()),
      schedulePriority: z.nullish(z.object({ priority: z._default(z.number(), 0) })),
      replicas: z.optional(z.number()),
      replicaRequirements: z.nullish(z.unknown()),
      components: z.nullish(z.array(z.unknown())),
      placement: z.nullish(
        z.object({
          replicaScheduling: z.nullish(z.object({ replicaSchedulingType: z.nullish(z.string()) })),
          clusterAffinities: z.nullish(z.array(z.object({ affinityName: z._default(z.string(), '') }))),
        }),
      ),
    }),
    {},
  ),
  status: z.nullish(
    z.object({
      lastScheduledTime: z.nullish(timestamp),
      schedulerObservedGeneration: z.nullish(z.number()),
      schedulerObservingAffinityName: z.nullish(z.string()),
    }),
  ),
});

function parseBinding(object: unknown): Binding {
  const { metadata, spec, status } = parseObject(schema, object, 'binding');
  const signature = signatureOf(metadata.annotations);
  return {
    key: { namespace: metadata.namespace, name: metadata.name },
    resourceVersion: metadata.resourceVersion,
    ...triggerStateOf({ metadata, spec, status }),
    ...(spec.resource != null && { resource: spec.resource }),
    ...(spec.schedulerName && { schedulerName: spec.schedulerName }),
    ...(spec.schedulePriority?.priority && { priority: spec.schedulePriority.priority }),
    ...(signature && { signature }),
  };
}

/** What Evenkeel wrote beside the last trigger. */
export function signatureOf(annotations: Readonly<Record<string, string>>): TriggerSignature | undefined {
  const { [TRIGGERED_BY]: triggeredBy, [REQUEST_VERSION]: requestVersion } = annotations;
  const [triggeredAt, requestedAt] = [TRIGGERED_AT, REQUESTED_AT].map((name) => fromTimestamp(annotations[name] ?? ''));
  if (triggeredBy === undefined) return undefined;
  return {
    triggeredBy,
    ...(triggeredAt !== undefined && { triggeredAt }),
    ...(requestedAt !== undefined && { requestedAt }),
    ...(requestVersion !== undefined && { requestVersion }),
  };
}

const shared = { group: 'work.karmada.io', version: 'v1alpha2', pageSize: 500, parse: parseBinding };

export const resourceBindings: Resource<Binding> = {
  ...shared,
  kind: 'ResourceBinding',
  plural: 'resourcebindings',
  namespaced: true,
};
export const clusterResourceBindings: Resource<Binding> = {
  ...shared,
  kind: 'ClusterResourceBinding',
  plural: 'clusterresourcebindings',
  namespaced: false,
};

/** The kind of binding a workload has: namespaced workloads have a ResourceBinding, the others a ClusterResourceBinding. */
export function bindingResource(workload: ObjectReference): Resource<Binding> {
  return workload.namespace === '' ? clusterResourceBindings : resourceBindings;
}

/**
 * The name Karmada gives a workload's binding: `<name>-<kind>` in lower case, with a colon written as a dot.
 * Example: ClusterRole "system:Reader" has "system.reader-clusterrole".
 */
export function bindingKey(workload: ObjectReference): ObjectKey {
  return {
    namespace: workload.namespace,
    name: `${workload.name.replaceAll(':', '.')}-${workload.kind}`.toLowerCase(),
  };
}
