/** Decides how many replicas each candidate cluster gets, as karmada-scheduler (v1.18) does: for the scheduler, previews and the practice hub. */
import { Fault } from '../../core/fault.ts';
import type { ClusterIdentity } from './cluster.ts';
import { matchesAffinity } from './match-cluster.ts';
import type { StaticWeight, Strategy } from './placement.ts';
import { divideByWebster, type Party, type TieOrder, tieOrderOf } from './webster.ts';

/** Steady keeps existing replicas and moves the fewest; Fresh divides all replicas anew, as if for the first time. */
export type AssignmentMode = 'Steady' | 'Fresh';

export interface CandidateCluster extends ClusterIdentity {
  /** Additional replicas that the cluster has capacity for. Anything but a positive number means none; 2³¹ − 1 and above means no limit. */
  readonly available: number;
}

export interface ClusterReplicas {
  readonly name: string;
  readonly replicas: number;
}

export interface AssignmentRequest {
  readonly replicas: number;
  readonly strategy: Strategy;
  /** In order of preference: Aggregated takes the first of those with equal capacity. */
  readonly clusters: readonly CandidateCluster[];
  /** Current assignment (spec.clusters), including clusters that are no candidates. */
  readonly current: ReadonlyMap<string, number>;
  readonly mode: AssignmentMode;
  /** The workload's uid (spec.resource.uid): breaks ties. */
  readonly uid: string;
  /** False for a resource without replicas (a ClusterRole): every candidate gets it, with 0 replicas. Default: true. */
  readonly workload?: boolean;
}

/** Sorted by name; clusters with 0 replicas are omitted. */
export type Assignment =
  | { readonly outcome: 'Assigned'; readonly clusters: readonly ClusterReplicas[]; readonly reason: string }
  | { readonly outcome: 'Unschedulable' | 'NoClusterFit'; readonly reason: string; readonly message: string };

/** Above every number of replicas in the API (int32). Estimators return it for "no limit". */
export const NO_LIMIT = 2 ** 31 - 1;

/**
 * Worked examples; m1, m2, m3 in this order, no uid.
 *
 * | strategy | mode | replicas | now | available | result | because |
 * |---|---|---|---|---|---|---|
 * | Duplicated | any | 5 | – | – | 5, 5, 5 | each gets all |
 * | StaticWeight 2:1 (m3 in no rule) | any | 9 | – | – | 6, 3, – | a cluster in no rule gets nothing |
 * | DynamicWeight | Steady, first time | 12 | – | 20, 20, 20 | 4, 4, 4 | shares of what is available |
 * | DynamicWeight | Steady up | 12 | 0, 4, 4 | 20, 16, 16 | 2, 5, 5 | 8 stay; 4 more by 20:16:16 are 2, 1, 1 |
 * | DynamicWeight | Steady down | 6 | 2, 4, 6 | – | 1, 2, 3 | shares of what each has |
 * | DynamicWeight | Steady, sum right | 12 | 0, 6, 6 | 20, 14, 14 | 0, 6, 6 | inert: nothing moves, though m1 is free again |
 * | DynamicWeight | Fresh | 12 | 0, 6, 6 | 20, 14, 14 | 4, 4, 4 | weights 20, 14 + 6, 14 + 6 |
 * | Aggregated | Steady, first time | 12 | – | 20, 15, 5 | 12, 0, 0 | the cluster with the most capacity suffices |
 * | Aggregated | Steady up | 12 | 0, 4, 0 | 20, 5, 20 | 6, 6, 0 | where it runs first (m2: 5 of 8), then m1, which ties with m3; 8 by 20:5 are 6, 2 |
 * | Dynamic, Aggregated | Fresh | 12 | – | 1, 1, 0 | Unschedulable | capacity for 2 of 12: all or nothing |
 */
export function assignReplicas(request: AssignmentRequest): Assignment {
  const { replicas, strategy } = request;
  if (!Number.isSafeInteger(replicas) || replicas < 0) {
    // Treating an invalid number as 0 would remove every replica.
    throw new Fault('terminal', `replicas: ${replicas} is not a whole number from 0`, { reason: 'InvalidReplicas' });
  }
  const { clusters, names } = distinctByName(request.clusters);
  if (clusters.length === 0) {
    const reason = 'there is no cluster to choose from';
    return { outcome: 'NoClusterFit', reason, message: '0/0 clusters are available: no cluster exists.' };
  }
  if (request.workload === false) {
    const everywhere = byName(clusters.map(({ name }) => ({ name, replicas: 0 })));
    return { outcome: 'Assigned', clusters: everywhere, reason: 'it has no replicas to divide; every cluster gets it' };
  }
  switch (strategy.kind) {
    case 'Duplicated':
      return assigned(new Map(clusters.map(({ name }) => [name, replicas])), 'Duplicated: every cluster gets all');
    case 'StaticWeight':
      return assigned(
        divideByWebster(replicas, staticParties(clusters, strategy.weights), tieOrderOf(request.uid)),
        'StaticWeight: divided by the weights of the placement',
      );
    case 'DynamicWeight':
    case 'Aggregated':
      return divide(planDivision(request, { clusters, names }), strategy.kind, tieOrderOf(request.uid));
  }
}

interface Division {
  readonly reason: string;
  /** How many replicas are divided now. */
  readonly target: number;
  /** By the capacity of each cluster. */
  readonly weights: readonly Party[];
  /** Existing replicas, which the result adds to. */
  readonly kept: ReadonlyMap<string, number>;
}

/** Selects the replicas to divide and their weights by mode. Replicas on clusters that are no candidates count as lost. */
function planDivision({ replicas, current, mode }: AssignmentRequest, { clusters, names }: DistinctClusters): Division {
  const held = new Map<string, number>();
  let sum = 0;
  for (const [name, count] of current) {
    if (!names.has(name)) continue;
    const whole = wholeOrNone(count);
    held.set(name, whole);
    sum += whole;
  }
  const capacityWithin = (available: number): number => (available >= NO_LIMIT ? replicas : wholeOrNone(available));
  if (mode === 'Fresh') {
    const weights = clusters.map(({ name, available }) => ({
      name,
      weight: capacityWithin(available) + (held.get(name) ?? 0),
    }));
    return { reason: 'Fresh: all divided anew', target: replicas, weights, kept: new Map() };
  }
  if (sum > replicas) {
    // Of two clusters with equal replicas, the one that spec.clusters names first.
    const weights = [...held].map(([name, weight]) => ({ name, weight }));
    return {
      reason: `Steady: ${sum - replicas} of ${sum} taken away in proportion`,
      target: replicas,
      weights,
      kept: new Map(),
    };
  }
  const reason = sum === replicas ? `Steady: all ${sum} stay` : `Steady: ${sum} stay, ${replicas - sum} more`;
  const weights = clusters.map(({ name, available }) => ({ name, weight: capacityWithin(available) }));
  return { reason, target: replicas - sum, weights, kept: held };
}

function divide(division: Division, kind: 'DynamicWeight' | 'Aggregated', ties: TieOrder): Assignment {
  const { reason, target, weights, kept } = division;
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (total < target) {
    return {
      outcome: 'Unschedulable',
      reason: `${kind}, ${reason}: capacity for ${total} of ${target}`,
      message: `Clusters available replicas ${total} are not enough to schedule.`,
    };
  }
  const shares = divideByWebster(target, kind === 'Aggregated' ? shortestSufficient(division) : weights, ties);
  for (const [name, count] of kept) shares.set(name, (shares.get(name) ?? 0) + count);
  return assigned(shares, `${kind}, ${reason}`);
}

/** Clusters that run the workload first, then the others, each with the most capacity first, and no more of them than suffice. */
function shortestSufficient({ weights, kept, target }: Division): readonly Party[] {
  const runsIn = ({ name }: Party): boolean => (kept.get(name) ?? 0) > 0;
  const sorted = [...weights].sort((a, b) => b.weight - a.weight);
  const ordered = [...sorted.filter(runsIn), ...sorted.filter((cluster) => !runsIn(cluster))];
  let sum = 0;
  const enough = ordered.findIndex(({ weight }) => (sum += weight) >= target);
  return ordered.slice(0, enough + 1);
}

/** A cluster's weight is the greatest of the rules that match it. If no cluster has a weight, all are equal. */
function staticParties(
  clusters: readonly CandidateCluster[],
  rules: readonly StaticWeight[],
): { name: string; weight: number }[] {
  const parties = clusters.map((cluster) => {
    const matching = rules.filter(({ targetCluster }) => matchesAffinity(targetCluster, cluster));
    return { name: cluster.name, weight: Math.max(0, ...matching.map(({ weight }) => wholeOrNone(weight))) };
  });
  return parties.some(({ weight }) => weight > 0) ? parties : parties.map(({ name }) => ({ name, weight: 1 }));
}

function assigned(shares: ReadonlyMap<string, number>, reason: string): Assignment {
  const clusters: ClusterReplicas[] = [];
  for (const [name, replicas] of shares) if (replicas > 0) clusters.push({ name, replicas });
  return { outcome: 'Assigned', clusters: byName(clusters), reason };
}

export function byName(clusters: readonly ClusterReplicas[]): readonly ClusterReplicas[] {
  return [...clusters].sort((a, b) => compareNames(a.name, b.name));
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An invalid answer of an estimator counts as no capacity. */
function wholeOrNone(count: number): number {
  return Number.isFinite(count) && count > 0 ? Math.floor(count) : 0;
}

interface DistinctClusters {
  readonly clusters: readonly CandidateCluster[];
  readonly names: ReadonlySet<string>;
}

/** Keeps the first of each name: a cluster listed twice is not twice as large. */
function distinctByName(candidates: readonly CandidateCluster[]): DistinctClusters {
  const names = new Set<string>();
  const clusters = candidates.filter(({ name }) => names.size < names.add(name).size);
  return { clusters, names };
}
