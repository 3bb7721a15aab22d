/** Decides whether a hub serves the kinds that Evenkeel uses: those of Karmada or Open Cluster Management, and Evenkeel's own if they are used. */

import { elasticWorkloads as elasticWorkloadKinds } from '../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import { manifestWorks } from '../../shared/elastic-workload/manifest-work.ts';
import { placementDecisions, placements } from '../../shared/elastic-workload/placement-decision.ts';
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/karmada/binding.ts';
import type { HubFeatures } from '../../shared/kubernetes/hub-features.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { moveBudgets } from '../../shared/move-budget/move-budget.ts';
import { clusterDrains } from '../../shared/rebalance-policy/cluster-drain.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { type Finding, fail, ok } from './finding.ts';

type CheckedKind = Resource<unknown>;

export const karmadaKinds: readonly CheckedKind[] = [
  resourceBindings,
  clusterResourceBindings,
  workloadRebalancers,
  clusters,
];
export const clusterManagementKinds: readonly CheckedKind[] = [
  managedClusters,
  placements,
  placementDecisions,
  manifestWorks,
];
export const policyKinds: readonly CheckedKind[] = [rebalancePolicies];
export const budgetKinds: readonly CheckedKind[] = [moveBudgets];
export const drainKinds: readonly CheckedKind[] = [clusterDrains];
/** One of the two groups is enough; both are printed. */
export const elasticKinds: readonly CheckedKind[] = elasticWorkloadKinds;

/** `apply`: the command that applies a part of the output of `evenkeel hub manifests`. */
export function checkKinds(
  served: ReadonlySet<CheckedKind>,
  { policies, drains, budgets, elasticWorkloads }: HubFeatures,
  apply: (part: string) => string,
): readonly Finding[] {
  const lacking = (kinds: readonly CheckedKind[]) => kinds.filter((kind) => !served.has(kind));
  const isClusterManagement = elasticWorkloads && lacking(clusterManagementKinds).length === 0;
  const isKarmada = lacking(karmadaKinds).length < karmadaKinds.length;
  return [
    ...(isKarmada || !isClusterManagement ? [karmada(lacking(karmadaKinds))] : []),
    ...(elasticWorkloads ? [clusterManagement(lacking(clusterManagementKinds))] : []),
    ...(policies ? [ours('RebalancePolicy', lacking(policyKinds), apply('crd'))] : []),
    ...(drains ? [ours('ClusterDrain', lacking(drainKinds), apply('crd'))] : []),
    ...(budgets ? [ours('MoveBudget', lacking(budgetKinds), apply('crd'))] : []),
    ...(elasticWorkloads ? [ours('ElasticWorkload', lacking(elasticKinds), apply('elastic-crds'))] : []),
  ];
}

function karmada(lacking: readonly CheckedKind[]): Finding {
  if (lacking.length === 0) return ok('Karmada', 'serves bindings, WorkloadRebalancers and Clusters');
  const way =
    lacking.length === karmadaKinds.length
      ? "name the kubeconfig of Karmada's own API server (karmada-apiserver), or karmadactl init"
      : 'karmadactl upgrade, or kubectl apply -k of the CRDs of your release of Karmada';
  return fail('Karmada', `does not serve ${names(lacking)}`, way);
}

function clusterManagement(lacking: readonly CheckedKind[]): Finding {
  if (lacking.length === 0)
    return ok('OCM', 'serves ManagedClusters, Placements with their decisions, and ManifestWorks');
  return fail('OCM', `does not serve ${names(lacking)}`, 'clusteradm init, or name the kubeconfig of the OCM hub');
}

function ours(kind: string, lacking: readonly CheckedKind[], mend: string): Finding {
  return lacking.length === 0 ? ok(kind, 'is served') : fail(kind, `does not serve ${names(lacking)}`, mend);
}

function names(kinds: readonly CheckedKind[]): string {
  return kinds.map(({ plural, group }) => `${plural}.${group}`).join(', ');
}
