/** Asks the estimators of the clusters that may hold a binding how many more of its replicas they have room for. */
import type { Cluster } from '../model/assignment/cluster.ts';
import type { PlacedBinding } from '../model/placed-binding.ts';
import type { ClusterEstimator } from '../ports/estimator.ts';
import { type Answers, askClusters } from './ask-clusters.ts';

export interface RoomQuestion {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** Questions open at once, at most. */
  readonly inFlight: number;
}

export function estimateRoom(
  estimator: ClusterEstimator,
  { binding, clusters, inFlight }: RoomQuestion,
): Promise<Answers<number>> {
  const requirements = binding.spec.replicaRequirements ?? {};
  const names = clusters.map(({ name }) => name);
  return askClusters(names, inFlight, (cluster) => estimator.maxAvailableReplicas(cluster, requirements));
}
