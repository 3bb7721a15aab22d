/** How many more replicas of a workload a cluster has room for by its own report: Karmada's general estimator. */
import type { PlacedBinding } from '../placed-binding.ts';
import type { AssumedRoom } from './assumed-room.ts';
import type { Cluster, ResourceSummary } from './cluster.ts';
import { type Amounts, amountOf, type Quantities } from './quantity.ts';

export interface RoomRequest {
  readonly summary: ResourceSummary | undefined;
  /** What one replica asks for; undefined where the workload says nothing. */
  readonly request: Quantities | undefined;
  /** Placed there since the report was made, and not in it yet. */
  readonly assumed?: Amounts;
}

/**
 * Free pod slots, or fewer where a requested resource runs short first. A resource the cluster does not report is one it
 * does not have; a cluster that reported nothing has room for nothing.
 *
 * Example: 20 of 50 pod slots free and 4 of 10 cores; replicas of 500m fit 8 times, replicas of 100m 20 times.
 */
export function availableReplicas({ summary, request = {}, assumed }: RoomRequest): number {
  const free = (resource: string): number =>
    amountOf(resource, summary?.allocatable) -
    amountOf(resource, summary?.allocated) -
    amountOf(resource, summary?.allocating) -
    (assumed?.get(resource) ?? 0);
  let room = free('pods');
  for (const resource of Object.keys(request)) {
    const asked = amountOf(resource, request);
    if (asked > 0 && resource !== 'pods') room = Math.min(room, Math.floor(free(resource) / asked));
  }
  return Math.max(0, room);
}

export interface RoomKnown {
  /** What estimators said, by cluster; one that did not answer says nothing. */
  readonly estimated?: ReadonlyMap<string, number>;
  readonly assumed?: Pick<AssumedRoom, 'on'>;
}

/** The room of each cluster for a binding's workload: what its own report says, or its estimator where that is less; without what was placed there since. */
export function roomOf(
  { spec }: PlacedBinding,
  { estimated, assumed }: RoomKnown = {},
): (cluster: Pick<Cluster, 'name' | 'resourceSummary'>) => number {
  const request = spec.replicaRequirements?.resourceRequest ?? undefined;
  return ({ name, resourceSummary: summary }) => {
    const since = assumed?.on(name);
    const reported = availableReplicas({ summary, request, ...(since && { assumed: since }) });
    // The estimator counts replicas of this workload: what was placed since is at least so many pods.
    const told = (estimated?.get(name) ?? Number.POSITIVE_INFINITY) - (since?.get('pods') ?? 0);
    return Math.max(0, Math.min(reported, told));
  };
}
