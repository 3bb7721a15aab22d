/** What a policy by pressure and one by price have of their own: which workloads may gain, what a move is worth, and the texts. */
import type { Distribution } from '../karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { type ClusterLoads, requestOf } from './cluster-loads.ts';
import type { ObservedHub } from './evaluation-context.ts';
import { afterShifts, type ShiftedWorkload, type ShiftObjective } from './plan-shifts.ts';
import type { PolicySpec } from './rebalance-policy.ts';
import {
  byPressure,
  givers,
  loadsOf,
  preferencesFor,
  pressureText,
  restOf,
  targetOf,
  whyNotRelieving,
} from './shift-by-pressure.ts';
import { bestScore, byPrice, pricesOf, priceText, savingsOf, whyNoCost } from './shift-by-price.ts';

export interface ShiftAttempt {
  readonly objective: ShiftObjective;
  /** The loads after its plan. */
  readonly loads: ClusterLoads;
  /** What its plan leaves undone, the most important first. */
  readonly rest: () => readonly number[];
}

/** What differs between the objectives. */
export interface ShiftRules {
  readonly loads: ClusterLoads;
  /** Why nothing of it can be worth a move; undefined if something may be. */
  readonly whyStill: (binding: PlacedBinding) => string | undefined;
  /** The larger, the more it has to gain. */
  readonly gain: (binding: PlacedBinding) => number;
  /** Those of the plans of which the best counts. */
  readonly attempts: (workloads: number) => readonly ShiftAttempt[];
  /** Why it has no part in the plan. */
  readonly whyLeft: (binding: PlacedBinding, loads: ClusterLoads) => string;
  readonly text: (shifted: ShiftedWorkload) => { readonly why: string; readonly score?: number };
  /** Why a planned assignment is not worth its move any more; undefined if it is. */
  readonly whyVoid: (binding: PlacedBinding, next: Distribution) => string | undefined;
}

/** Undefined for a policy with other triggers. */
export function shiftRulesOf(
  { pressure, price }: PolicySpec['triggers'],
  { members }: ObservedHub,
): ShiftRules | undefined {
  if (pressure !== undefined) return pressureRules(pressure, members);
  return price === undefined ? undefined : priceRules(price, members);
}

function pressureRules(
  trigger: NonNullable<PolicySpec['triggers']['pressure']>,
  members: ObservedHub['members'],
): ShiftRules {
  const loads = loadsOf(trigger, members);
  const giving = givers(trigger, loads, members);
  const target = targetOf(trigger);
  return {
    loads,
    whyStill: ({ spec }) =>
      spec.clusters.some(({ name, replicas }) => replicas > 0 && giving.has(name))
        ? undefined
        : `it has no replicas on a cluster above ${trigger.high} %`,
    gain(binding) {
      const request = requestOf(binding);
      const on = binding.spec.clusters.filter(({ name }) => giving.has(name));
      return Math.max(...on.map(({ name }) => loads.relief(name, request, target)));
    },
    attempts: (workloads) =>
      preferencesFor(workloads * members.length).map((preference) => {
        const input = { trigger, members, loads: loads.copy() };
        return { objective: byPressure(input, preference), loads: input.loads, rest: () => restOf(input) };
      }),
    whyLeft({ spec }, after) {
      const above = spec.clusters.find(
        ({ name, replicas }) => replicas > 0 && giving.has(name) && after.isAbove(name, target),
      );
      return above === undefined
        ? 'other replicas relieve its cluster'
        : `no cluster below ${trigger.low} % has capacity for a replica of it up to ${target} %`;
    },
    text: ({ shifts }) => ({ why: pressureText(shifts, (cluster) => loads.of(cluster)) }),
    whyVoid: (binding, next) => whyNotRelieving(trigger, { binding, next }, loads),
  };
}

function priceRules(
  trigger: NonNullable<PolicySpec['triggers']['price']>,
  members: ObservedHub['members'],
): ShiftRules {
  const prices = pricesOf(trigger, members);
  const least = trigger.minScore;
  const loads = loadsOf({ high: 100, low: 0, resources: [] }, members);
  return {
    loads,
    whyStill(binding) {
      const unknown = whyNoCost(binding, prices);
      if (unknown !== undefined) return unknown;
      const best = bestScore(binding, prices);
      if (best >= least) return undefined;
      return best <= 0 ? 'no cluster is cheaper' : `no move saves enough: the best score is ${(best / 100).toFixed(2)}`;
    },
    gain: (binding) => bestScore(binding, prices),
    attempts: () => [{ objective: byPrice(trigger, prices, members), loads, rest: () => [] }],
    whyLeft: () => 'no cluster that is cheap enough has capacity for it',
    text({ binding, shifts }) {
      const savings = savingsOf(binding, afterShifts(binding, shifts), prices);
      return { why: priceText(savings), score: Math.round(savings.score) };
    },
    whyVoid(binding, next) {
      const unknown = whyNoCost(binding, prices);
      if (unknown !== undefined) return unknown;
      const { score } = savingsOf(binding, next, prices);
      return score >= least ? undefined : `its score is ${(score / 100).toFixed(2)}, below ${(least / 100).toFixed(2)}`;
    },
  };
}
