/** A member cluster with what tells whether it is well: for whoever waits for clusters to recover, beside what assignment asks of it. */
import * as z from 'zod/mini';
import { type Cluster, clusters, parseCluster } from './assignment/cluster.ts';
import { objectMeta, parseObject, timestamp } from './hub-object.ts';
import type { Resource } from './resource.ts';
import type { Instant } from './time.ts';

export interface Member {
  readonly cluster: Cluster;
  readonly uid: string;
  readonly createdAt: Instant;
  /** By its condition: what it reports is of now. */
  readonly ready: boolean;
  /** Ready, and neither tainted nor leaving. */
  readonly well: boolean;
  /** When its condition Ready turned last, by the hub's clock. */
  readonly readySince?: Instant;
}

const schema = z.object({
  metadata: objectMeta,
  status: z.nullish(
    z.object({
      conditions: z.nullish(
        z.array(z.object({ type: z.string(), status: z.string(), lastTransitionTime: z.nullish(timestamp) })),
      ),
    }),
  ),
});

/** Karmada's own taints say how a cluster does. */
const KARMADA_TAINT = /^cluster\.karmada\.io\//;

/**
 * Which taints say that a cluster is not well: Karmada's own, a cordon among them, and every one that evicts. Another NoSchedule
 * taint says for whom the cluster is: with one for good it would never be well.
 */
function isTainted({ taints }: Cluster): boolean {
  return taints.some(({ key, effect }) => effect === 'NoExecute' || KARMADA_TAINT.test(key));
}

/** Reads the object as the API server sends it. */
export function parseMember(object: unknown): Member {
  const { metadata, status } = parseObject(schema, object, 'Cluster');
  const cluster = parseCluster(object);
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    cluster,
    uid: metadata.uid,
    createdAt: metadata.creationTimestamp,
    ready: ready?.status === 'True',
    well: ready?.status === 'True' && !isTainted(cluster) && !cluster.deleting,
    ...(ready?.lastTransitionTime != null && { readySince: ready.lastTransitionTime }),
  };
}

export const memberClusters: Resource<Member> = { ...clusters, parse: parseMember };
