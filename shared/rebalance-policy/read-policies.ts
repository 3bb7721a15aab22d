/** Reads the RebalancePolicies and ClusterDrains of a hub, where it is registered with them. */
import type { Hubs } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import { listDrains } from './read-fleet.ts';
import { type PoliciesOfHub, rebalancePolicies } from './rebalance-policy.ts';

export async function readPolicies(hubs: Hubs, name: string): Promise<PoliciesOfHub> {
  const hub = await hubs.open(name);
  const [hasPolicies, hasDrains] = await Promise.all([hubs.uses(name, 'policies'), hubs.uses(name, 'drains')]);
  const [policies, drains] = await Promise.all([
    hasPolicies ? listIfServed(hub, rebalancePolicies, ({ uid }) => uid) : [],
    hasDrains ? listDrains(hub) : [],
  ]);
  return { policies, drains };
}
