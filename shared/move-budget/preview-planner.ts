/** Plans a run for a preview: which of its moves the budgets of a hub never allow, and how many of a wave begin later. */
import { count } from '../core/count.ts';
import { sum } from '../core/sum.ts';
import { leavesBetween } from '../karmada/assignment/rebalance-plan.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { PlannedRun, RunPlanner } from '../rebalance-policy/plan-run.ts';
import type { WorkloadDecision } from '../rebalance-policy/policy-run.ts';
import type { Budget, Grant, MoveRequest } from './budget.ts';
import type { MoveReason } from './move-budget.ts';
import { ownLimitOf } from './move-request.ts';

interface PreviewLimits {
  readonly reason: MoveReason;
  /** The limits of the hub without moves in flight, new for each call: the moves of a wave are over when the next begins. */
  readonly budget: () => Budget;
}

export interface PreviewPlanner extends Pick<RunPlanner, 'add'> {
  /** Without the moves that alone exceed a limit: those are skipped, each with that limit. */
  planned(limits: PreviewLimits): PlannedRun & { readonly notes: readonly string[] };
}

export function previewPlanner(planner: RunPlanner): PreviewPlanner {
  /** Of single workloads that have one, by keyText of the binding. */
  const ownLimits = new Map<string, string>();
  return {
    add: (candidates) => {
      planner.add(candidates);
      for (const candidate of candidates) {
        const limit = ownLimitOf(candidate);
        if (limit !== undefined) ownLimits.set(keyText(candidate.binding.metadata), limit);
      }
    },
    planned: (limits) => {
      const run = planner.planned();
      const { waves, exceeding, notes } = limitWaves(run.waves, { ...limits, ownLimits });
      return { ...run, waves, skipped: [...run.skipped, ...exceeding], notes };
    },
  };
}

type WaveLimits = PreviewLimits & { readonly ownLimits: ReadonlyMap<string, string> };

function limitWaves(waves: PlannedRun['waves'], { reason, budget, ownLimits }: WaveLimits) {
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
