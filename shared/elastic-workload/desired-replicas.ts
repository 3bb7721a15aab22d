/** Decides the desired replicas of each selected cluster: its share by the distribution strategy, and borrowed replicas for clusters that cannot run theirs. */
import { sum } from '../core/sum.ts';
import type { Limits } from './limits.ts';
import { type ShareParty, shareReplicas } from './share-replicas.ts';

export interface WeightedCluster {
  readonly cluster: string;
  readonly weight: number;
  /** The written number, 0 if there is none. */
  readonly holds: number;
  /** Manual override: the number that the workload was scaled to on the cluster. It is respected up to the ceiling. */
  readonly pin?: number;
  /** Learned capacity limit, if it is below the assigned number. */
  readonly cap?: number;
}

export interface DesiredReplicasInput {
  readonly uid: string;
  readonly total: number;
  readonly limits: Limits;
  readonly candidates: readonly WeightedCluster[];
}

export interface Desired {
  /** By the distribution strategy within the limits, as if every cluster could run its share. */
  readonly share: ReplicaMap;
  readonly replicas: ReplicaMap;
  /** Clusters whose manual override equals the computed number. */
  readonly needless: ReadonlySet<string>;
  /** Replicas that clusters lack and no other cluster may borrow. They stay with their clusters, unless a manual override removed them. */
  readonly unborrowed: number;
}

type ReplicaMap = ReadonlyMap<string, number>;

export function desiredReplicas(input: DesiredReplicasInput): Desired {
  const { candidates, limits, total, uid } = input;
  const share = shareWithin(limits, { total, candidates, uid });
  if (limits.tiers.length === 0)
    return { share, replicas: withPins(share, input), unborrowed: 0, needless: equalPins(input, share) };
  const { fair, grown } = besideGrown(share, input);
  return { share, ...borrow(fair, input), needless: equalPins(input, fair, grown) };
}

/**
 * Applies the distribution strategy first. Replicas above the limits are then shared among clusters below the soft
 * limit, then among the others. If the floors add up to more than the total, clusters above the soft limit give up replicas first.
 *
 * Example: 18 by 3:5:10 within 1, 4 and 9. The distribution gives 3, 5 and 10; the limit takes one from the last: 4, 5 and 9.
 */
function shareWithin(
  { floor, ceiling, tiers }: Limits,
  { total, candidates, uid }: Omit<DesiredReplicasInput, 'limits'>,
): ReplicaMap {
  const within = (bounds: (candidate: WeightedCluster) => Pick<ShareParty, 'floor' | 'ceiling'>) =>
    shareReplicas(
      total,
      candidates.map((candidate) => ({ ...candidate, ...bounds(candidate) })),
      uid,
    );
  const [soft = ceiling] = tiers.slice(-2);
  if (soft === ceiling || soft === floor) return within(() => ({ floor, ceiling }));
  const wished = within(() => ({ floor: 0, ceiling: Number.POSITIVE_INFINITY }));
  const limited = new Map([...wished].map(([cluster, count]) => [cluster, Math.min(Math.max(count, floor), ceiling)]));
  const has = ({ cluster }: WeightedCluster) => at(limited, cluster);
  if (sum(limited.values()) > total) {
    const less = within((one) => ({ floor: Math.min(has(one), soft), ceiling: has(one) }));
    return within((one) => ({ floor, ceiling: at(less, one.cluster) }));
  }
  const more = within((one) => ({ floor: has(one), ceiling: Math.max(has(one), soft) }));
  return within((one) => ({ floor: at(more, one.cluster), ceiling }));
}

/** Without borrowing, a manual override does not affect the other clusters. */
function withPins(share: ReplicaMap, { candidates, limits }: DesiredReplicasInput): ReplicaMap {
  return new Map(candidates.map(({ cluster, pin }) => [cluster, Math.min(pin ?? at(share, cluster), limits.ceiling)]));
}

function equalPins(
  { candidates }: DesiredReplicasInput,
  numbers: ReplicaMap,
  grown: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const needless = candidates.filter(({ cluster, pin }) => pin === at(numbers, cluster) && !grown.has(cluster));
  return new Set(needless.map(({ cluster }) => cluster));
}

/**
 * Clusters that were scaled up manually keep their replicas; the others share the rest. The smaller rest may turn an override that
 * was within its cluster's share into one above it, so this repeats until no cluster is added.
 */
function besideGrown(
  share: ReplicaMap,
  { candidates, limits, total, uid }: DesiredReplicasInput,
): { readonly fair: ReplicaMap; readonly grown: ReadonlySet<string> } {
  let fair = share;
  const grown = new Set<string>();
  for (;;) {
    const more = candidates.filter(({ cluster, pin = 0 }) => !grown.has(cluster) && pin > at(fair, cluster));
    if (more.length === 0) return { fair, grown };
    for (const { cluster } of more) grown.add(cluster);
    const kept = new Map(
      candidates.flatMap(({ cluster, pin = 0 }) =>
        grown.has(cluster) ? [[cluster, Math.min(pin, limits.ceiling)] as const] : [],
      ),
    );
    const others = candidates.filter(({ cluster }) => !grown.has(cluster));
    const left = Math.max(total - sum(kept.values()), 0);
    fair = new Map([...kept, ...shareWithin(limits, { total: left, candidates: others, uid })]);
  }
}

/**
 * Borrowed replicas are additional: no cluster gives up replicas for them. They go by the tiers of the balance strategy; in each tier the
 * next replica goes where the distribution strategy would place it.
 */
function borrow(
  share: ReplicaMap,
  { candidates, limits, total, uid }: DesiredReplicasInput,
): Pick<Desired, 'replicas' | 'unborrowed'> {
  const able = ({ cluster, pin, cap }: WeightedCluster) =>
    Math.min(pin ?? Number.POSITIVE_INFINITY, cap ?? Number.POSITIVE_INFINITY, at(share, cluster));
  let held: ReplicaMap = new Map(candidates.map((candidate) => [candidate.cluster, able(candidate)]));
  // If the floors add up to more than the total, replicas beyond the total are not needed.
  let missing = Math.max(Math.min(sum(share.values()), total) - sum(held.values()), 0);
  const borrowers = candidates.filter(({ pin, cap }) => pin === undefined && cap === undefined);
  const backs = candidates.filter(({ pin }) => pin === undefined);
  const rounds = [
    ...limits.tiers.map((tier) => ({ to: borrowers, most: () => tier })),
    { to: backs, most: ({ cluster }: WeightedCluster) => at(share, cluster) },
  ];
  let unborrowed = missing;
  for (const [index, { to, most }] of rounds.entries()) {
    if (missing === 0) break;
    const given = grow(held, { to, most, missing, uid });
    missing -= sum(given.values()) - sum(held.values());
    held = given;
    if (index < limits.tiers.length) unborrowed = missing;
  }
  return { replicas: held, unborrowed };
}

interface Round {
  readonly to: readonly WeightedCluster[];
  readonly most: (candidate: WeightedCluster) => number;
  readonly missing: number;
  readonly uid: string;
}

function grow(held: ReplicaMap, { to, most, missing, uid }: Round): ReplicaMap {
  const parties = to.map((candidate) => {
    const floor = at(held, candidate.cluster);
    return { ...candidate, floor, ceiling: Math.max(floor, most(candidate)) };
  });
  const before = sum(parties.map(({ floor }) => floor));
  return new Map([...held, ...shareReplicas(before + missing, parties, uid)]);
}

function at(numbers: ReplicaMap, cluster: string): number {
  return numbers.get(cluster) ?? 0;
}
