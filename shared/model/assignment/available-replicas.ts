/** How many more replicas of a workload a cluster has room for by its own report: Karmada's general estimator. */
import type { ResourceSummary } from './cluster.ts';
import { amountOf, type Quantities } from './quantity.ts';

/** Amounts by resource, in the units of amountOf; `pods` among them. */
export type Amounts = ReadonlyMap<string, number>;

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
