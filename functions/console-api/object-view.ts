/** The kinds whose objects are shown as the API server sends them. Secrets are not among them. */
import type { ObjectKind } from '../../shared/console-api/operations/objects.ts';
import { elasticWorkloads } from '../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import { memberClusters } from '../../shared/karmada/member-cluster.ts';
import { placedBindings, placedClusterBindings } from '../../shared/karmada/placed-binding.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

export type WholeObject = Record<string, unknown>;

/** A kind may be of two APIs: the first that has the object is shown. */
const resources: Readonly<Record<ObjectKind, readonly Resource<unknown>[]>> = {
  rebalancers: [workloadRebalancers],
  bindings: [placedBindings, placedClusterBindings],
  clusters: [memberClusters, managedClusters],
  policies: [rebalancePolicies],
  drains: [clusterDrains],
  elasticworkloads: elasticWorkloads,
};

/** Those with a namespace, or those without. */
export function resourcesOf(kind: ObjectKind, namespaced: boolean): readonly Resource<WholeObject>[] {
  return resources[kind]
    .filter((resource) => resource.namespaced === namespaced)
    .map((resource) => ({ ...resource, parse: (object) => object as WholeObject }));
}
