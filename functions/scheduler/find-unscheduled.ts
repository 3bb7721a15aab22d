/** Decides whether a binding of ours may need scheduling, without asking any cluster's estimator: for resync. */
import { digest } from '../../shared/core/digest.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { decideScheduling } from '../../shared/karmada/assignment/scheduling-decision.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { ResyncPosition } from '../../shared/karmada/resync-position.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';

/** Estimators affect neither whether a binding is due, nor the placement of a binding that follows all clusters. */
function mayNeedScheduling(binding: PlacedBinding, clusters: readonly Cluster[]): boolean {
  return decideScheduling({ binding, clusters, available: capacityOf(binding) }).action !== 'Leave';
}

/**
 * The clusters as far as an unchanged binding depends on them. Not their capacity: only bindings that are due wait for it, and these are read
 * at each resync. '' without clusters.
 */
export function contextOf(clusters: readonly Cluster[] | undefined): string {
  if (clusters === undefined) return '';
  const fields = clusters.map(({ resourceSummary: _, ...cluster }) => cluster);
  return digest(JSON.stringify(fields.sort((a, b) => (a.name < b.name ? -1 : 1))));
}

/** Whether the position was of a hub with bindings of our scheduler. */
export function dependsOnClusters(position: ResyncPosition | undefined): boolean {
  return position !== undefined && position.context !== '';
}

/** Those of our bindings that may need scheduling. */
export function dueBindings(
  bindings: readonly PlacedBinding[],
  clusters: readonly Cluster[] = [],
): readonly ObjectKey[] {
  return bindings.filter((binding) => mayNeedScheduling(binding, clusters)).map(({ metadata }) => metadata);
}

/** Numbers for the log. */
export type FoundUnscheduled = Readonly<Record<'seen' | 'ours' | 'found', number>>;

export const noneFound: FoundUnscheduled = { seen: 0, ours: 0, found: 0 };

/** With those of another page. */
export function sumOf(before: FoundUnscheduled, page: FoundUnscheduled): FoundUnscheduled {
  return { seen: before.seen + page.seen, ours: before.ours + page.ours, found: before.found + page.found };
}
