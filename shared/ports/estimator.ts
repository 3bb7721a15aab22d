/** What is asked of member clusters about their replicas: Karmada's scheduler-estimator, or whatever counts instead of it. */

import type { ObjectReference } from '../model/object-reference.ts';
import type { PlacedBinding } from '../model/placed-binding.ts';

/** What one replica needs (spec.replicaRequirements of a binding). */
export type ReplicaRequirements = NonNullable<PlacedBinding['spec']['replicaRequirements']>;

export interface ClusterEstimator {
  /**
   * How many replicas of the workload in the cluster no node takes, for longer than `thresholdSeconds`. Whatever the
   * cluster says, unchecked. Throws a Fault where it does not answer in time, or not understandably.
   */
  unschedulableReplicas(cluster: string, workload: ObjectReference, thresholdSeconds: number): Promise<number>;
  /** How many more such replicas the cluster has room for; undefined where this estimator can't tell. Throws as above. */
  maxAvailableReplicas(cluster: string, requirements: ReplicaRequirements): Promise<number | undefined>;
}

export interface Estimators {
  /** The estimator of a hub's members; undefined where the hub's connection names none. */
  of(hub: string): Promise<ClusterEstimator | undefined>;
}
