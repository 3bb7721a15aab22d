/** Puts our requests into the words of karmada-scheduler-estimator, field by field as Karmada's own client fills them. */
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import * as z from 'zod/mini';
import { Fault } from '../core/fault.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { ReplicaRequirements } from './estimator.ts';
import {
  type MaxAvailableReplicasRequest,
  MaxAvailableReplicasRequestSchema,
  type NodeClaimSchema,
  NodeSelectorSchema,
  QuantitySchema,
  TolerationSchema,
  type UnschedulableReplicasRequest,
  UnschedulableReplicasRequestSchema,
} from './estimator_pb.ts';

const NANOSECONDS = 1_000_000_000n;

export function unschedulableRequest(
  cluster: string,
  { apiVersion, kind, namespace, name }: ObjectReference,
  thresholdSeconds: number,
): UnschedulableReplicasRequest {
  return create(UnschedulableReplicasRequestSchema, {
    cluster,
    resource: { apiVersion, kind, namespace, name },
    unschedulableThreshold: BigInt(thresholdSeconds) * NANOSECONDS,
  });
}

/** Throws a terminal Fault if the node claim is invalid in Kubernetes. */
export function maxAvailableRequest(cluster: string, requirements: ReplicaRequirements): MaxAvailableReplicasRequest {
  const { resourceRequest, nodeClaim, namespace, priorityClassName } = requirements;
  if ([resourceRequest, nodeClaim, namespace, priorityClassName].every((part) => part == null))
    return create(MaxAvailableReplicasRequestSchema, { cluster });
  // Sorted, so that the same request is the same bytes.
  const quantities = Object.entries(resourceRequest ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, string]) => [resource, create(QuantitySchema, { string })] as const);
  const bytes = quantities.map(([resource, quantity]) => [resource, toBinary(QuantitySchema, quantity)] as const);
  return create(MaxAvailableReplicasRequestSchema, {
    cluster,
    replicaRequirements: {
      ...(nodeClaim != null && { nodeClaim: nodeClaimOf(nodeClaim) }),
      resourceRequest: Object.fromEntries(quantities),
      namespace: namespace ?? '',
      priorityClassName: priorityClassName ?? '',
      resourceRequestBytes: Object.fromEntries(bytes),
    },
  });
}

const text = z._default(z.string(), '');
const nodeRequirements = z._default(
  z.array(z.object({ key: text, operator: text, values: z._default(z.array(z.string()), []) })),
  [],
);
const nodeClaimForm = z.object({
  hardNodeAffinity: z.nullish(
    z.object({
      nodeSelectorTerms: z._default(
        z.array(z.object({ matchExpressions: nodeRequirements, matchFields: nodeRequirements })),
        [],
      ),
    }),
  ),
  nodeSelector: z.nullish(z.record(z.string(), z.string())),
  tolerations: z.nullish(
    z.array(
      z.object({
        key: text,
        operator: text,
        value: text,
        effect: text,
        tolerationSeconds: z.optional(
          z.pipe(
            z.int(),
            z.transform((seconds) => BigInt(seconds)),
          ),
        ),
      }),
    ),
  ),
});

function nodeClaimOf(written: unknown): MessageInitShape<typeof NodeClaimSchema> {
  const parsed = z.safeParse(nodeClaimForm, written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Fault('terminal', `replicaRequirements.nodeClaim.${issue?.path.join('.')} cannot be read`, {
      reason: 'UnreadableObject',
    });
  }
  const { hardNodeAffinity, nodeSelector, tolerations } = parsed.data;
  const selector = hardNodeAffinity == null ? undefined : create(NodeSelectorSchema, hardNodeAffinity);
  const tolerated = (tolerations ?? []).map((toleration) => create(TolerationSchema, toleration));
  const labels = Object.entries(nodeSelector ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(selector !== undefined && {
      nodeAffinity: selector,
      nodeAffinityBytes: toBinary(NodeSelectorSchema, selector),
    }),
    nodeSelector: Object.fromEntries(labels),
    tolerations: tolerated,
    tolerationsBytes: tolerated.map((toleration) => toBinary(TolerationSchema, toleration)),
  };
}
