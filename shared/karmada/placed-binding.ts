/** ResourceBinding and ClusterResourceBinding as assignment reads them: the workload, its placement, its clusters and its status there. */
import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { managedField, parseObject, referenceFields, timestamp } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { placement } from './assignment/placement.ts';
import { quantityMap } from './assignment/quantity.ts';
import { type Binding, clusterResourceBindings, resourceBindings, signatureOf } from './binding.ts';
import { triggerStateOf } from './trigger-state.ts';

/** The placement by which replicas were last assigned. Karmada's own annotation. */
export const APPLIED_PLACEMENT = 'policy.karmada.io/applied-placement';

const targetClusters = z.array(z.object({ name: z.string(), replicas: z._default(z.number(), 0) }));
const condition = z.looseObject({ type: z.string(), status: z.string(), message: z.optional(z.string()) });
/** Fields that kinds with replicas may report. */
const reportedStatus = z.object({
  replicas: z.nullish(z.number()),
  readyReplicas: z.nullish(z.number()),
  updatedReplicas: z.nullish(z.number()),
  /** The member object's generation, and the one its controller has observed. */
  generation: z.nullish(z.number()),
  observedGeneration: z.nullish(z.number()),
  /** The generation of the hub's template that was applied to the member. */
  resourceTemplateGeneration: z.nullish(z.number()),
});
const reported = z.object({
  clusterName: z.string(),
  applied: z.nullish(z.boolean()),
  health: z.nullish(z.string()),
  status: z.nullish(reportedStatus),
});

/** With all its fields, so that entries of other clients are written back unchanged. */
const requirement = z.looseObject({
  namespace: z._default(z.string(), ''),
  name: z._default(z.string(), ''),
  clusters: z.nullish(z.array(z.looseObject({ name: z.string() }))),
});

const evictionTask = z.object({
  gracePeriodSeconds: z.nullish(z.number()),
  fromCluster: z.string(),
  producer: z.nullish(z.string()),
  purgeMode: z.nullish(z.string()),
  suppressDeletion: z.nullish(z.boolean()),
  creationTimestamp: z.nullish(z.string()),
});

const metadata = z.object({
  name: z.string(),
  namespace: z._default(z.string(), ''),
  uid: z.string(),
  resourceVersion: z._default(z.string(), ''),
  generation: z._default(z.number(), 1),
  deletionTimestamp: z.optional(z.string()),
  annotations: z._default(z.record(z.string(), z.string()), {}),
  managedFields: z._default(z.array(managedField), []),
});

const schema = z.object({
  metadata,
  spec: z.object({
    resource: z.object({
      ...referenceFields,
      uid: z._default(z.string(), ''),
    }),
    replicas: z._default(z.number(), 0),
    clusters: z._default(targetClusters, []),
    replicaRequirements: z.nullish(
      z.object({
        resourceRequest: z.nullish(quantityMap),
        nodeClaim: z.nullish(z.unknown()),
        namespace: z.nullish(z.string()),
        priorityClassName: z.nullish(z.string()),
      }),
    ),
    components: z.nullish(z.array(z.unknown())),
    placement: z.nullish(placement),
    schedulerName: z._default(z.string(), ''),
    schedulePriority: z.nullish(z.object({ priority: z._default(z.number(), 0) })),
    replicaReductionStrategy: z.nullish(z.string()),
    rescheduleTriggeredAt: z.nullish(timestamp),
    suspension: z.nullish(
      z.object({
        scheduling: z.nullish(z.boolean()),
        dispatching: z.nullish(z.boolean()),
        dispatchingOnClusters: z.nullish(z.object({ clusterNames: z.nullish(z.array(z.string())) })),
      }),
    ),
    requiredBy: z.nullish(z.array(requirement)),
    gracefulEvictionTasks: z.nullish(z.array(evictionTask)),
  }),
  status: z._default(
    z.object({
      lastScheduledTime: z.nullish(timestamp),
      schedulerObservedGeneration: z.nullish(z.number()),
      schedulerObservingAffinityName: z.nullish(z.string()),
      conditions: z._default(z.array(condition), []),
      aggregatedStatus: z._default(z.array(reported), []),
    }),
    { conditions: [], aggregatedStatus: [] },
  ),
});

type SentBinding = z.output<typeof schema>;

export type PlacedBinding = Omit<SentBinding, 'metadata'> & {
  readonly metadata: Omit<SentBinding['metadata'], 'managedFields'>;
  /** When Karmada last wrote a change of the workload, or of its policy, to the binding; absent if the hub has no time of it. */
  readonly propagatedAt?: Instant;
  /** The stored placement, including the fields that assignment does not read. */
  readonly storedPlacement: unknown;
};

/** Reads the object as the API server sends it. */
export function parsePlacedBinding(object: unknown): PlacedBinding {
  const binding = parseObject(schema, object, 'binding');
  const { managedFields, ...metadata } = binding.metadata;
  const propagatedAt = propagation(managedFields);
  const { placement: storedPlacement } = (object as { spec?: { placement?: unknown } }).spec ?? {};
  return { ...binding, metadata, storedPlacement, ...(propagatedAt !== undefined && { propagatedAt }) };
}

/** Karmada's detector. Other controllers of its process write status, which is a subresource, and rarely spec. */
const DETECTOR = 'karmada-controller-manager';

function propagation(managedFields: SentBinding['metadata']['managedFields']): Instant | undefined {
  const times = managedFields.flatMap(({ manager, subresource, time }) =>
    manager === DETECTOR && subresource === undefined && time !== undefined ? [time] : [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

export const placedBindings: Resource<PlacedBinding> = { ...resourceBindings, parse: parsePlacedBinding };
export const placedClusterBindings: Resource<PlacedBinding> = { ...clusterResourceBindings, parse: parsePlacedBinding };

/** The kind of a binding by its namespace, which a ClusterResourceBinding does not have. */
export function placedKind({ namespace }: Pick<ObjectKey, 'namespace'>): Resource<PlacedBinding> {
  return namespace === '' ? placedClusterBindings : placedBindings;
}

/** spec.schedulePriority: those with a higher one are scheduled first. */
export function priorityOf({ spec }: PlacedBinding): number {
  return spec.schedulePriority?.priority ?? 0;
}

/** Whether it has replicas to divide. A workload scaled to 0 with replicaRequirements has; a ClusterRole does not. */
export function isWorkload({ spec }: PlacedBinding): boolean {
  return (spec.replicas > 0 || spec.replicaRequirements != null) && (spec.components?.length ?? 0) <= 1;
}

/** The binding as triggers read it. */
export function bindingOf(binding: PlacedBinding): Binding {
  const { metadata, spec } = binding;
  const signature = signatureOf(metadata.annotations);
  return {
    key: { namespace: metadata.namespace, name: metadata.name },
    resourceVersion: metadata.resourceVersion,
    ...triggerStateOf(binding),
    resource: spec.resource,
    ...(spec.schedulerName !== '' && { schedulerName: spec.schedulerName }),
    ...(signature && { signature }),
  };
}
