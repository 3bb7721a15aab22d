/** Plans a run: the workloads that a policy would move now, their order and waves, and the skipped ones; for runs and previews. */

import { ownValue } from '../core/own-value.ts';
import { compareKeys, type Distribution } from '../karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { type EvaluationContext, evaluateWorkload, type WorkloadEvaluation } from './evaluate-workload.ts';
import type { Trigger, WorkloadDecision } from './policy-run.ts';
import type { RebalancePolicy, WaveStrategy } from './rebalance-policy.ts';
import { type Candidate, workloadOf } from './select-workloads.ts';

/** Default of the policy. */
const USUAL_WAVE = 50;
/** A wave is one row and one WorkloadRebalancer. */
const LARGEST_WAVE = 500;

export interface RunInput {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  readonly candidates: readonly Candidate[];
  readonly context: EvaluationContext;
  /** Values of PriorityClasses by name, where the policy orders by priority. */
  readonly priorities: ReadonlyMap<string, number>;
}

export interface PlannedRun {
  readonly waves: readonly (readonly WorkloadDecision[])[];
  readonly skipped: readonly WorkloadDecision[];
  /** How many of the skipped workloads have a temporary reason. */
  readonly passing: number;
  /** Selected workloads that stay, and workloads that are not selected, with the reason. */
  readonly still: readonly Unmoved[];
  readonly unselected: readonly Unmoved[];
}

export interface Unmoved {
  readonly binding: PlacedBinding;
  readonly reason: string;
}

export function planRun({ candidates, context, priorities, ...run }: RunInput): PlannedRun {
  const evaluated = candidates.map((candidate) => ({
    candidate,
    evaluation: evaluateWorkload(candidate, run, context),
  }));
  const { strategy } = run.policy.spec;
  const concerned = evaluated
    .flatMap(({ candidate, evaluation }) => (evaluation.result === 'concerned' ? [{ candidate, evaluation }] : []))
    .sort((a, b) => compareBy(strategy.order ?? [], priorities)(a.candidate, b.candidate));
  const { waves, tooLarge } = cutWaves(
    concerned.map(({ candidate, evaluation }) => concernedDecision(candidate.binding, evaluation)),
    strategy,
  );
  const skipped = evaluated.flatMap(({ candidate, evaluation }) =>
    evaluation.result === 'skipped' ? [skippedDecision(candidate.binding, evaluation)] : [],
  );
  const unmoved = (result: 'still' | 'unselected') =>
    evaluated.flatMap(({ candidate: { binding }, evaluation }) =>
      evaluation.result === result ? [{ binding, reason: evaluation.reason }] : [],
    );
  const passing = evaluated.filter(({ evaluation }) => evaluation.result === 'skipped' && evaluation.passing).length;
  return {
    waves,
    skipped: [...skipped, ...tooLarge],
    passing,
    still: unmoved('still'),
    unselected: unmoved('unselected'),
  };
}

type Concerned = Extract<WorkloadEvaluation, { result: 'concerned' }>;
type Skipped = Extract<WorkloadEvaluation, { result: 'skipped' }>;

export function concernedDecision(binding: PlacedBinding, { why, plan, next }: Concerned): WorkloadDecision {
  return { ...about(binding), why, current: record(plan.current), next: record(next), moves: plan.moves };
}

/** The record of a workload that the run does not move. */
export function leftAlone(
  evaluation: Exclude<WorkloadEvaluation, { result: 'concerned' }>,
): Pick<WorkloadDecision, 'outcome' | 'reason'> {
  const cannotForecast = evaluation.result === 'skipped' && evaluation.cannotForecast;
  return { outcome: cannotForecast ? 'CannotForecast' : 'Skipped', reason: evaluation.reason };
}

function skippedDecision(binding: PlacedBinding, evaluation: Skipped): WorkloadDecision {
  const current = Object.fromEntries(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  return {
    ...about(binding),
    why: '',
    current,
    next: current,
    moves: evaluation.plan?.moves ?? 0,
    ...leftAlone(evaluation),
  };
}

function about(binding: PlacedBinding): Pick<WorkloadDecision, 'workload' | 'binding'> {
  const { namespace, name } = binding.metadata;
  return { workload: workloadOf(binding), binding: { namespace, name } };
}

function record(distribution: Distribution): Readonly<Record<string, number>> {
  return Object.fromEntries(distribution);
}

/** Limits of concurrent moves: workloads and replicas. */
export function limitsOf({ waves, maxInFlight }: WaveStrategy, workloads: number) {
  const { size, percent } = waves;
  const asked = percent === undefined ? (size ?? USUAL_WAVE) : Math.ceil((workloads * percent) / 100);
  return {
    workloads: Math.max(1, Math.min(asked, maxInFlight.workloads ?? LARGEST_WAVE, LARGEST_WAVE)),
    replicas: maxInFlight.replicas ?? Number.POSITIVE_INFINITY,
  };
}

/** Fills the waves in order. A workload that alone exceeds the limit is skipped. */
function cutWaves(decisions: readonly WorkloadDecision[], strategy: WaveStrategy) {
  const limits = limitsOf(strategy, decisions.length);
  const tooLarge = decisions
    .filter(({ moves }) => moves > limits.replicas)
    .map((decision): WorkloadDecision => {
      const reason = `${decision.moves} replicas of it would move, and strategy.maxInFlight.replicas is ${limits.replicas}`;
      return { ...decision, outcome: 'Skipped', reason };
    });
  const waves: WorkloadDecision[][] = [];
  let replicas = 0;
  for (const decision of decisions) {
    if (decision.moves > limits.replicas) continue;
    const last = waves.at(-1);
    if (last === undefined || last.length >= limits.workloads || replicas + decision.moves > limits.replicas) {
      waves.push([decision]);
      replicas = decision.moves;
    } else {
      last.push(decision);
      replicas += decision.moves;
    }
  }
  return { waves, tooLarge };
}

type WaveOrder = NonNullable<WaveStrategy['order']>;

function compareBy(order: WaveOrder, priorities: ReadonlyMap<string, number>) {
  return (a: Candidate, b: Candidate): number => {
    for (const { by, label, descending } of order) {
      const value = (candidate: Candidate) => valueOf(candidate, { by, label, priorities });
      const compared = compareValues(value(a), value(b));
      if (compared !== 0) return descending ? -compared : compared;
    }
    return compareKeys(a.binding.metadata, b.binding.metadata);
  };
}

function valueOf(
  { binding, metadata }: Candidate,
  {
    by,
    label = '',
    priorities,
  }: { by: WaveOrder[number]['by']; label: string | undefined; priorities: ReadonlyMap<string, number> },
): number | string {
  const { replicas, schedulePriority, replicaRequirements } = binding.spec;
  switch (by) {
    case 'Replicas':
      return replicas;
    case 'Priority':
      return schedulePriority?.priority ?? priorities.get(replicaRequirements?.priorityClassName ?? '') ?? 0;
    case 'Label': {
      const value = ownValue(metadata?.labels, label) ?? '';
      return /^-?\d+$/.test(value) ? Number(value) : value;
    }
  }
}

/** Numbers before strings. */
function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
