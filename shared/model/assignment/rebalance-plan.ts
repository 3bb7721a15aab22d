/** What assigning a binding anew would change: for previews, and for policies that act only where something would move. */
import type { ObjectKey } from '../object-key.ts';
import type { PlacedBinding } from '../placed-binding.ts';
import type { ClusterReplicas } from './assign-replicas.ts';
import { roomOf } from './available-replicas.ts';
import type { Cluster } from './cluster.ts';
import { type Scheduling, scheduleBinding } from './schedule-binding.ts';
import { assignedBy } from './scheduling-decision.ts';

/** Replicas by cluster, in the order of names. */
export type Distribution = ReadonlyMap<string, number>;

export interface FreshPlan {
  readonly key: ObjectKey;
  readonly binding: PlacedBinding;
  readonly current: Distribution;
  readonly fresh: Scheduling;
  /** Replicas that Fresh takes from clusters which have them. */
  readonly moves: number;
}

type Room = (cluster: Cluster) => number;

export function planFresh(binding: PlacedBinding, clusters: readonly Cluster[], room: Room): FreshPlan {
  const { namespace, name } = binding.metadata;
  const current = distributionOf(binding.spec.clusters);
  const fresh = scheduleBinding({ binding, clusters, available: room, mode: 'Fresh' });
  return { key: { namespace, name }, binding, current, fresh, moves: movesOf(current, fresh) };
}

/** Where no cluster fits, all that is assigned goes; where there is too little room, all stays. */
function movesOf(current: Distribution, fresh: Scheduling): number {
  const assigned = assignedBy(fresh);
  if (assigned === undefined) return 0;
  return movedBetween(current, distributionOf(assigned));
}

/** Replicas that clusters which had them have no more. */
export function movedBetween(before: Iterable<readonly [string, number]>, after: Distribution): number {
  return [...before].reduce((sum, [name, replicas]) => sum + Math.max(0, replicas - (after.get(name) ?? 0)), 0);
}

export function distributionOf(clusters: readonly ClusterReplicas[]): Distribution {
  return new Map(clusters.map(({ name, replicas }) => [name, replicas] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Workloads that ask for the same find the same room: it is worked out once a cluster, not once a binding and cluster. */
export function sharedRooms(): (binding: PlacedBinding) => Room {
  const byRequest = new Map<string, Room>();
  return (binding) => {
    const request = JSON.stringify(binding.spec.replicaRequirements ?? null);
    const known = byRequest.get(request) ?? remembered(roomOf(binding));
    byRequest.set(request, known);
    return known;
  };
}

function remembered(room: Room): Room {
  const known = new Map<Cluster, number>();
  return (cluster) => {
    const value = known.get(cluster) ?? room(cluster);
    known.set(cluster, value);
    return value;
  };
}

/** By namespace, then by name. */
export function compareKeys(a: ObjectKey, b: ObjectKey): number {
  return compare(a.namespace, b.namespace) || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
