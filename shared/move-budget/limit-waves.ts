/** Decides which moves of a planned run the budgets of a hub never allow, and how many of a wave begin later. */
import { count } from '../core/count.ts';
import { sum } from '../core/sum.ts';
import { leavesBetween } from '../karmada/assignment/rebalance-plan.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { WorkloadDecision } from '../rebalance-policy/policy-run.ts';
import type { Candidate } from '../rebalance-policy/select-workloads.ts';
import type { Budget, Grant, MoveRequest } from './budget.ts';
import type { MoveReason } from './move-budget.ts';
import { ownLimitOf } from './move-request.ts';

type Waves = readonly (readonly WorkloadDecision[])[];

export interface LimitedWaves {
  /** Without the moves that alone exceed a limit. */
  readonly waves: Waves;
  /** Each with the limit that it exceeds. */
  readonly exceeding: readonly WorkloadDecision[];
  readonly notes: readonly string[];
}

export interface WaveLimits {
  readonly reason: MoveReason;
  /** The limits of the hub without moves in flight, new for each call: the moves of a wave are over when the next begins. */
  readonly budget: () => Budget;
  /** Those of single workloads, by keyText of the binding. */
  readonly ownLimits: ReadonlyMap<string, string>;
}

/** By keyText of the binding, for those that have one. */
export function ownLimitsOf(candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  return new Map(
    candidates.flatMap((candidate) => {
      const limit = ownLimitOf(candidate);
      return limit === undefined ? [] : [[keyText(candidate.binding.metadata), limit] as const];
    }),
  );
}

export function limitWaves(waves: Waves, { reason, budget, ownLimits }: WaveLimits): LimitedWaves {
  const requestOf = ({ binding, current, next }: WorkloadDecision): MoveRequest => {
    const leaves = leavesBetween(Object.entries(current), new Map(Object.entries(next)));
    const ownLimit = ownLimits.get(keyText(binding));
    const move = { binding, reason, mover: 'preview', leaves, generation: 0, replicas: sum(Object.values(current)) };
    return { ...move, ...(ownLimit !== undefined && { ownLimit }) };
  };
  const alone = (decision: WorkloadDecision) => budget().take(requestOf(decision));
  const exceeding = waves.flat().flatMap((decision) => {
    const grant = alone(decision);
    return grant.result === 'exceeds' ? [{ ...decision, reason: grant.reason }] : [];
  });
  const left = new Set(exceeding.map(({ binding }) => keyText(binding)));
  const allowed = waves.map((wave) => wave.filter(({ binding }) => !left.has(keyText(binding))));
  const notes = allowed.flatMap((wave, index) => {
    const together = budget();
    const later = wave.map((decision) => together.take(requestOf(decision))).filter(isWaiting);
    const [first] = later;
    if (first === undefined) return [];
    return [`wave ${index + 1}: ${later.length} of ${count(wave.length, 'workload')} begin later (${first.reason})`];
  });
  return { waves: allowed, exceeding, notes };
}

function isWaiting(grant: Grant): grant is Extract<Grant, { readonly result: 'waits' }> {
  return grant.result === 'waits';
}
