/** Decides since when each cluster has been well without a break, from what is seen now and what was seen before. */
import type { Member } from '../../shared/model/member-cluster.ts';
import type { ClusterSights } from '../../shared/model/rebalance-policy/policy-run.ts';
import type { Instant } from '../../shared/model/time.ts';

type Sight = ClusterSights['clusters'][string];

/**
 * Worked examples (seen before → seen at 10:00 → well since):
 *
 * | before | now | since | because |
 * |---|---|---|---|
 * | nothing | well, Ready since 08:00 | 08:00 | the hub says so |
 * | well since 08:00 | not ready, or tainted | – | |
 * | not well | well, Ready since 09:58 | 10:00 | when its taint went nobody wrote down |
 * | well since 08:00 | well, Ready since 09:59 | 09:59 | it was away between two looks |
 * | well since 10:00 | well, Ready since 09:58 | 10:00 | |
 */
export function observeClusters(
  before: ClusterSights['clusters'],
  members: readonly Member[],
  now: Instant,
): ClusterSights['clusters'] {
  return Object.fromEntries(members.map((member) => [member.uid, observe(before[member.uid], member, now)]));
}

function observe(before: Sight | undefined, { cluster: { name }, well, readySince = 0 }: Member, now: Instant): Sight {
  if (!well) return { name };
  const ready = Math.min(readySince, now);
  if (before === undefined) return { name, wellSince: ready };
  return { name, wellSince: before.wellSince === undefined ? now : Math.max(before.wellSince, ready) };
}
