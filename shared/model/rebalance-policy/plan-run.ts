/** Plans a run: which workloads a policy would move now, in which order and waves, and which it leaves alone; for runs and previews. */
import { compareKeys, type Distribution } from '../assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../placed-binding.ts';
import { type Around, type Judgement, judgeWorkload } from './judge-workload.ts';
import type { Trigger, WorkloadDecision } from './policy-run.ts';
import type { RebalancePolicy, Strategy } from './rebalance-policy.ts';
import { type Candidate, workloadOf } from './select-workloads.ts';

/** Unless the policy says another. */
const USUAL_WAVE = 50;
/** A wave is one row and one WorkloadRebalancer. */
const LARGEST_WAVE = 500;

export interface RunQuestion {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  readonly candidates: readonly Candidate[];
  readonly around: Around;
  /** Values of PriorityClasses by name, where the policy orders by priority. */
  readonly priorities: ReadonlyMap<string, number>;
}

export interface PlannedRun {
  readonly waves: readonly (readonly WorkloadDecision[])[];
  readonly skipped: readonly WorkloadDecision[];
  /** How many of the skipped waiting may help. */
  readonly passing: number;
  /** Those that are selected and stay, and those that are not selected, with the reason. */
  readonly still: readonly Unmoved[];
  readonly unselected: readonly Unmoved[];
}

export interface Unmoved {
  readonly binding: PlacedBinding;
  readonly reason: string;
}

export function planRun({ candidates, around, priorities, ...run }: RunQuestion): PlannedRun {
  const judged = candidates.map((candidate) => ({ candidate, judgement: judgeWorkload(candidate, run, around) }));
  const { strategy } = run.policy.spec;
  const concerned = judged
    .flatMap(({ candidate, judgement }) => (judgement.verdict === 'concerned' ? [{ candidate, judgement }] : []))
    .sort((a, b) => compareBy(strategy.order ?? [], priorities)(a.candidate, b.candidate));
  const { waves, tooLarge } = cutWaves(
    concerned.map(({ candidate, judgement }) => concernedDecision(candidate.binding, judgement)),
    strategy,
  );
  const skipped = judged.flatMap(({ candidate, judgement }) =>
    judgement.verdict === 'skipped' ? [skippedDecision(candidate.binding, judgement)] : [],
  );
  const unmoved = (verdict: 'still' | 'unselected') =>
    judged.flatMap(({ candidate: { binding }, judgement }) =>
      judgement.verdict === verdict ? [{ binding, reason: judgement.reason }] : [],
    );
  const passing = judged.filter(({ judgement }) => judgement.verdict === 'skipped' && judgement.passing).length;
  return {
    waves,
    skipped: [...skipped, ...tooLarge],
    passing,
    still: unmoved('still'),
    unselected: unmoved('unselected'),
  };
}

type Concerned = Extract<Judgement, { verdict: 'concerned' }>;
type Skipped = Extract<Judgement, { verdict: 'skipped' }>;

export function concernedDecision(binding: PlacedBinding, { why, plan, next }: Concerned): WorkloadDecision {
  return { ...about(binding), why, current: record(plan.current), next: record(next), moves: plan.moves };
}

function skippedDecision(binding: PlacedBinding, { reason, plan }: Skipped): WorkloadDecision {
  const current = Object.fromEntries(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  return { ...about(binding), why: '', current, next: current, moves: plan?.moves ?? 0, outcome: 'Skipped', reason };
}

function about(binding: PlacedBinding): Pick<WorkloadDecision, 'workload' | 'binding'> {
  const { namespace, name } = binding.metadata;
  return { workload: workloadOf(binding), binding: { namespace, name } };
}

function record(distribution: Distribution): Readonly<Record<string, number>> {
  return Object.fromEntries(distribution);
}

/** What may move at once: workloads and replicas. */
export function limitsOf({ waves, maxInFlight }: Strategy, workloads: number) {
  const { size, percent } = waves;
  const asked = percent === undefined ? (size ?? USUAL_WAVE) : Math.ceil((workloads * percent) / 100);
  return {
    workloads: Math.max(1, Math.min(asked, maxInFlight.workloads ?? LARGEST_WAVE, LARGEST_WAVE)),
    replicas: maxInFlight.replicas ?? Number.POSITIVE_INFINITY,
  };
}

/** One after another into the wave that has room for it, in order; one that alone is more than may move at once is left alone. */
function cutWaves(decisions: readonly WorkloadDecision[], strategy: Strategy) {
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

type Order = NonNullable<Strategy['order']>;

function compareBy(order: Order, priorities: ReadonlyMap<string, number>) {
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
  }: { by: Order[number]['by']; label: string | undefined; priorities: ReadonlyMap<string, number> },
): number | string {
  const { replicas, schedulePriority, replicaRequirements } = binding.spec;
  switch (by) {
    case 'Replicas':
      return replicas;
    case 'Priority':
      return schedulePriority?.priority ?? priorities.get(replicaRequirements?.priorityClassName ?? '') ?? 0;
    case 'Label': {
      const value = metadata?.labels[label] ?? '';
      return /^-?\d+$/.test(value) ? Number(value) : value;
    }
  }
}

/** Numbers before words. */
function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
