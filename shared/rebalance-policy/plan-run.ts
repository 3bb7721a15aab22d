/** Plans a run: the workloads that a policy would move now, their order and waves, and the skipped ones; for runs and previews. */

import { ownValue } from '../core/own-value.ts';
import { heldUntilReplaced } from '../graceful-reduction/replica-reduction.ts';
import type { ClusterReplicas } from '../karmada/assignment/assign-replicas.ts';
import { type AssumeCache, createAssumeCache } from '../karmada/assignment/assume-cache.ts';
import { compareKeys, type Distribution } from '../karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { assignedCharacters, MOST_ASSIGNED_CHARACTERS } from '../workload-rebalancer/given-assignment.ts';
import { evaluateWorkload, type WorkloadEvaluation } from './evaluate-workload.ts';
import { type EvaluationContext, evaluationContextOf, type ObservedHub } from './evaluation-context.ts';
import type { Trigger, WorkloadDecision } from './policy-run.ts';
import { isShifted, type RebalancePolicy, type WaveStrategy } from './rebalance-policy.ts';
import { type Candidate, workloadOf } from './select-workloads.ts';
import { type ShiftPlanner, shiftPlanner } from './shift-planner.ts';

/** Default of the policy. */
const USUAL_WAVE = 50;
/** A wave is one row and one WorkloadRebalancer. */
const LARGEST_WAVE = 500;

export interface RunInput {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  readonly context: EvaluationContext;
  /** Values of PriorityClasses by name, where the policy orders by priority. */
  readonly priorities: ReadonlyMap<string, number>;
  /** Of a policy by pressure or price: plans all workloads together, when all are known. */
  readonly shifts?: ShiftPlanner;
  /** Gets the replicas of the workloads that would move, so that the next ones have less capacity; absent: each is planned alone. */
  readonly assumed?: AssumeCache;
}

export interface PlannedRun {
  readonly waves: readonly (readonly WorkloadDecision[])[];
  readonly skipped: readonly WorkloadDecision[];
  /** How many of the skipped workloads have a temporary reason. */
  readonly passing: number;
  /** The skipped ones that an earlier move has not left yet, the first LARGEST_WAVE. */
  readonly unfinished: readonly ObjectKey[];
  /** Selected workloads that stay, and workloads that are not selected, with the reason. */
  readonly still: readonly Unmoved[];
  readonly unselected: readonly Unmoved[];
}

export interface Unmoved extends Pick<WorkloadDecision, 'workload' | 'binding'> {
  readonly reason: string;
}

/** The plan of a run from pages of candidates, of which only the decisions are kept. */
export interface RunPlanner {
  /** The last evaluation of a binding counts; of a drain's, the first that moves it. */
  add(candidates: readonly Candidate[]): void;
  planned(): PlannedRun;
}

type EvaluatedWorkload =
  | ({ readonly result: 'concerned' } & Ordered)
  | {
      readonly result: 'skipped';
      readonly decision: WorkloadDecision;
      readonly passing: boolean;
      readonly isUnfinished: boolean;
    }
  | { readonly result: 'still' | 'unselected'; readonly decision: Unmoved };

/**
 * The planners of several runs on a hub. The workloads of a policy are planned alone, and share capacity when their wave starts: what they free is there
 * for the next wave. Nothing that leaves a drained cluster frees capacity on another, so that those of a drain share it now.
 */
export function runPlanners(
  hub: ObservedHub,
  priorities: RunInput['priorities'],
): (run: Pick<RunInput, 'policy' | 'triggers'>) => RunPlanner {
  const context = evaluationContextOf(hub);
  return (run) => {
    const shifts = shiftPlanner(run.policy, hub);
    if (shifts !== undefined) return createRunPlanner({ ...run, context, priorities, shifts });
    if (run.policy.drains === undefined) return createRunPlanner({ ...run, context, priorities });
    const assumed = createAssumeCache();
    return createRunPlanner({ ...run, context: evaluationContextOf(hub, assumed), priorities, assumed });
  };
}

export function createRunPlanner({ context, priorities, assumed, shifts, ...run }: RunInput): RunPlanner {
  const { strategy } = run.policy.spec;
  const order = strategy.order ?? [];
  const evaluated = new Map<string, EvaluatedWorkload>();
  return {
    add(candidates) {
      for (const candidate of candidates) {
        const key = keyText(candidate.binding.metadata);
        // It has its capacity already.
        if (assumed !== undefined && evaluated.get(key)?.result === 'concerned') continue;
        const evaluation =
          shifts === undefined ? evaluateWorkload(candidate, run, context) : shifts.add(candidate, context);
        evaluated.set(key, decided(candidate, evaluation, { order, priorities }));
        if (evaluation.result === 'concerned') assumed?.addAssigned(candidate.binding, replicasOf(evaluation.next));
      }
    },
    planned() {
      for (const [rank, { candidate, evaluation }] of (shifts?.planned() ?? []).entries()) {
        const planned = decided(candidate, evaluation, { order, priorities });
        const ranked = planned.result === 'concerned' ? { ...planned, rank } : planned;
        evaluated.set(keyText(candidate.binding.metadata), ranked);
      }
      return plannedOf([...evaluated.values()], run.policy);
    },
  };
}

function decided(
  candidate: Candidate,
  evaluation: WorkloadEvaluation,
  { order, priorities }: { readonly order: WaveOrder } & Pick<RunInput, 'priorities'>,
): EvaluatedWorkload {
  const { binding } = candidate;
  const { result } = evaluation;
  if (result === 'concerned') {
    const decision = concernedDecision(binding, evaluation);
    return { result, decision, order: order.map((by) => valueOf({ ...candidate, decision }, by, priorities)) };
  }
  if (result === 'skipped') {
    const isUnfinished = heldUntilReplaced(binding).size > 0;
    const decision = skippedDecision(binding, evaluation);
    return { result, decision, passing: evaluation.passing === true, isUnfinished };
  }
  return { result, decision: { ...about(binding), reason: evaluation.reason } };
}

function plannedOf(evaluated: readonly EvaluatedWorkload[], { spec }: Pick<RebalancePolicy, 'spec'>): PlannedRun {
  const concerned = evaluated.filter((each) => each.result === 'concerned');
  const skipped = evaluated.filter((each) => each.result === 'skipped');
  const compare = compareBy(spec.strategy.order ?? []);
  const { waves, tooLarge } = cutWaves(concerned.sort(compare), spec);
  const unmoved = (result: 'still' | 'unselected') =>
    evaluated.flatMap((each) => (each.result === result ? [each.decision] : []));
  return {
    waves,
    skipped: [...skipped.map(({ decision }) => decision), ...tooLarge],
    passing: skipped.filter(({ passing }) => passing).length,
    unfinished: skipped.flatMap((each) => (each.isUnfinished ? [each.decision.binding] : [])).slice(0, LARGEST_WAVE),
    still: unmoved('still'),
    unselected: unmoved('unselected'),
  };
}

type Concerned = Extract<WorkloadEvaluation, { result: 'concerned' }>;
type Skipped = Extract<WorkloadEvaluation, { result: 'skipped' }>;

export function concernedDecision(binding: PlacedBinding, { why, plan, next, score }: Concerned): WorkloadDecision {
  const decision = { ...about(binding), why, current: record(plan.current), next: record(next), moves: plan.moves };
  return score === undefined ? decision : { ...decision, score };
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

function replicasOf(distribution: Distribution): readonly ClusterReplicas[] {
  return [...distribution].map(([name, replicas]) => ({ name, replicas }));
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

/** Fills the waves in order. A workload that alone exceeds the limit is skipped, and one of another place among the clusters begins a wave. */
function cutWaves(ordered: readonly Ordered[], spec: RebalancePolicy['spec']) {
  const { strategy } = spec;
  // The rebalancer of the wave has the assignments in an annotation.
  const charactersOf = ({ binding, next }: WorkloadDecision) =>
    isShifted({ spec }) ? assignedCharacters(binding, next) : 0;
  const limits = limitsOf(strategy, ordered.length);
  const byCluster = (strategy.order ?? []).flatMap(({ by }, i) => (by === 'Cluster' ? [i] : []));
  const isOfOnePlace = (a: Ordered, b: Ordered) => byCluster.every((i) => a.order[i] === b.order[i]);
  const tooLarge = ordered
    .filter(({ decision }) => decision.moves > limits.replicas)
    .map(({ decision }): WorkloadDecision => {
      const reason = `${decision.moves} replicas of it would move, and strategy.maxInFlight.replicas is ${limits.replicas}`;
      return { ...decision, outcome: 'Skipped', reason };
    });
  const waves: WorkloadDecision[][] = [];
  let [replicas, characters] = [0, 0];
  let before: Ordered | undefined;
  for (const each of ordered) {
    const { decision } = each;
    if (decision.moves > limits.replicas) continue;
    const last = waves.at(-1);
    const isFull =
      last !== undefined &&
      (last.length >= limits.workloads ||
        replicas + decision.moves > limits.replicas ||
        characters + charactersOf(decision) > MOST_ASSIGNED_CHARACTERS);
    if (last === undefined || before === undefined || isFull || !isOfOnePlace(before, each)) {
      waves.push([decision]);
      replicas = decision.moves;
      characters = charactersOf(decision);
    } else {
      last.push(decision);
      replicas += decision.moves;
      characters += charactersOf(decision);
    }
    before = each;
  }
  return { waves, tooLarge };
}

type WaveOrder = NonNullable<WaveStrategy['order']>;

type OrderValue = number | string;

interface Ordered {
  readonly order: readonly OrderValue[];
  /** Of a shift: its place in the plan, where `order` does not decide. */
  readonly rank?: number;
  readonly decision: WorkloadDecision;
}

function compareBy(order: WaveOrder) {
  return (a: Ordered, b: Ordered): number => {
    for (const [place, { descending }] of order.entries()) {
      const compared = compareValues(a.order[place] ?? 0, b.order[place] ?? 0);
      if (compared !== 0) return descending ? -compared : compared;
    }
    return (a.rank ?? 0) - (b.rank ?? 0) || compareKeys(a.decision.binding, b.decision.binding);
  };
}

function valueOf(
  { binding, metadata, decision }: Candidate & Pick<Ordered, 'decision'>,
  { by, label = '', clusters = [] }: WaveOrder[number],
  priorities: ReadonlyMap<string, number>,
): OrderValue {
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
    case 'Cluster': {
      const { current, next } = decision;
      const place = clusters.findIndex((name) => (ownValue(current, name) ?? 0) !== (ownValue(next, name) ?? 0));
      return place < 0 ? clusters.length : place;
    }
  }
}

/** Numbers before strings. */
function compareValues(a: OrderValue, b: OrderValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
