/** The CustomResourceDefinitions: RebalancePolicy for hubs with policies, ClusterDrain with drains, ElasticWorkload with elastic workloads. */

import { elasticCrds } from '../elastic-workload/elastic-workload-crd.ts';
import { drainCrd } from '../rebalance-policy/drain-crd.ts';
import { policyCrd } from '../rebalance-policy/policy-crd.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

export function crd({ drains = false }: ManifestTarget): readonly PrintedManifest[] {
  return [policyCrd(), ...(drains ? [drainCrd()] : [])].map((object) => ({ object }));
}

export function elasticKinds(): readonly PrintedManifest[] {
  return elasticCrds().map((object) => ({ object }));
}
