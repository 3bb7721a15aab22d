/** A member cluster (cluster.karmada.io/v1alpha1), parsed for candidate selection and assignment. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../../kubernetes/hub-object.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { quantityMap } from './quantity.ts';

export const taint = z.object({
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

/** Kinds of one group and version: "apps/v1", [ "Deployment" ]. */
export interface ServedKinds {
  readonly groupVersion: string;
  readonly kinds: readonly string[];
}

export interface Cluster extends ClusterIdentity {
  readonly deleting: boolean;
  readonly taints: readonly Taint[];
  /** What it serves, as far as it reported. */
  readonly apis: readonly ServedKinds[];
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
      resourceSummary: z.nullish(resourceSummary),
      apiEnablements: z.nullish(
        z.array(z.object({ groupVersion: z.string(), resources: z.nullish(z.array(z.object({ kind: z.string() }))) })),
      ),
    }),
  ),
});

export const clusters: Resource<Cluster> = {
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  kind: 'Cluster',
  plural: 'clusters',
  namespaced: false,
  pageSize: 100,
  parse: parseCluster,
};

/** Reads the object as the API server sends it. */
export function parseCluster(object: unknown): Cluster {
  const { metadata, spec, status } = parseObject(schema, object, 'Cluster');
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    ...(spec.provider && { provider: spec.provider }),
    ...(spec.region && { region: spec.region }),
    zones: spec.zones ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
    taints: spec.taints ?? [],
    apis: (status?.apiEnablements ?? []).map(({ groupVersion, resources }) => ({
      groupVersion,
      kinds: (resources ?? []).map(({ kind }) => kind),
    })),
    ...(status?.resourceSummary && { resourceSummary: status.resourceSummary }),
  };
}
