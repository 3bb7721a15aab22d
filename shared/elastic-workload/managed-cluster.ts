/** ManagedCluster of an Open Cluster Management hub: its labels, and whether it is available. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';

export interface ManagedCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly available: boolean;
}

const schema = z.object({
  metadata: z.extend(objectMeta, { labels: z._default(z.record(z.string(), z.string()), {}) }),
  status: z.nullish(z.object({ conditions: z.nullish(z.array(z.object({ type: z.string(), status: z.string() }))) })),
});

export const managedClusters: Resource<ManagedCluster> = {
  group: 'cluster.open-cluster-management.io',
  version: 'v1',
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  namespaced: false,
  pageSize: 500,
  parse: (object) => {
    const { metadata, status } = parseObject(schema, object, 'ManagedCluster');
    const available = status?.conditions?.find(({ type }) => type === 'ManagedClusterConditionAvailable');
    return { name: metadata.name, labels: metadata.labels, available: available?.status === 'True' };
  },
};
