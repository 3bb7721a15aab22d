/** Which workloads a policy by pressure or price would shift now, for runs and previews, and whether a planned shift still helps when its wave starts. */
import { sum } from '../core/sum.ts';
import { createAssumeCache } from '../karmada/assignment/assume-cache.ts';
import { capacityOf } from '../karmada/assignment/available-replicas.ts';
import { messageOf, strategyOf, unsupportedField } from '../karmada/assignment/placement.ts';
import { type Distribution, distributionOf, movedBetween } from '../karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { keyText } from '../kubernetes/object-key.ts';
import { isSameAssignment, presentAssignment } from '../workload-rebalancer/given-assignment.ts';
import { type ClusterLoads, requestOf, unreported } from './cluster-loads.ts';
import {
  leftToOthers,
  notMovedNow,
  type WorkloadEvaluation,
  whyNotPartlyMovable,
  whyUnselected,
} from './evaluate-workload.ts';
import type { EvaluationContext, ObservedHub } from './evaluation-context.ts';
import {
  afterShifts,
  changesBetween,
  compareWorth,
  planShifts,
  type ShiftedWorkload,
  whyNotPlaced,
} from './plan-shifts.ts';
import type { WorkloadDecision } from './policy-run.ts';
import type { RebalancePolicy } from './rebalance-policy.ts';
import type { Candidate } from './select-workloads.ts';
import { type ShiftRules, shiftRulesOf } from './shift-rules.ts';

/** So many workloads are planned together, those with the most to gain; the next run has the others. */
const MOST_TOGETHER = 10_000;

/** Nothing that a shift follows is as urgent as a cluster that recovered. */
const isPressing = false;

type PlannedWorkload = { readonly candidate: Candidate; readonly evaluation: WorkloadEvaluation };
type Unconcerned = Exclude<WorkloadEvaluation, { result: 'concerned' }>;

/** The plan from pages of candidates. */
export interface ShiftPlanner {
  /** Its evaluation as far as it does not depend on others: `still` for one that `planned` may move. */
  add(candidate: Candidate, context: EvaluationContext): Unconcerned;
  /** Those that could move, the moving ones in the order of the plan. */
  planned(): readonly PlannedWorkload[];
}

/** The wave's side: each workload by its binding now, and by the moves of the wave before it. */
export interface ShiftChecker {
  /** Why the planned assignment is not written; undefined if it is. */
  recheck(candidate: Candidate, decision: WorkloadDecision, context: EvaluationContext): Unconcerned | undefined;
  took(binding: PlacedBinding, next: Distribution): void;
}

/** Undefined for a policy with other triggers. */
export function shiftPlanner(policy: RebalancePolicy, hub: ObservedHub): ShiftPlanner | undefined {
  const rules = shiftRulesOf(policy.spec.triggers, hub);
  if (rules === undefined) return undefined;
  const movable = new Map<string, Candidate>();
  const moving = new Map<string, PlacedBinding>();
  return {
    add(candidate, context) {
      const { binding } = candidate;
      const key = keyText(binding.metadata);
      if (unreported(binding).length > 0) moving.set(key, binding);
      else moving.delete(key);
      movable.delete(key);
      const evaluation = whyNotMovable(candidate, policy, { rules, context });
      if (evaluation !== undefined) return evaluation;
      movable.set(key, candidate);
      if (movable.size > 2 * MOST_TOGETHER) dropLeast(movable, rules);
      return { result: 'still', reason: 'others have more to gain; the next run plans it' };
    },
    planned() {
      dropLeast(movable, rules);
      const assumed = createAssumeCache();
      for (const binding of moving.values()) addUnreported(binding, rules.loads, assumed);
      const candidates = [...movable.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      const clusters = hub.members.map(({ cluster }) => cluster);
      const bindings = candidates.map(({ binding }) => binding);
      const plans = rules.attempts(bindings.length).map(({ objective, loads, rest }) => {
        const plan = planShifts(bindings, objective, { clusters, assumed: createAssumeCache(assumed.assumed()) });
        return { plan, loads, rank: [...rest(), sum(plan.map(({ moved }) => moved))] };
      });
      const [best] = plans.sort((a, b) => compareWorth(a.rank, b.rank));
      const { plan: shifted = [], loads = rules.loads } = best ?? {};
      const byBinding = new Map(candidates.map((candidate) => [candidate.binding, candidate]));
      const moved = shifted.flatMap((each): PlannedWorkload[] => {
        const candidate = byBinding.get(each.binding);
        byBinding.delete(each.binding);
        return candidate === undefined ? [] : [{ candidate, evaluation: concerned(each, rules) }];
      });
      const left = [...byBinding.values()].map((candidate): PlannedWorkload => {
        return { candidate, evaluation: { result: 'still', reason: rules.whyLeft(candidate.binding, loads) } };
      });
      return [...moved, ...left];
    },
  };
}

/** Undefined for a policy with other triggers. */
export function shiftChecker(policy: RebalancePolicy, hub: ObservedHub): ShiftChecker | undefined {
  const rules = shiftRulesOf(policy.spec.triggers, hub);
  if (rules === undefined) return undefined;
  const assumed = createAssumeCache();
  const clusters = hub.members.map(({ cluster }) => cluster);
  const healthy = new Set(hub.members.flatMap((member) => (member.healthy ? [member.cluster.name] : [])));
  return {
    recheck(candidate, { current, next: planned }, context) {
      const { binding } = candidate;
      const unselected = whyUnselected(candidate, policy);
      if (unselected !== undefined) return { result: 'unselected', reason: unselected };
      const blocked =
        leftToOthers(candidate, policy, context) ??
        notShiftable(binding) ??
        notMovedNow(binding, policy, { isPressing, now: context.now });
      if (blocked !== undefined) return blocked;
      const next = new Map(Object.entries(planned));
      const why = whyChanged() ?? rules.whyVoid(binding, next) ?? whyNoReceiver(next) ?? whyNoCapacity(next);
      return why === undefined ? undefined : { result: 'skipped', reason: `since the plan: ${why}` };

      function whyChanged(): string | undefined {
        const isSame = isSameAssignment(presentAssignment(binding), current);
        return isSame && sum(Object.values(planned)) === binding.spec.replicas
          ? undefined
          : 'it was scaled or assigned otherwise';
      }

      function whyNoReceiver(to: Distribution): string | undefined {
        const lost = changesBetween(binding, to).find(([name, change]) => change > 0 && !healthy.has(name));
        return lost && `${lost[0]} is not healthy, or drained`;
      }

      function whyNoCapacity(to: Distribution): string | undefined {
        return whyNotPlaced(binding, to, { clusters, available: capacityOf(binding, { assumed }) });
      }
    },
    took(binding, next) {
      const request = requestOf(binding);
      for (const [name, change] of changesBetween(binding, next)) rules.loads.add(name, request, change);
      assumed.addAssigned(
        binding,
        [...next].map(([name, replicas]) => ({ name, replicas })),
      );
    },
  };
}

/** Of one that the plan may move: undefined. Most workloads have nothing to gain, and are no more than counted. */
function whyNotMovable(
  candidate: Candidate,
  policy: RebalancePolicy,
  { rules, context }: { readonly rules: ShiftRules; readonly context: EvaluationContext },
): Unconcerned | undefined {
  const { binding } = candidate;
  const unselected = whyUnselected(candidate, policy);
  if (unselected !== undefined) return { result: 'unselected', reason: unselected };
  const still = rules.whyStill(binding);
  if (still !== undefined) return { result: 'still', reason: still };
  return (
    leftToOthers(candidate, policy, context) ??
    notShiftable(binding) ??
    notMovedNow(binding, policy, { isPressing, now: context.now })
  );
}

/** Whether the scheduler would not keep the shift. */
function notShiftable(binding: PlacedBinding): Unconcerned | undefined {
  const placement = binding.spec.placement ?? {};
  const unsupported = unsupportedField(placement);
  if (unsupported !== undefined)
    return {
      result: 'skipped',
      reason: `no forecast of where it would go: ${messageOf(unsupported)}`,
      cannotForecast: true,
    };
  const reason = whyNotPartlyMovable(binding) ?? whyDividedAgain(binding);
  return reason === undefined ? undefined : { result: 'skipped', reason };
}

/** Dynamic weights and Aggregated keep the replicas that are assigned. */
function whyDividedAgain({ spec }: PlacedBinding): string | undefined {
  return strategyOf(spec.placement ?? {}).kind === 'StaticWeight'
    ? 'its weights are static: the scheduler would divide it by them again when it is scaled'
    : undefined;
}

function concerned(shifted: ShiftedWorkload, rules: ShiftRules): WorkloadEvaluation {
  const { binding, shifts } = shifted;
  const current = distributionOf(binding.spec.clusters);
  const next = afterShifts(binding, shifts);
  return { result: 'concerned', ...rules.text(shifted), next, plan: { current, moves: movedBetween(current, next) } };
}

function addUnreported(
  binding: PlacedBinding,
  loads: ClusterLoads,
  assumed: ReturnType<typeof createAssumeCache>,
): void {
  const request = requestOf(binding);
  for (const [cluster, replicas] of unreported(binding)) {
    loads.add(cluster, request, replicas);
    assumed.add(cluster, replicas, binding.spec.replicaRequirements?.resourceRequest ?? undefined);
  }
}

function dropLeast(movable: Map<string, Candidate>, { gain }: ShiftRules): void {
  if (movable.size <= MOST_TOGETHER) return;
  const byGain = [...movable]
    .map(([key, { binding }]) => ({ key, gain: gain(binding) }))
    .sort((a, b) => b.gain - a.gain);
  for (const { key } of byGain.slice(MOST_TOGETHER)) movable.delete(key);
}

function keyOf({ binding }: Candidate): string {
  return keyText(binding.metadata);
}
