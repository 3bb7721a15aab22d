/** The CustomResourceDefinitions: RebalancePolicy for hubs with policies, ElasticWorkload for hubs with elastic workloads. */
import { elasticCrds } from '../elastic-workload/elastic-workload-crd.ts';
import { policyCrd } from '../rebalance-policy/policy-crd.ts';
import type { PrintedManifest } from './to-yaml.ts';

export function crd(): readonly PrintedManifest[] {
  return [{ object: policyCrd() }];
}

export function elasticKinds(): readonly PrintedManifest[] {
  return elasticCrds().map((object) => ({ object }));
}
