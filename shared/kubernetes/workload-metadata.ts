/** Labels and annotations that users set on a workload, for the kinds that are read. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from './hub-object.ts';
import type { ObjectKey } from './object-key.ts';
import type { ObjectReference } from './object-reference.ts';
import { apiVersionOf, type Resource } from './resource.ts';

export interface WorkloadMetadata {
  readonly key: ObjectKey;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether a client other than kubectl owns its replicas by the scale subresource, as autoscalers do. The API server records no time of it. */
  readonly isScaledByClient?: true;
}

const schema = z.object({
  metadata: z.extend(objectMeta, { labels: z._default(z.record(z.string(), z.string()), {}) }),
});

function kindOf(kind: string, at: { readonly group: string; readonly plural: string }): Resource<WorkloadMetadata> {
  return {
    ...at,
    version: 'v1',
    kind,
    namespaced: true,
    pageSize: 500,
    metadataOnly: true,
    parse: (object) => {
      const { namespace, name, labels, annotations, managedFields } = parseObject(schema, object, kind).metadata;
      const isScaledByClient = managedFields.some(
        ({ manager = '', subresource }) => subresource === 'scale' && !manager.startsWith('kubectl'),
      );
      return { key: { namespace, name }, labels, annotations, ...(isScaledByClient && { isScaledByClient }) };
    },
  };
}

/** Kinds whose labels and annotations are read. For other kinds the binding's own annotations apply, and labels are unknown. */
export const workloadKinds: readonly Resource<WorkloadMetadata>[] = [
  kindOf('Deployment', { group: 'apps', plural: 'deployments' }),
  kindOf('StatefulSet', { group: 'apps', plural: 'statefulsets' }),
  kindOf('Job', { group: 'batch', plural: 'jobs' }),
];

/** Undefined for other kinds. */
export function workloadKindOf({
  apiVersion,
  kind,
}: Pick<ObjectReference, 'apiVersion' | 'kind'>): Resource<WorkloadMetadata> | undefined {
  return workloadKinds.find((known) => apiVersionOf(known) === apiVersion && known.kind === kind);
}
