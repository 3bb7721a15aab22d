/** Queries to member clusters about their replicas: Karmada's scheduler-estimator, or a replacement. */

import type { PlacedBinding } from '../karmada/placed-binding.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';

/** What one replica needs (spec.replicaRequirements of a binding). */
export type ReplicaRequirements = NonNullable<PlacedBinding['spec']['replicaRequirements']>;

/** A workload with the number of its replicas that are assigned to the cluster in question. */
export interface AssignedWorkload extends ObjectReference {
  readonly replicas: number;
}

export interface ClusterEstimator {
  /**
   * The number of replicas of the workload in the cluster that have been unschedulable for longer than `thresholdSeconds`. The
   * answer is not validated. Throws a Fault if there is no valid answer in time, and a terminal one with the reason NOT_MOVABLE.
   */
  unschedulableReplicas(cluster: string, workload: AssignedWorkload, thresholdSeconds: number): Promise<number>;
  /** Additional replicas that the cluster has capacity for; undefined if this estimator can't compute it. Throws as above. */
  maxAvailableReplicas(cluster: string, requirements: ReplicaRequirements): Promise<number | undefined>;
}

export interface Estimators {
  /** The estimator of a hub's members; undefined if the hub's connection has none. */
  of(hub: string): Promise<ClusterEstimator | undefined>;
}
