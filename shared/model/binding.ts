/** ResourceBinding and ClusterResourceBinding (work.karmada.io/v1alpha2) in one code path: which one a workload has, and what decisions read of it. */
import * as z from 'zod/mini';
import { objectMeta, parseObject, timestamp } from './hub-object.ts';
import type { ObjectKey } from './object-key.ts';
import type { ObjectReference } from './object-reference.ts';
import type { Resource } from './resource.ts';
import { fromTimestamp, type Instant } from './time.ts';

/** Who wrote the trigger: "<rebalancer's name>/<its uid>". Tells our own trigger from another's of the same second, and a person who asked for it. */
export const TRIGGERED_BY = 'evenkeel.dev/triggered-by';
/** Which trigger that was: where another one stands, it is somebody else's. */
export const TRIGGERED_AT = 'evenkeel.dev/triggered-at';

export interface Binding {
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  readonly rescheduleTriggeredAt?: Instant;
  readonly triggeredBy?: string;
  /** Whether the trigger that stands is the one that was signed: written on a binding that had not been scheduled since. */
  readonly isSigned?: true;
  readonly lastScheduledTime?: Instant;
  /** Absent where it is karmada-scheduler's. */
  readonly schedulerName?: string;
}

const schema = z.object({
  metadata: objectMeta,
  spec: z._default(z.object({ rescheduleTriggeredAt: z.nullish(timestamp), schedulerName: z.nullish(z.string()) }), {}),
  status: z.nullish(z.object({ lastScheduledTime: z.nullish(timestamp) })),
});

function parseBinding(object: unknown): Binding {
  const { metadata, spec, status } = parseObject(schema, object, 'binding');
  const { [TRIGGERED_BY]: triggeredBy, [TRIGGERED_AT]: triggeredAt } = metadata.annotations;
  return {
    key: { namespace: metadata.namespace, name: metadata.name },
    resourceVersion: metadata.resourceVersion,
    ...(spec.schedulerName && { schedulerName: spec.schedulerName }),
    ...(spec.rescheduleTriggeredAt != null && { rescheduleTriggeredAt: spec.rescheduleTriggeredAt }),
    ...(triggeredBy !== undefined && { triggeredBy }),
    ...(triggeredAt !== undefined && fromTimestamp(triggeredAt) === spec.rescheduleTriggeredAt && { isSigned: true }),
    ...(status?.lastScheduledTime != null && { lastScheduledTime: status.lastScheduledTime }),
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
