/** A member cluster (cluster.karmada.io/v1alpha1), read into what candidate selection and assignment ask of it. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../hub-object.ts';
import { quantityMap } from './quantity.ts';

const taint = z.object({
  key: z.string(),
  value: z._default(z.string(), ''),
  effect: z.string(),
  timeAdded: z.nullish(z.string()),
});

const resourceSummary = z.object({
  allocatable: z.nullish(quantityMap),
  allocated: z.nullish(quantityMap),
  allocating: z.nullish(quantityMap),
});

export type Taint = z.output<typeof taint>;
export type ResourceSummary = z.output<typeof resourceSummary>;

/** What a ClusterAffinity selects by. */
export interface ClusterIdentity {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
}

export interface Cluster extends ClusterIdentity {
  /** Whether its condition Ready is True; a cluster that never reported is not. */
  readonly ready: boolean;
  readonly deleting: boolean;
  readonly taints: readonly Taint[];
  /** Absent until the cluster reported its resources. */
  readonly resourceSummary?: ResourceSummary;
}

const schema = z.object({
  metadata: z.extend(objectMeta, { labels: z.nullish(z.record(z.string(), z.string())) }),
  spec: z._default(
    z.object({
      provider: z.nullish(z.string()),
      region: z.nullish(z.string()),
      zones: z.nullish(z.array(z.string())),
      taints: z.nullish(z.array(taint)),
    }),
    {},
  ),
  status: z.nullish(
    z.object({
      conditions: z.nullish(z.array(z.object({ type: z.string(), status: z.string() }))),
      resourceSummary: z.nullish(resourceSummary),
    }),
  ),
});

/** Reads the object as the API server sends it. */
export function parseCluster(object: unknown): Cluster {
  const { metadata, spec, status } = parseObject(schema, object, 'Cluster');
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    ...(spec.provider && { provider: spec.provider }),
    ...(spec.region && { region: spec.region }),
    zones: spec.zones ?? [],
    ready: (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    deleting: metadata.deletionTimestamp !== undefined,
    taints: spec.taints ?? [],
    ...(status?.resourceSummary && { resourceSummary: status.resourceSummary }),
  };
}
