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
  const free = (resource: string): number => freeOf(summary, resource) - (assumed?.get(resource) ?? 0);
  let capacity = free('pods');
  for (const [resource, asked] of requested(request)) {
    if (asked > 0 && resource !== 'pods') capacity = Math.min(capacity, Math.floor(free(resource) / asked));
  }
  return Math.max(0, capacity);
}

/** A hundred bindings on a thousand clusters ask for the same amounts 100,000 times, and parsing a quantity takes longer than all else. */
const freeAmounts = new WeakMap<ResourceSummary, Map<string, number>>();
const requestedAmounts = new WeakMap<Quantities, readonly (readonly [string, number])[]>();

function freeOf(summary: ResourceSummary | undefined, resource: string): number {
  if (summary === undefined) return 0;
  const known = freeAmounts.get(summary) ?? new Map<string, number>();
  freeAmounts.set(summary, known);
  const amount = known.get(resource) ?? freeAmount(summary, resource);
  known.set(resource, amount);
  return amount;
}

function freeAmount({ allocatable, allocated, allocating }: ResourceSummary, resource: string): number {
  return amountOf(resource, allocatable) - amountOf(resource, allocated) - amountOf(resource, allocating);
}

function requested(request: Quantities): readonly (readonly [string, number])[] {
  const amounts =
    requestedAmounts.get(request) ??
    Object.keys(request).map((resource) => [resource, amountOf(resource, request)] as const);
  requestedAmounts.set(request, amounts);
  return amounts;
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
