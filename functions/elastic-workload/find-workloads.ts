/** Decides which ElasticWorkloads a change on the hub may concern. */

/** What changed: in this namespace a slice of a PlacementDecision; without one a ManagedCluster, or nobody knows what. */
export interface Hint {
  readonly namespace?: string;
}

/**
 * Those of the namespace, which alone may go by its Placements; or all. Nearer would be dearer: a hundred clusters are tainted in one
 * second when a region goes, and a hundred hints that are one hint cost one LIST, and a look at each ElasticWorkload.
 */
export function whereToLook({ namespace }: Hint): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
