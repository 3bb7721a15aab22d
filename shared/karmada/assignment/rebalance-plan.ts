/** What a Fresh assignment of a binding would change: for previews, and for policies that act only if replicas would move. */
import { sum } from '../../core/sum.ts';
import type { ObjectKey } from '../../kubernetes/object-key.ts';
import type { PlacedBinding } from '../placed-binding.ts';
import { assignOthers, type StayingReplicas } from './assign-others.ts';
import type { ClusterReplicas } from './assign-replicas.ts';
import { capacityOf } from './available-replicas.ts';
import type { Cluster } from './cluster.ts';
import { type Scheduling, scheduleBinding } from './plan-scheduling.ts';
import { assignedBy } from './scheduling-decision.ts';

/** Replicas by cluster, in the order of names. */
export type Distribution = ReadonlyMap<string, number>;

export interface FreshPlan {
  readonly key: ObjectKey;
  readonly binding: PlacedBinding;
  readonly current: Distribution;
  readonly fresh: Scheduling;
  /** Replicas that Fresh removes from clusters that have them. */
  readonly moves: number;
}

type CapacityOf = (cluster: Cluster) => number;

/** What the hub offers a rebalanced binding. */
export interface FreshPlanInput {
  readonly clusters: readonly Cluster[];
  readonly capacity: CapacityOf;
  /** Whether the hub has the feature `failback`. Default: false. */
  readonly failback?: boolean;
}

export function planFresh(binding: PlacedBinding, { clusters, capacity, failback = false }: FreshPlanInput): FreshPlan {
  return planOf(binding, scheduleBinding({ binding, clusters, available: capacity, mode: 'Fresh', failback }));
}

/** Replicas that are to leave a cluster. */
export interface LeavingReplicas {
  readonly cluster: string;
  readonly replicas: number;
}

/** What moves if a cluster is drained: so many of its replicas, and no others. */
export function planDrain(
  binding: PlacedBinding,
  leaving: LeavingReplicas,
  { clusters, capacity }: FreshPlanInput,
): FreshPlan {
  return planOf(binding, assignOthers({ binding, clusters, available: capacity }, stayingWithout(binding, leaving)));
}

/** All replicas but those that leave the cluster, which gets none of them back. */
export function stayingWithout({ spec }: PlacedBinding, { cluster, replicas }: LeavingReplicas): StayingReplicas {
  const clusters = spec.clusters.flatMap((each) => {
    if (each.name !== cluster) return [each];
    return each.replicas > replicas ? [{ ...each, replicas: each.replicas - replicas }] : [];
  });
  const isEmptied = clusters.every(({ name }) => name !== cluster);
  return { clusters, ...(isEmptied && { drained: cluster }) };
}

function planOf(binding: PlacedBinding, fresh: Scheduling): FreshPlan {
  const { namespace, name } = binding.metadata;
  const current = distributionOf(binding.spec.clusters);
  return { key: { namespace, name }, binding, current, fresh, moves: movesOf(current, fresh) };
}

/** If no cluster fits, all assigned replicas are removed; if capacity is too low, all stay. */
function movesOf(current: Distribution, fresh: Scheduling): number {
  const assigned = assignedBy(fresh);
  if (assigned === undefined) return 0;
  return movedBetween(current, distributionOf(assigned));
}

/** Replicas that are removed from their clusters. */
export function movedBetween(before: Iterable<readonly [string, number]>, after: Distribution): number {
  return sum(Object.values(leavesBetween(before, after)));
}

/** Replicas that are removed from each cluster, without those that keep all. */
export function leavesBetween(
  before: Iterable<readonly [string, number]>,
  after: Distribution,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...before].flatMap(([name, replicas]) => {
      const leaves = replicas - (after.get(name) ?? 0);
      return leaves > 0 ? [[name, leaves] as const] : [];
    }),
  );
}

export function distributionOf(clusters: readonly ClusterReplicas[]): Distribution {
  return new Map(clusters.map(({ name, replicas }) => [name, replicas] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** With 1,000 clusters, a capacity of each of them for each of these takes 100 MB. */
const MOST_REQUESTS = 2000;

/** Workloads with equal requests have equal capacity: it is computed once per cluster, not once per binding and cluster. */
export function sharedCapacities(): (binding: PlacedBinding) => CapacityOf {
  const byRequest = new Map<string, CapacityOf>();
  return (binding) => {
    const request = JSON.stringify(binding.spec.replicaRequirements ?? null);
    if (byRequest.size > MOST_REQUESTS) byRequest.clear();
    const known = byRequest.get(request) ?? cached(capacityOf(binding));
    byRequest.set(request, known);
    return known;
  };
}

/** Each cluster's capacity of the first time that it is asked for. */
export function cached(capacity: CapacityOf): CapacityOf {
  const known = new Map<Cluster, number>();
  return (cluster) => {
    const value = known.get(cluster) ?? capacity(cluster);
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
