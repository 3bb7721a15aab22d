/** Decides which ElasticWorkloads a change on the hub may affect. */

/** The change: a PlacementDecision in this namespace; without a namespace a ManagedCluster, or unknown. */
export interface Hint {
  readonly namespace?: string;
}

/**
 * All ElasticWorkloads of the namespace, because placementRef is namespaced, or of all namespaces. A narrower scope would cost more: when a region
 * fails, a hundred clusters are tainted in one second, and the hundred events coalesce into one LIST and one reconcile of each ElasticWorkload.
 */
export function searchScope({ namespace }: Hint): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
