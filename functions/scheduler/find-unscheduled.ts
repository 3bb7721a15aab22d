/** Decides whether a binding of ours may need scheduling, without asking any cluster's estimator: for resync. */
import { BindingChanged } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { decideScheduling } from '../../shared/karmada/assignment/scheduling-decision.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';

/** Estimators affect neither whether a binding is due, nor the placement of a binding that follows all clusters. */
function mayNeedScheduling(binding: PlacedBinding, clusters: readonly Cluster[]): boolean {
  return decideScheduling({ binding, clusters, available: capacityOf(binding) }).action !== 'Leave';
}

/** The events for those of our bindings that may need scheduling. */
export function dueBindings(
  hub: string,
  bindings: readonly PlacedBinding[],
  clusters: readonly Cluster[] = [],
): readonly EvenkeelEvent[] {
  const due = bindings.filter((binding) => mayNeedScheduling(binding, clusters));
  return due.map(({ metadata: { namespace, name } }) => BindingChanged.of({ hub, namespace, name }));
}
