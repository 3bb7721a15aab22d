/** Reads a hub's member clusters, for whoever counts room or chooses among them. */
import { type Cluster, clusters as clusterKind } from '../model/assignment/cluster.ts';
import type { Hub } from '../ports/hub.ts';

/** A list that began anew names a cluster twice: the one read last counts. */
export async function readClusters(hub: Hub): Promise<readonly Cluster[]> {
  const clusters = new Map<string, Cluster>();
  for await (const page of hub.list(clusterKind)) for (const cluster of page) clusters.set(cluster.name, cluster);
  return [...clusters.values()];
}
