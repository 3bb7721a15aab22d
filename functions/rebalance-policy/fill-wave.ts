/** Decides which workloads of a starting wave still move, by the current bindings and other rebalances in progress. */
import { count } from '../../shared/core/count.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { heldUntilReplaced } from '../../shared/graceful-reduction/replica-reduction.ts';
import { createAssumeCache } from '../../shared/karmada/assignment/assume-cache.ts';
import { leavesBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { type Budget, type Grant, unlimited } from '../../shared/move-budget/budget.ts';
import type { Disruptions } from '../../shared/move-budget/disruption-budget.ts';
import { moveRequest, moverOfRebalancer } from '../../shared/move-budget/move-request.ts';
import { evaluateWorkload } from '../../shared/rebalance-policy/evaluate-workload.ts';
import {
  type EvaluationContext,
  evaluationContextOf,
  type ObservedHub,
} from '../../shared/rebalance-policy/evaluation-context.ts';
import { concernedDecision, leftAlone, limitsOf } from '../../shared/rebalance-policy/plan-run.ts';
import {
  isLeftAlone,
  type PolicyRun,
  type Trigger,
  type Wave,
  type WorkloadDecision,
} from '../../shared/rebalance-policy/policy-run.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../shared/rebalance-policy/select-workloads.ts';
import { type ShiftChecker, shiftChecker } from '../../shared/rebalance-policy/shift-planner.ts';
import type { WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

/** Maximum number of attempts for a workload that another client is rebalancing. */
const MAX_ATTEMPTS = 40;

export interface WaveInputs {
  readonly policy: RebalancePolicy;
  readonly run: Pick<PolicyRun, 'triggers' | 'workloads' | 'unfinished'>;
  /** The wave's workloads, and the unfinished ones of the run; absent ones have no binding any more. */
  readonly candidates: readonly Candidate[];
  readonly hub: ObservedHub;
  /** The users' WorkloadRebalancers, without those of policies. */
  readonly rebalancers: readonly WorkloadRebalancer[];
  /** The name of the wave's WorkloadRebalancer. */
  readonly rebalancer: string;
  /** PodDisruptionBudgets by keyText of the binding. */
  readonly disruptions?: Disruptions;
}

/** The candidates and the users' unfinished WorkloadRebalancers by keyText of the binding. */
interface Live {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  readonly context: EvaluationContext;
  readonly byKey: ReadonlyMap<string, Candidate>;
  readonly manual: ReadonlyMap<string, string>;
  /** Of a policy by pressure or price. */
  readonly shifts: ShiftChecker | undefined;
}

/**
 * Each workload of the wave with its outcome: `Moving`, `PutOff`, `Skipped`, `CannotForecast` or `Gone`. They move together, so each has the
 * capacity that those before it leave; that which they free is there for the next wave.
 */
export function fillWave(
  workloads: Wave['workloads'],
  inputs: WaveInputs,
  budget: Budget = unlimited,
): Wave['workloads'] {
  const { candidates, rebalancers, rebalancer, disruptions, hub, policy, run } = inputs;
  const byKey = new Map(candidates.map((each) => [keyText(each.binding.metadata), each]));
  const assumed = createAssumeCache();
  const context = evaluationContextOf(hub, assumed);
  const { triggers } = run;
  const shifts = shiftChecker(policy, hub);
  const live = { policy, triggers, context, byKey, manual: manualRebalancersAtWork(rebalancers), shifts };
  const { workloads: most, replicas } = limitsOf(policy.spec.strategy, run.workloads);
  const earlier = inFlightOf(run.unfinished ?? [], byKey);
  let left = replicas - earlier.replicas;
  let slots = most - earlier.workloads;
  return workloads.map((decision) => {
    // Settled in an earlier attempt of the wave.
    if (isLeftAlone(decision)) return decision;
    const evaluated = reclassify(decision, live);
    if (evaluated.outcome !== 'Moving') return evaluated;
    if (evaluated.moves > replicas) {
      const reason = `${evaluated.moves} replicas of it would move now, which exceeds strategy.maxInFlight.replicas`;
      return { ...evaluated, outcome: 'Skipped', reason };
    }
    if (evaluated.moves > left) return putOff(evaluated, 'the wave would exceed strategy.maxInFlight.replicas');
    if (slots <= 0) return putOff(evaluated, `${count(earlier.workloads, 'workload')} of an earlier run still moves`);
    const grant = grantOf(evaluated);
    if (grant.result === 'exceeds') return { ...evaluated, outcome: 'Skipped', reason: grant.reason };
    if (grant.result === 'waits') return waits(evaluated, grant);
    left -= evaluated.moves;
    slots -= 1;
    assume(byKey.get(keyText(decision.binding)), evaluated.next);
    return evaluated;
  });

  function grantOf({ binding, current, next }: WorkloadDecision): Grant {
    const candidate = byKey.get(keyText(binding));
    if (candidate === undefined) return { result: 'granted' };
    const leaves = leavesBetween(Object.entries(current), new Map(Object.entries(next)));
    const reason = policy.drains === undefined ? 'Policy' : 'Drain';
    const move = { reason, mover: moverOfRebalancer(rebalancer), leaves } as const;
    return budget.take(moveRequest(candidate, move, disruptions?.get(keyText(binding))));
  }

  function assume(candidate: Candidate | undefined, next: WorkloadDecision['next']): void {
    const assigned = Object.entries(next).map(([name, replicas]) => ({ name, replicas }));
    if (candidate) assumed.addAssigned(candidate.binding, assigned);
    if (candidate) shifts?.took(candidate.binding, new Map(Object.entries(next)));
  }
}

/** What moves of earlier runs still have in flight. */
function inFlightOf(
  unfinished: readonly ObjectKey[],
  byKey: Live['byKey'],
): { readonly workloads: number; readonly replicas: number } {
  const held = unfinished.flatMap((key) => {
    const candidate = byKey.get(keyText(key));
    const replicas = candidate === undefined ? [] : [...heldUntilReplaced(candidate.binding).values()];
    return replicas.length === 0 ? [] : [replicas.reduce((sum, one) => sum + one, 0)];
  });
  return { workloads: held.length, replicas: held.reduce((sum, one) => sum + one, 0) };
}

function reclassify(decision: WorkloadDecision, { byKey, context, manual, shifts, ...run }: Live): WorkloadDecision {
  const key = keyText(decision.binding);
  const candidate = byKey.get(key);
  if (candidate === undefined) return { ...decision, outcome: 'Gone', reason: 'it has no binding any more' };
  const name = manual.get(key);
  if (name !== undefined) return putOff(decision, `WorkloadRebalancer ${name} of a user goes first`);
  if (shifts !== undefined) {
    const left = shifts.recheck(candidate, decision, context);
    return left === undefined ? { ...decision, outcome: 'Moving' } : { ...decision, ...leftAlone(left) };
  }
  const evaluation = evaluateWorkload(candidate, run, context);
  if (evaluation.result !== 'concerned') return { ...decision, ...leftAlone(evaluation) };
  const { putOff: attempts } = decision;
  const fresh = concernedDecision(candidate.binding, evaluation);
  return { ...fresh, ...(attempts !== undefined && { putOff: attempts }), outcome: 'Moving' };
}

/** Retried in a later wave, up to MAX_ATTEMPTS times. */
function putOff({ putOff: before = 0, ...decision }: WorkloadDecision, why: string): WorkloadDecision {
  const attempts = before + 1;
  if (attempts > MAX_ATTEMPTS)
    return { ...decision, putOff: before, outcome: 'Skipped', reason: `${why}, after ${MAX_ATTEMPTS} attempts` };
  return { ...decision, putOff: attempts, outcome: 'PutOff', reason: why };
}

/** It is no failed attempt: a limit may hold it back for hours. */
function waits(
  decision: WorkloadDecision,
  { reason, until }: Extract<Grant, { readonly result: 'waits' }>,
): WorkloadDecision {
  if (until === undefined) return { ...decision, outcome: 'PutOff', reason };
  return { ...decision, outcome: 'PutOff', reason: `${reason}, until ${toTimestamp(until)}`, until };
}

/** Unfinished WorkloadRebalancers by keyText of the binding. */
function manualRebalancersAtWork(rebalancers: readonly WorkloadRebalancer[]): ReadonlyMap<string, string> {
  const unfinished = rebalancers.filter(
    ({ deletionTimestamp, status, generation }) =>
      deletionTimestamp === undefined && (status.finishTime === undefined || status.observedGeneration !== generation),
  );
  return new Map(
    unfinished.flatMap(({ name, workloads }) => workloads.map((each) => [keyText(bindingKey(each)), name] as const)),
  );
}

/** The workloads that are about to move, and so need a lease: while a wave may be in flight, no other run moves its workloads. */
export function movingIn(workloads: Wave['workloads']): Wave['workloads'] {
  return workloads.filter(({ outcome }) => outcome === 'Moving');
}

/** Postpones the workloads whose lease another run holds. `leased`: for each workload of `movingIn`, whether its lease was taken. */
export function withLeases(workloads: Wave['workloads'], leased: readonly boolean[]): Wave['workloads'] {
  const held = new Set(movingIn(workloads).filter((_, i) => leased[i]));
  return workloads.map((each) =>
    each.outcome !== 'Moving' || held.has(each) ? each : putOff(each, 'the run of another policy is moving it'),
  );
}

/** The workloads whose leases end with the wave. Postponed workloads are in another wave, which may be in flight. */
export function releasedWith({ workloads }: Wave): Wave['workloads'] {
  return workloads.filter(({ outcome }) => outcome !== 'PutOff');
}
