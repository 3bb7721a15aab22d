/** Orders the clusters that fit by preference, as karmada-scheduler (v1.18) does, for the steps that take the first ones. */
import type { CandidateCluster } from './assign-replicas.ts';
import type { ClusterIdentity } from './cluster.ts';

export interface RankedCluster extends CandidateCluster {
  /** Which affinity of the term selects it: 0 for the term's own, 1 for the first of its overflowAffinities, and so on. */
  readonly tier: number;
  /** Whether it holds the workload. */
  readonly holds: boolean;
  /** Replicas that it has capacity for, and those that it has. */
  readonly capacity: number;
}

/** The lowest tier first, then clusters that hold the workload, then those with the most capacity, then by name, which no two share. */
export function compareRanks(a: RankedCluster, b: RankedCluster): number {
  return a.tier - b.tier || Number(b.holds) - Number(a.holds) || b.capacity - a.capacity || (a.name < b.name ? -1 : 1);
}

export interface RankingRequest<C> {
  readonly candidates: readonly C[];
  /** The current assignment. */
  readonly current: ReadonlyMap<string, number>;
  /** Additional replicas that a cluster has capacity for. */
  readonly available: (cluster: C) => number;
  readonly tierOf: (cluster: C) => number;
}

/** The order of `candidates` has no effect. */
export function rankClusters<C extends ClusterIdentity>(request: RankingRequest<C>): readonly (C & RankedCluster)[] {
  const { current } = request;
  const ranked = request.candidates.map((cluster) => {
    const available = request.available(cluster);
    const own = current.get(cluster.name);
    const tier = request.tierOf(cluster);
    return { ...cluster, available, tier, holds: own !== undefined, capacity: available + (own ?? 0) };
  });
  return ranked.sort(compareRanks);
}
