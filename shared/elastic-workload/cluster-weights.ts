/** Which weight each selected cluster has by the distribution strategy. */
import { ownValue } from '../core/own-value.ts';
import { matchesLabels } from '../karmada/assignment/match-cluster.ts';
import { SCORE_RANGE, scoreSourceOf } from './addon-score.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import type { ManagedCluster } from './managed-cluster.ts';

type DistributionStrategy = ElasticSpec['distributionStrategy'];

export interface WeightSources {
  /** By name. For a cluster that the hub does not have, only the name is known. */
  readonly known: ReadonlyMap<string, Pick<ManagedCluster, 'labels'>>;
  /** The scores in use, by cluster. */
  readonly scores?: Readonly<Record<string, number>> | undefined;
}

/** By cluster; the first matching override applies. */
export function clusterWeights(
  distribution: DistributionStrategy,
  clusters: readonly string[],
  { known, scores }: WeightSources,
): ReadonlyMap<string, number> {
  if (distribution.type === 'Even') return new Map(clusters.map((cluster) => [cluster, 1]));
  const { defaultWeight = 1 } = distribution.weighted ?? {};
  const scored = new Set(scoredClusters(distribution, clusters, known));
  const weights = new Map(
    clusters.map((cluster) => [
      cluster,
      scored.has(cluster)
        ? scoreWeight(ownValue(scores, cluster) ?? 0)
        : (overrideOf(distribution, cluster, known)?.weight ?? defaultWeight),
    ]),
  );
  if ([...weights.values()].some((weight) => weight > 0)) return weights;
  // The lowest score everywhere orders nothing: without this rule an add-on could stop the workload.
  return new Map([...weights].map(([cluster, weight]) => [cluster, scored.has(cluster) ? scoreWeight(0) : weight]));
}

/** The clusters that are weighed by their score: without those that an override matches. */
export function scoredClusters(
  distribution: DistributionStrategy,
  clusters: readonly string[],
  known: WeightSources['known'],
): readonly string[] {
  if (scoreSourceOf(distribution) === undefined) return [];
  return clusters.filter((cluster) => overrideOf(distribution, cluster, known) === undefined);
}

/** 0 for the lowest score, 100 for 0, 200 for the highest. */
function scoreWeight(score: number): number {
  return score - SCORE_RANGE.least;
}

function overrideOf({ weighted }: DistributionStrategy, cluster: string, known: WeightSources['known']) {
  const labels = known.get(cluster)?.labels ?? {};
  return weighted?.overrides?.find(({ clusterName, clusterSelector }) =>
    clusterSelector === undefined ? clusterName === cluster : matchesLabels(clusterSelector, labels),
  );
}
