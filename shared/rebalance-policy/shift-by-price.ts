/** Shifts by price: replicas move to cheaper clusters where that saves enough for what it disrupts. */
import type { Distribution } from '../karmada/assignment/rebalance-plan.ts';
import { type Member, PRICE } from '../karmada/member-cluster.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { requestOf } from './cluster-loads.ts';
import { changesBetween, type ShiftObjective } from './plan-shifts.ts';
import type { PolicySpec } from './rebalance-policy.ts';

type PriceTrigger = NonNullable<PolicySpec['triggers']['price']>;

/** The price of a core for an hour, by cluster. */
export type Prices = ReadonlyMap<string, number>;

/** Those of the policy have precedence over the annotation of the Cluster. */
export function pricesOf({ clusters = [] }: PriceTrigger, members: readonly Member[]): Prices {
  const annotated = members.flatMap(({ cluster: { name }, price }) =>
    price === undefined ? [] : [[name, price] as const],
  );
  return new Map([...annotated, ...clusters.map(({ name, price }) => [name, Number(price)] as const)]);
}

/** What a workload costs, and what a new assignment saves. */
export interface Savings {
  /** Of its cost, 0 to 1. */
  readonly saved: number;
  /** Of its replicas, 0 to 1. */
  readonly moved: number;
  /** The one divided by the other, in percent. */
  readonly score: number;
}

/**
 * Example: 4 replicas of one core at 0.10 and 4 at 0.05 cost 0.60 an hour. Two from 0.10 to 0.03 save 0.14, 23 % of the cost for 25 % of the replicas: score 0.93.
 * From 0.05 to 0.03 two save 7 %: score 0.27.
 */
export function savingsOf(binding: PlacedBinding, next: Distribution, prices: Prices): Savings {
  const priceIn = (name: string) => prices.get(name) ?? 0;
  const { clusters, replicas } = binding.spec;
  const before = clusters.reduce((sum, each) => sum + each.replicas * priceIn(each.name), 0);
  const changes = changesBetween(binding, next);
  const saved = -changes.reduce((sum, [name, change]) => sum + change * priceIn(name), 0) / before;
  const moved = changes.reduce((sum, [, change]) => sum + Math.max(0, change), 0) / replicas;
  return { saved, moved, score: moved === 0 ? 0 : Math.round((saved / moved) * 100 * PRECISION) / PRECISION };
}

/** So that a score of exactly the threshold is not below it by the error of a division. */
const PRECISION = 1e6;

/** Why the cost of a workload is unknown; undefined if it is known. */
export function whyNoCost(binding: PlacedBinding, prices: Prices): string | undefined {
  if ((requestOf(binding).get('cpu') ?? 0) === 0) return 'it requests no cpu, so that its cost is unknown';
  const unpriced = binding.spec.clusters.find(({ name, replicas }) => replicas > 0 && !prices.has(name));
  return (
    unpriced && `the price of ${unpriced.name} is unknown: it has no annotation ${PRICE}, and the policy none for it`
  );
}

/** The best score of one of its replicas, wherever a cheaper cluster has capacity. */
export function bestScore(binding: PlacedBinding, prices: Prices): number {
  const cheapest = Math.min(...prices.values());
  const dearest = Math.max(...binding.spec.clusters.map(({ name }) => prices.get(name) ?? 0));
  return scoreOf(binding, dearest - cheapest, prices);
}

/** Of a replica that saves so much an hour for each core. */
function scoreOf({ spec }: PlacedBinding, saved: number, prices: Prices): number {
  const cost = spec.clusters.reduce((sum, { name, replicas }) => sum + replicas * (prices.get(name) ?? 0), 0);
  return cost === 0 ? 0 : Math.round(((saved * spec.replicas) / cost) * 100 * PRECISION) / PRECISION;
}

/**
 * Each replica goes to the cheapest cluster with capacity, if its own score is high enough: a move that saves much does not carry one that saves little. The best
 * scores come first, of equal ones the largest savings.
 */
export function byPrice({ minScore }: PriceTrigger, prices: Prices, members: readonly Member[]): ShiftObjective {
  const priceIn = (name: string) => prices.get(name) ?? Number.POSITIVE_INFINITY;
  const receivers = members
    .flatMap(({ healthy, cluster }) => (healthy && prices.has(cluster.name) ? [cluster] : []))
    .sort((a, b) => priceIn(a.name) - priceIn(b.name) || (a.name < b.name ? -1 : 1));
  return {
    receivers: () => receivers,
    best({ binding, request }, { cluster, most }, capacity) {
      for (const receiver of receivers) {
        const saved = priceIn(cluster) - priceIn(receiver.name);
        const score = scoreOf(binding, saved, prices);
        if (saved <= 0 || score < minScore) return undefined;
        const replicas = Math.min(most, capacity(receiver));
        if (replicas > 0) return { to: receiver.name, replicas, worth: [score, saved * (request.get('cpu') ?? 0)] };
      }
      return undefined;
    },
    took: () => undefined,
  };
}

/** "saves 38 % of its cost for 50 % of its replicas: score 0.76". */
export function priceText({ saved, moved, score }: Savings): string {
  return `saves ${Math.round(saved * 100)} % of its cost for ${Math.round(moved * 100)} % of its replicas: score ${(score / 100).toFixed(2)}`;
}
