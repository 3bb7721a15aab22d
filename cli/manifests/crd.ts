/** The kind RebalancePolicy, for hubs where policies are used. */
import { policyCrd } from '../../shared/model/rebalance-policy/policy-crd.ts';
import type { Manifest } from './to-yaml.ts';

export function crd(): readonly Manifest[] {
  return [{ object: policyCrd() }];
}
