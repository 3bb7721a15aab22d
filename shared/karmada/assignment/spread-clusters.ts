/** Decides how many, and which, of the clusters that fit run a workload: spreadConstraints by cluster and by region, as in karmada-scheduler (v1.18). */
import { groupBy } from '../../core/group-by.ts';
import { sum } from '../../core/sum.ts';
import { chooseGroups } from './choose-groups.ts';
import { constraintBy, type SpreadConstraint } from './placement.ts';
import { compareRanks, type RankedCluster } from './rank-clusters.ts';

export interface SpreadRequest<C extends RankedCluster> {
  /** In order of rank. */
  readonly candidates: readonly C[];
  readonly constraints: readonly SpreadConstraint[];
  readonly replicas: number;
  /** Whether the replicas are divided among the clusters; if not, each gets all (Duplicated). */
  readonly divided: boolean;
}

/** `chosen` is in order of preference. */
export type Spread<C> = { readonly chosen: readonly C[] } | { readonly failure: string };

/**
 * All without constraints. Constraints by zone and by provider only exclude clusters without a zone or provider (see selectClusters), and those by label
 * have no effect, as upstream.
 */
export function spreadClusters<C extends RankedCluster>(request: SpreadRequest<C>): Spread<C> {
  if (request.constraints.length === 0) return { chosen: request.candidates };
  const byRegion = constraintBy('region', request.constraints);
  const byCluster = constraintBy('cluster', request.constraints);
  if (byRegion !== undefined) return spreadByRegion(request, limitsOf(byRegion), limitsOf(byCluster ?? {}));
  if (byCluster !== undefined) return spreadByCluster(request, limitsOf(byCluster));
  return { failure: 'just support cluster and region spread constraint' };
}

interface SpreadLimits {
  readonly min: number;
  readonly max: number;
}

function limitsOf({ minGroups, maxGroups }: SpreadConstraint): SpreadLimits {
  return { min: minGroups ?? 0, max: maxGroups ?? 0 };
}

/**
 * The first maxGroups of the candidates. If their total capacity is too low, the last of them are replaced, one by one, by the
 * one of the others with the most capacity.
 *
 * Example: two of m1 (40, holds), m2 (30, holds), m3 (60) for 80 replicas: m1 and m2 have 70, so m3 replaces m2.
 */
function spreadByCluster<C extends RankedCluster>(request: SpreadRequest<C>, { min, max }: SpreadLimits): Spread<C> {
  const { candidates, replicas, divided } = request;
  if (candidates.length < min)
    return { failure: 'the number of feasible clusters is less than spreadConstraint.MinGroups' };
  const count = Math.min(candidates.length, max);
  if (count === 0) return { failure: 'no clusters available to schedule' };
  const chosen = candidates.slice(0, count);
  if (!divided) return { chosen };
  const others = candidates.slice(count);
  const suffices = (): boolean => capacityOf(chosen) >= replicas;
  for (let last = count - 1; last >= 0 && !suffices(); last--) {
    const leaving = chosen[last];
    const roomiest = others.reduce<C | undefined>(
      (best, other) => (best === undefined || other.capacity > best.capacity ? other : best),
      undefined,
    );
    if (leaving === undefined || roomiest === undefined || roomiest.capacity <= leaving.capacity) continue;
    chosen[last] = roomiest;
    others[others.indexOf(roomiest)] = leaving;
  }
  return suffices() ? { chosen } : { failure: `no enough resource when selecting ${count} clusters` };
}

function capacityOf(clusters: readonly RankedCluster[]): number {
  return sum(clusters.map(({ capacity }) => capacity));
}

/**
 * The best combination of regions that has the clusters which the constraint by cluster requires; of each region the first cluster, and
 * of all the others in these regions the first, up to maxGroups clusters.
 *
 * Example: two regions and three clusters of north (m1, m2), south (m3), east (m4, m5), with equal scores: north and east have four
 * clusters, more than any two others, so m1, m4 and the better of m2 and m5.
 */
function spreadByRegion<C extends RankedCluster>(
  request: SpreadRequest<C>,
  regions: SpreadLimits,
  clusters: SpreadLimits,
): Spread<C> {
  const groups = [...groupBy(request.candidates, ({ region = '' }) => region)]
    .filter(([name]) => name !== '')
    .map(([name, members]) => ({
      name,
      members,
      size: members.length,
      score: request.divided
        ? scoreOfDivided(members, request.replicas, { regions: regions.min, clusters: clusters.min })
        : scoreOfDuplicated(members, request.replicas),
    }));
  if (groups.length < regions.min)
    return { failure: 'the number of feasible region is less than spreadConstraint.MinGroups' };
  const chosen = chooseGroups(groups, { ...regions, members: clusters.min });
  if (chosen.length === 0)
    return { failure: 'the number of clusters is less than the cluster spreadConstraint.MinGroups' };
  const firsts = chosen.flatMap(({ members }) => members.slice(0, 1));
  const others = chosen.flatMap(({ members }) => members.slice(1)).sort(compareRanks);
  return { chosen: [...firsts, ...others.slice(0, Math.max(0, clusters.max - firsts.length))] };
}

/** Capacity outweighs the average of the clusters' scores, which is at most 100. */
const CAPACITY_WEIGHT = 1000;
/** Upstream's score of a cluster that holds the workload; others have none. */
const HOLDS = 100;

/** Duplicated: the number of clusters with capacity for all replicas. */
function scoreOfDuplicated(members: readonly RankedCluster[], replicas: number): number {
  const sufficient = members.filter(({ capacity }) => capacity >= replicas);
  return sufficient.length === 0
    ? 0
    : sufficient.length * CAPACITY_WEIGHT + averageScore(sufficient, sufficient.length);
}

/** Divided: the region's part of the replicas, or the capacity of its first clusters if that is less. */
function scoreOfDivided(
  members: readonly RankedCluster[],
  replicas: number,
  min: { readonly regions: number; readonly clusters: number },
): number {
  const target = min.regions === 0 ? 0 : Math.ceil(replicas / min.regions);
  const counted = firstSufficient(members, target, Math.max(min.regions, min.clusters));
  const capacity = capacityOf(counted);
  return capacity < target
    ? capacity * CAPACITY_WEIGHT + averageScore(counted, members.length)
    : target * CAPACITY_WEIGHT + averageScore(counted, counted.length);
}

/** The first clusters with capacity for `target`, and at least `count` of them; all if these have less. */
function firstSufficient<C extends RankedCluster>(members: readonly C[], target: number, count: number): readonly C[] {
  let capacity = 0;
  const last = members.findIndex((cluster, index) => (capacity += cluster.capacity) >= target && index + 1 >= count);
  return last === -1 ? members : members.slice(0, last + 1);
}

function averageScore(clusters: readonly RankedCluster[], count: number): number {
  return Math.floor((clusters.filter(({ holds }) => holds).length * HOLDS) / count);
}
