/** Decides which workloads of a starting wave still move, by the current bindings and other rebalances in progress. */
import { bindingKey } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { type EvaluationContext, evaluateWorkload } from '../../shared/model/rebalance-policy/evaluate-workload.ts';
import { concernedDecision, leftAlone } from '../../shared/model/rebalance-policy/plan-run.ts';
import { isLeftAlone, type Trigger, type WorkloadDecision } from '../../shared/model/rebalance-policy/policy-run.ts';
import type { RebalancePolicy } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../shared/model/rebalance-policy/select-workloads.ts';
import type { WorkloadRebalancer } from '../../shared/model/workload-rebalancer.ts';

/** Maximum number of attempts for a workload that another client is rebalancing. */
const MAX_ATTEMPTS = 40;

export interface Live {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  /** By keyText of the binding. */
  readonly candidates: ReadonlyMap<string, Candidate>;
  readonly context: EvaluationContext;
  /** Unfinished WorkloadRebalancers of users, by keyText of the binding. */
  readonly manualRebalancers: ReadonlyMap<string, string>;
  /** Replicas that may move at once. */
  readonly replicas: number;
}

/** Each workload of the wave with its outcome: `Moving`, `PutOff`, `Skipped`, `CannotForecast` or `Gone`. */
export function fillWave(workloads: readonly WorkloadDecision[], live: Live): readonly WorkloadDecision[] {
  let left = live.replicas;
  return workloads.map((decision) => {
    // Settled in an earlier attempt of the wave.
    if (isLeftAlone(decision)) return decision;
    const evaluated = reclassify(decision, live);
    if (evaluated.outcome !== 'Moving') return evaluated;
    if (evaluated.moves > live.replicas) {
      const reason = `${evaluated.moves} replicas of it would move now, which exceeds strategy.maxInFlight.replicas`;
      return { ...evaluated, outcome: 'Skipped', reason };
    }
    if (evaluated.moves > left) return putOff(evaluated, 'the wave would exceed strategy.maxInFlight.replicas');
    left -= evaluated.moves;
    return evaluated;
  });
}

function reclassify(
  decision: WorkloadDecision,
  { candidates, context, manualRebalancers, ...run }: Live,
): WorkloadDecision {
  const key = keyText(decision.binding);
  const candidate = candidates.get(key);
  if (candidate === undefined) return { ...decision, outcome: 'Gone', reason: 'it has no binding any more' };
  const manual = manualRebalancers.get(key);
  if (manual !== undefined) return putOff(decision, `WorkloadRebalancer ${manual} of a user goes first`);
  const evaluation = evaluateWorkload(candidate, run, context);
  if (evaluation.result !== 'concerned') return { ...decision, ...leftAlone(evaluation) };
  const { putOff: attempts } = decision;
  const fresh = concernedDecision(candidate.binding, evaluation);
  return { ...fresh, ...(attempts !== undefined && { putOff: attempts }), outcome: 'Moving' };
}

/** Retried in a later wave, up to MAX_ATTEMPTS times. */
export function putOff({ putOff: before = 0, ...decision }: WorkloadDecision, why: string): WorkloadDecision {
  const attempts = before + 1;
  if (attempts > MAX_ATTEMPTS)
    return { ...decision, putOff: before, outcome: 'Skipped', reason: `${why}, after ${MAX_ATTEMPTS} attempts` };
  return { ...decision, putOff: attempts, outcome: 'PutOff', reason: why };
}

/** Unfinished WorkloadRebalancers by keyText of the binding, without those of policies. */
export function manualRebalancersAtWork(rebalancers: readonly WorkloadRebalancer[]): ReadonlyMap<string, string> {
  const unfinished = rebalancers.filter(
    ({ policy, deletionTimestamp, status, generation }) =>
      policy === undefined &&
      deletionTimestamp === undefined &&
      (status.finishTime === undefined || status.observedGeneration !== generation),
  );
  return new Map(
    unfinished.flatMap(({ name, workloads }) => workloads.map((each) => [keyText(bindingKey(each)), name] as const)),
  );
}
