/** Queries the estimators of a binding's clusters for its unschedulable replicas. */

import { undesiredClusters } from '../descheduling/descheduling-candidate.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { type Answers, askClusters } from './ask-clusters.ts';
import type { ClusterEstimator } from './estimator.ts';

export interface UnschedulableQuery {
  readonly binding: PlacedBinding;
  /** How long a replica must have been unschedulable before it counts. */
  readonly seconds: number;
  /** Maximum concurrent queries. */
  readonly inFlight: number;
}

/** Only of clusters with fewer ready replicas than assigned: no other can have an unschedulable one. */
export function askUnschedulable(
  estimator: ClusterEstimator,
  { binding, seconds, inFlight }: UnschedulableQuery,
): Promise<Answers<number>> {
  const assigned = new Map(undesiredClusters(binding).map((one) => [one.name, one.assigned]));
  return askClusters([...assigned.keys()], inFlight, (cluster) =>
    estimator.unschedulableReplicas(
      cluster,
      { ...binding.spec.resource, replicas: assigned.get(cluster) ?? 0 },
      seconds,
    ),
  );
}
