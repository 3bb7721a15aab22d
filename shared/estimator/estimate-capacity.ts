/** Queries the estimators of the clusters that may run a binding for their available replicas. */
import type { Cluster } from '../karmada/assignment/cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { type Answers, askClusters } from './ask-clusters.ts';
import type { ClusterEstimator } from './estimator.ts';

export interface CapacityQuery {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** Maximum concurrent queries. */
  readonly inFlight: number;
}

export function estimateCapacity(
  estimator: ClusterEstimator,
  { binding, clusters, inFlight }: CapacityQuery,
): Promise<Answers<number>> {
  const requirements = binding.spec.replicaRequirements ?? {};
  const names = clusters.map(({ name }) => name);
  return askClusters(names, inFlight, (cluster) => estimator.maxAvailableReplicas(cluster, requirements));
}
