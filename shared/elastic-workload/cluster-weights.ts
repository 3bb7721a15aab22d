/** Which weight each selected cluster has by the distribution strategy. */
import { matchesLabels } from '../karmada/assignment/match-cluster.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import type { ManagedCluster } from './managed-cluster.ts';

/** By cluster; the first matching override applies. For a cluster that the hub does not have, only the name is known. */
export function clusterWeights(
  { type, weighted }: ElasticSpec['distributionStrategy'],
  clusters: readonly string[],
  known: ReadonlyMap<string, Pick<ManagedCluster, 'labels'>>,
): ReadonlyMap<string, number> {
  if (type === 'Even') return new Map(clusters.map((cluster) => [cluster, 1]));
  const { defaultWeight = 1, overrides = [] } = weighted ?? {};
  return new Map(
    clusters.map((cluster) => {
      const labels = known.get(cluster)?.labels ?? {};
      const override = overrides.find(({ clusterName, clusterSelector }) =>
        clusterSelector === undefined ? clusterName === cluster : matchesLabels(clusterSelector, labels),
      );
      return [cluster, override?.weight ?? defaultWeight];
    }),
  );
}
