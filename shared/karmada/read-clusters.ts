/** Reads a hub's member clusters, to compute capacity or to select among them. */

import type { Hub } from '../kubernetes/hub.ts';
import { listAll } from '../kubernetes/list-all.ts';
import { type Cluster, clusters as clusterKind } from './assignment/cluster.ts';

/** Lists in progress: bindings of one batch are processed concurrently and share one list. */
const running = new WeakMap<Hub, Promise<readonly Cluster[]>>();

/** 1,000 clusters with all their APIs are tens of megabytes, so concurrent bindings do not each read them. */
export function readClusters(hub: Hub): Promise<readonly Cluster[]> {
  const reading = running.get(hub) ?? listAll(hub, clusterKind, ({ name }) => name).finally(() => running.delete(hub));
  running.set(hub, reading);
  return reading;
}
