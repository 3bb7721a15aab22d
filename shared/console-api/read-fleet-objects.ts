/** Reads all objects that a view of the fleet shows. */
import { type ElasticWorkload, elasticWorkloads } from '../elastic-workload/elastic-workload.ts';
import { type ManagedCluster, managedClusters } from '../elastic-workload/managed-cluster.ts';
import { allBindings } from '../karmada/list-bindings.ts';
import { type Member, memberClusters } from '../karmada/member-cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import { listDrains } from '../rebalance-policy/read-fleet.ts';
import type { RebalancePolicy } from '../rebalance-policy/rebalance-policy.ts';

export interface FleetSeen {
  /** Absent: the hub is registered without them. */
  readonly drains?: readonly RebalancePolicy[] | undefined;
  readonly members: readonly Member[];
  readonly bindings: readonly PlacedBinding[];
  readonly managedClusters: readonly ManagedCluster[];
  readonly elastic: readonly ElasticWorkload[];
}

export async function readFleetObjects(hub: Hub, hasDrains: boolean): Promise<FleetSeen> {
  const [drains, members, bindings, managed, workloads] = await Promise.all([
    hasDrains ? listDrains(hub) : undefined,
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    allBindings(hub),
    listIfServed(hub, managedClusters, (cluster) => cluster.name),
    Promise.all(elasticWorkloads.map((kind) => listIfServed(hub, kind, ({ uid }) => uid))),
  ]);
  return { drains, members, bindings, managedClusters: managed, elastic: workloads.flat() };
}
