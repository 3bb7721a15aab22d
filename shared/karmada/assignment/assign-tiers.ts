/** Assigns replicas to the clusters of an affinity term, and those that exceed their capacity to its overflowAffinities, as karmada-scheduler (v1.18) does. */
import { groupBy } from '../../core/group-by.ts';
import { sum } from '../../core/sum.ts';
import {
  type Assignment,
  type AssignmentRequest,
  assignReplicas,
  byName,
  type ClusterReplicas,
} from './assign-replicas.ts';
import type { RankedCluster } from './rank-clusters.ts';

export interface TieredRequest extends AssignmentRequest {
  readonly clusters: readonly RankedCluster[];
}

/**
 * Each tier is assigned on its own, with as many replicas as it has capacity for: the term's own clusters first, then those of
 * each overflow affinity in order. All or nothing.
 *
 * Example: 10 replicas, m1 (capacity 6) in the term, m2 and m3 (20 each) in its first overflow affinity, by dynamic weight: 6, 2, 2.
 */
export function assignTiers(request: TieredRequest): Assignment {
  const tiers = [...groupBy(request.clusters, ({ tier }) => tier)].sort(([a], [b]) => a - b);
  const shares: ClusterReplicas[] = [];
  let left = request.replicas;
  let reason = '';
  for (const [, clusters] of tiers) {
    const replicas = Math.min(left, sum(clusters.map(({ capacity }) => capacity)));
    const assignment = assignReplicas({ ...request, clusters, replicas });
    if (assignment.outcome !== 'Assigned') return assignment;
    shares.push(...assignment.clusters);
    reason = assignment.reason;
    left -= replicas;
    if (left <= 0) return { outcome: 'Assigned', clusters: byName(shares), reason };
  }
  const message = 'Clusters available replicas are not enough to schedule.';
  return {
    outcome: 'Unschedulable',
    reason: `capacity for ${request.replicas - left} of ${request.replicas}`,
    message,
  };
}
