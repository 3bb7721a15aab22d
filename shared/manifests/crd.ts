/** The CustomResourceDefinitions: RebalancePolicy for hubs with policies, ElasticWorkload for hubs with elastic workloads. */
import { elasticCrds } from '../model/elastic-workload/elastic-workload-crd.ts';
import { policyCrd } from '../model/rebalance-policy/policy-crd.ts';
import type { PrintedManifest } from './to-yaml.ts';

export function crd(): readonly PrintedManifest[] {
  return [{ object: policyCrd() }];
}

export function elasticKinds(): readonly PrintedManifest[] {
  return elasticCrds().map((object) => ({ object }));
}
