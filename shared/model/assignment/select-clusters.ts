/** Decides which clusters may hold a workload, and says of the others why not: the step before replicas are assigned. */
import type { Cluster } from './cluster.ts';
import { matchesAffinity, taintText, tolerationsOf } from './match-cluster.ts';
import type { Placement } from './placement.ts';

export interface Selection<C extends Cluster> {
  readonly candidates: readonly C[];
  /** Why there are no more candidates, in the scheduler's words; the message of NoClusterFit where there are none. */
  readonly message: string;
}

/**
 * A cluster that holds the workload already stays a candidate under a NoSchedule taint: the taint bars newcomers, and
 * taking the replicas away is the eviction's work, after its toleration. Dropping it here would move them at the
 * next scaling, before anybody decided so.
 */
export function selectClusters<C extends Cluster>(
  placement: Placement,
  clusters: readonly C[],
  holds: (name: string) => boolean,
): Selection<C> {
  const candidates: C[] = [];
  const reasons = new Map<string, number>();
  for (const cluster of clusters) {
    const reason = whyNot(placement, cluster, holds(cluster.name));
    if (reason === undefined) candidates.push(cluster);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const why = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort();
  return {
    candidates,
    message: `${candidates.length}/${clusters.length} clusters are available: ${why.join(', ') || (clusters.length === 0 ? 'no cluster exists' : 'all fit')}.`,
  };
}

function whyNot(placement: Placement, cluster: Cluster, held: boolean): string | undefined {
  if (cluster.deleting) return 'cluster(s) are being deleted';
  // Of clusterAffinities only the first term is tried.
  const affinity = placement.clusterAffinity ?? placement.clusterAffinities?.[0];
  if (affinity && !matchesAffinity(affinity, cluster)) {
    return 'cluster(s) did not match the placement cluster affinity constraint';
  }
  const effects = held ? ['NoExecute'] : ['NoSchedule', 'NoExecute'];
  const tolerations = placement.clusterTolerations ?? [];
  const untolerated = cluster.taints.find(
    (taint) => effects.includes(taint.effect) && tolerationsOf(taint, tolerations).length === 0,
  );
  if (untolerated) return `cluster(s) had untolerated taint {${taintText(untolerated)}}`;
  return held || cluster.ready ? undefined : 'cluster(s) were not ready';
}
