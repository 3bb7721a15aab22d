/** Decides whether a binding of ours may need scheduling, without asking any cluster's estimator: for resync. */
import { roomOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { decideScheduling } from '../../shared/model/assignment/scheduling-decision.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';

/** Whether it is due does not depend on estimators; nor does where something goes that goes everywhere. */
export function mayNeedScheduling(binding: PlacedBinding, clusters: readonly Cluster[]): boolean {
  return decideScheduling({ binding, clusters, available: roomOf(binding) }).action !== 'Leave';
}
