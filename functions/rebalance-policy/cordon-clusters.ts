/** Decides which clusters get the taint of a ClusterDrain, and which lose it because their drain was deleted or is over. */
import type { Instant } from '../../shared/core/time.ts';
import { isDrained, type Member } from '../../shared/karmada/member-cluster.ts';
import { isOver } from '../../shared/rebalance-policy/cluster-drain.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';

export interface TaintChange {
  readonly cluster: string;
  /** The name of its ClusterDrain; absent if the taint is removed. */
  readonly drain?: string;
}

/**
 * The taint keeps new replicas away, and moves none. A dry run taints nothing. A drain that is not accepted (isAccepted) sets no taint, and
 * leaves one that is set: it may have been edited while it went on.
 */
export function taintChanges(
  members: readonly Member[],
  policies: readonly RebalancePolicy[],
  { isAccepted, now }: { readonly isAccepted: (drain: RebalancePolicy) => boolean; readonly now: Instant },
): readonly TaintChange[] {
  const active = policies.filter(
    (drain) => drain.deletionTimestamp === undefined && !drain.spec.dryRun && !isOver(drain, now),
  );
  const drainOf = new Map(active.map((drain) => [drain.drains, drain]));
  return members.flatMap((member) => {
    const cluster = member.cluster.name;
    const drain = drainOf.get(cluster);
    if (isDrained(member) === (drain !== undefined)) return [];
    if (drain === undefined) return [{ cluster }];
    return isAccepted(drain) ? [{ cluster, drain: drain.name }] : [];
  });
}
