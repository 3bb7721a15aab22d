/** The CustomResourceDefinitions: RebalancePolicy for hubs with policies, ElasticWorkload for hubs with elastic workloads. */
import { elasticCrds } from '../model/elastic-workload/elastic-workload-crd.ts';
import { policyCrd } from '../model/rebalance-policy/policy-crd.ts';
import type { Manifest } from './to-yaml.ts';

export function crd(): readonly Manifest[] {
  return [{ object: policyCrd() }];
}

export function elasticKinds(): readonly Manifest[] {
  return elasticCrds().map((object) => ({ object }));
}
