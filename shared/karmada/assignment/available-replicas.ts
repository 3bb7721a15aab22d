/** How many more replicas of a workload a cluster has capacity for by its own report: Karmada's general estimator. */
import type { PlacedBinding } from '../placed-binding.ts';
import type { AssumeCache } from './assume-cache.ts';
import type { Cluster, ResourceSummary } from './cluster.ts';
import { type Amounts, amountOf, type Quantities } from './quantity.ts';

export interface CapacityRequest {
  readonly summary: ResourceSummary | undefined;
  /** Request of one replica; undefined if the workload has none. */
  readonly request: Quantities | undefined;
  /** Assigned there since the report, and not in it yet. */
  readonly assumed?: Amounts;
}

/**
 * Free pod slots, or fewer if a requested resource runs short first. A resource that the cluster does not report
 * is unavailable; a cluster without a report has no capacity.
 *
 * Example: 20 of 50 pod slots free and 4 of 10 cores; replicas of 500m fit 8 times, replicas of 100m 20 times.
 */
export function availableReplicas({ summary, request = {}, assumed }: CapacityRequest): number {
  const free = (resource: string): number =>
    amountOf(resource, summary?.allocatable) -
    amountOf(resource, summary?.allocated) -
    amountOf(resource, summary?.allocating) -
    (assumed?.get(resource) ?? 0);
  let capacity = free('pods');
  for (const resource of Object.keys(request)) {
    const asked = amountOf(resource, request);
    if (asked > 0 && resource !== 'pods') capacity = Math.min(capacity, Math.floor(free(resource) / asked));
  }
  return Math.max(0, capacity);
}

export interface KnownCapacity {
  /** Answers of the estimators, by cluster; a cluster without an answer is absent. */
  readonly estimated?: ReadonlyMap<string, number>;
  readonly assumed?: Pick<AssumeCache, 'on'>;
}

/** The capacity of each cluster for a binding's workload: the lower of its own report and its estimator's answer, minus the assumed replicas. */
export function capacityOf(
  { spec }: PlacedBinding,
  { estimated, assumed }: KnownCapacity = {},
): (cluster: Pick<Cluster, 'name' | 'resourceSummary'>) => number {
  const request = spec.replicaRequirements?.resourceRequest ?? undefined;
  return ({ name, resourceSummary: summary }) => {
    const since = assumed?.on(name);
    const reported = availableReplicas({ summary, request, ...(since && { assumed: since }) });
    // The estimator counts replicas of this workload: each assumed replica takes at least one pod.
    const estimate = (estimated?.get(name) ?? Number.POSITIVE_INFINITY) - (since?.get('pods') ?? 0);
    return Math.max(0, Math.min(reported, estimate));
  };
}
