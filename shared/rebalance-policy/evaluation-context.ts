/** What the evaluation of workloads needs to know of a hub, and the forecast of each binding there. */

import type { Instant } from '../core/time.ts';
import type { AssumeCache } from '../karmada/assignment/assume-cache.ts';
import { capacityOf } from '../karmada/assignment/available-replicas.ts';
import type { Cluster } from '../karmada/assignment/cluster.ts';
import {
  type FreshPlan,
  type LeavingReplicas,
  planDrain,
  planFresh,
  sharedCapacities,
} from '../karmada/assignment/rebalance-plan.ts';
import { isDrained, type Member } from '../karmada/member-cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';

export interface EvaluationContext {
  readonly clusters: readonly Cluster[];
  /** Unhealthy clusters, by name. */
  readonly unhealthy: ReadonlySet<string>;
  /** Namespaces' annotation REBALANCING. */
  readonly switches: ReadonlyMap<string, string>;
  /** Clusters that are drained, by name. */
  readonly drained: ReadonlySet<string>;
  readonly plan: (binding: PlacedBinding) => FreshPlan;
  /** The plan if so many replicas leave a cluster. */
  readonly planDrain: (binding: PlacedBinding, leaving: LeavingReplicas) => FreshPlan;
  readonly now: Instant;
}

export interface ObservedHub {
  readonly members: readonly Member[];
  /** Namespaces' annotation REBALANCING. */
  readonly switches: ReadonlyMap<string, string>;
  readonly now: Instant;
  /** Whether the hub has the feature `failback`. */
  readonly failback: boolean;
}

/**
 * A binding is planned once for all policies. `assumed`: replicas that take capacity before the clusters report so, and the caller adds those
 * that it decides to move; absent: each binding is planned as if it moved alone.
 */
export function evaluationContextOf(
  { members, switches, now, failback }: ObservedHub,
  assumed?: AssumeCache,
): EvaluationContext {
  const clusters = members.map(({ cluster }) => cluster);
  const capacities = assumed ? (binding: PlacedBinding) => capacityOf(binding, { assumed }) : sharedCapacities();
  // Weak, so that the bindings of a page are not kept after it.
  const plans = new WeakMap<PlacedBinding, FreshPlan>();
  return {
    clusters,
    unhealthy: new Set(members.flatMap((member) => (isUnhealthy(member) ? [member.cluster.name] : []))),
    drained: new Set(members.flatMap((member) => (isDrained(member) ? [member.cluster.name] : []))),
    switches,
    now,
    plan: (binding) => {
      const known = plans.get(binding) ?? planFresh(binding, { clusters, capacity: capacities(binding), failback });
      plans.set(binding, known);
      return known;
    },
    planDrain: (binding, leaving) => planDrain(binding, leaving, { clusters, capacity: capacities(binding) }),
  };
}

/** One that is drained and ready still runs its replicas. */
function isUnhealthy(member: Member): boolean {
  return !member.healthy && !(member.ready && isDrained(member));
}
