/** Reads a hub's member clusters, for whoever counts room or chooses among them. */
import { type Cluster, clusters as clusterKind } from '../model/assignment/cluster.ts';
import type { Hub } from '../ports/hub.ts';
import { listAll } from './list-all.ts';

/** Lists under way: the bindings of one batch, which are looked at all at once, share one. */
const underWay = new WeakMap<Hub, Promise<readonly Cluster[]>>();

/** 1,000 clusters that report all they serve are tens of megabytes: ten bindings at once are no reason to read them ten times. */
export function readClusters(hub: Hub): Promise<readonly Cluster[]> {
  const reading =
    underWay.get(hub) ?? listAll(hub, clusterKind, ({ name }) => name).finally(() => underWay.delete(hub));
  underWay.set(hub, reading);
  return reading;
}
