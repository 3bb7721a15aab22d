/** A member cluster with its health: for functions that wait for clusters to recover, in addition to the fields for assignment. */
import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { objectMeta, parseObject, timestamp } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { type Cluster, clusters, parseCluster } from './assignment/cluster.ts';

export interface Member {
  readonly cluster: Cluster;
  readonly uid: string;
  readonly createdAt: Instant;
  /** By its condition Ready: its reports are current. */
  readonly ready: boolean;
  /** Ready, not tainted and not being deleted. */
  readonly healthy: boolean;
  /** Last transition of its condition Ready, by the hub's time. */
  readonly readySince?: Instant;
  /** The annotation PRICE: what one core costs for an hour. Absent without one, or if it is no decimal. */
  readonly price?: number;
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

/** The taint of a cluster that is drained; its value is the name of the ClusterDrain. */
export const DRAIN_TAINT = 'evenkeel.dev/drain';

/** Annotation of a Cluster: what one core costs for an hour, as a decimal. */
export const PRICE = 'evenkeel.dev/price';
export const DECIMAL = /^[0-9]{1,9}(\.[0-9]{1,9})?$/;

/** Karmada's own taints reflect the cluster's health. */
const KARMADA_TAINT = /^cluster\.karmada\.io\//;

/**
 * Taints of an unhealthy cluster: Karmada's own, including cordon, that of a drain, and every taint that evicts. Another NoSchedule
 * taint reserves the cluster for some workloads: a permanent one would make it unhealthy forever.
 */
function isTainted({ taints }: Cluster): boolean {
  return taints.some(({ key, effect }) => effect === 'NoExecute' || key === DRAIN_TAINT || KARMADA_TAINT.test(key));
}

/** Reads the object as the API server sends it. */
export function parseMember(object: unknown): Member {
  const { metadata, status } = parseObject(schema, object, 'Cluster');
  const cluster = parseCluster(object);
  const { [PRICE]: price = '' } = metadata.annotations;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    cluster,
    uid: metadata.uid,
    createdAt: metadata.creationTimestamp,
    ready: ready?.status === 'True',
    healthy: ready?.status === 'True' && !isTainted(cluster) && !cluster.deleting,
    ...(DECIMAL.test(price) && { price: Number(price) }),
    ...(ready?.lastTransitionTime != null && { readySince: ready.lastTransitionTime }),
  };
}

export function isDrained({ cluster: { taints } }: Member): boolean {
  return taints.some(({ key }) => key === DRAIN_TAINT);
}

export const memberClusters: Resource<Member> = { ...clusters, parse: parseMember };

export function byName(members: Iterable<Member>): ReadonlyMap<string, Member> {
  return new Map([...members].map((member) => [member.cluster.name, member]));
}
