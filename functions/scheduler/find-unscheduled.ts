/** Decides whether a binding of ours may need scheduling, without asking any cluster's estimator: for resync. */
import { capacityOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { decideScheduling } from '../../shared/model/assignment/scheduling-decision.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';

/** Estimators affect neither whether a binding is due, nor the placement of a binding that follows all clusters. */
export function mayNeedScheduling(binding: PlacedBinding, clusters: readonly Cluster[]): boolean {
  return decideScheduling({ binding, clusters, available: capacityOf(binding) }).action !== 'Leave';
}
