/** The CustomResourceDefinitions: RebalancePolicy for hubs with policies, ClusterDrain with drains, MoveBudget with budgets, ElasticWorkload with elastic workloads. */

import { elasticCrds } from '../elastic-workload/elastic-workload-crd.ts';
import { budgetCrd } from '../move-budget/budget-crd.ts';
import { drainCrd } from '../rebalance-policy/drain-crd.ts';
import { policyCrd } from '../rebalance-policy/policy-crd.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

export function crd({ policies, drains, budgets }: ManifestTarget): readonly PrintedManifest[] {
  const kinds = [
    ...(policies === false && budgets ? [] : [policyCrd()]),
    ...(drains ? [drainCrd()] : []),
    ...(budgets ? [budgetCrd()] : []),
  ];
  return kinds.map((object) => ({ object }));
}

export function elasticKinds(): readonly PrintedManifest[] {
  return elasticCrds().map((object) => ({ object }));
}
