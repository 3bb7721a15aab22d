/** Reads all objects that a view of the fleet shows. */
import { elasticWorkloads } from '../elastic-workload/elastic-workload.ts';
import { managedClusters } from '../elastic-workload/managed-cluster.ts';
import { allBindings } from '../karmada/list-bindings.ts';
import { memberClusters } from '../karmada/member-cluster.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import { listDrains } from '../rebalance-policy/read-fleet.ts';

export async function readFleetObjects(hub: Hub, hasDrains: boolean) {
  const [drains, members, bindings, managed, workloads] = await Promise.all([
    hasDrains ? listDrains(hub) : undefined,
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    allBindings(hub),
    listIfServed(hub, managedClusters, (cluster) => cluster.name),
    Promise.all(elasticWorkloads.map((kind) => listIfServed(hub, kind, ({ uid }) => uid))),
  ]);
  return { drains, members, bindings, managedClusters: managed, elastic: workloads.flat() };
}
