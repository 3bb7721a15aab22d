/** Decides the progress of a wave in flight: triggered, rescheduled, ready and without held replicas, or late. */
import { whyUnfinished } from '../../shared/graceful-reduction/move-progress.ts';
import { movedBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { referenceKey, referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { compileHealth, type ReportedHealth } from '../../shared/rebalance-policy/health-expression.ts';
import type { WaveInFlight, WorkloadDecision } from '../../shared/rebalance-policy/policy-run.ts';
import type { WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

export interface WaveObservation {
  /** By keyText. */
  readonly bindings: ReadonlyMap<string, PlacedBinding>;
  /** The object of that name; absent if it was deleted. */
  readonly rebalancer: WorkloadRebalancer | undefined;
  /** By keyText: why a workload is not healthy by the policy's expression. */
  readonly unhealthy: ReadonlyMap<string, string>;
}

export interface WaveProgress {
  /** Workloads with an earlier outcome keep it. */
  readonly workloads: readonly WorkloadDecision[];
  /** Workloads that are not ready yet: "Deployment shop/web: 3 of 6 ready on member1". */
  readonly waitingFor: readonly string[];
  /** Replicas that have moved. */
  readonly moved: number;
}

/** Unready workloads are `NotReady` in the result, which is final if the time is over. */
export function observeWave(
  workloads: readonly WorkloadDecision[],
  inFlight: WaveInFlight,
  { rebalancer: found, ...read }: WaveObservation,
): WaveProgress {
  const rebalancer = found?.uid === inFlight.rebalancerUid ? found : undefined;
  const observation = { ...read, rebalancer };
  const progress = workloads.map((decision) =>
    decision.outcome === 'Moving' ? observeWorkload(decision, inFlight, observation) : decision,
  );
  const waiting = progress.filter(({ outcome }) => outcome === 'NotReady');
  return {
    workloads: progress,
    waitingFor: waiting.map(({ workload, reason }) => `${referenceLabel(workload)}: ${reason ?? ''}`),
    moved: progress.reduce((sum, { outcome, moves }) => sum + (outcome === 'Moved' ? moves : 0), 0),
  };
}

/** Of the workloads that were moved by price. */
export function scoresOf({ workloads }: Pick<WaveProgress, 'workloads'>): readonly number[] {
  return workloads.flatMap(({ outcome, score }) => (outcome === 'Moved' && score !== undefined ? [score] : []));
}

/** Those that are not healthy by the expression, by key, with the reason. */
export function unhealthyAmong(
  expression: string,
  reported: ReadonlyMap<string, ReportedHealth>,
): ReadonlyMap<string, string> {
  const whyUnhealthy = compileHealth(expression);
  return new Map(
    [...reported].flatMap(([key, health]) => {
      const why = whyUnhealthy(health);
      return why === undefined ? [] : [[key, why] as const];
    }),
  );
}

function observeWorkload(
  decision: WorkloadDecision,
  inFlight: WaveInFlight,
  { bindings, rebalancer, unhealthy }: WaveObservation,
): WorkloadDecision {
  const binding = bindings.get(keyText(decision.binding));
  if (binding === undefined) return { ...decision, outcome: 'Gone', reason: 'it has no binding any more' };
  const untriggered = whyUntriggered(decision, { binding, inFlight, rebalancer });
  if (untriggered !== undefined) return { ...decision, ...untriggered };
  const why = whyUnfinished(binding) ?? unhealthy.get(keyText(decision.binding));
  if (why !== undefined) return { ...decision, outcome: 'NotReady', reason: why };
  const now = Object.fromEntries(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const moves = movedBetween(Object.entries(decision.current), new Map(Object.entries(now)));
  const isAsPlanned = JSON.stringify(sorted(now)) === JSON.stringify(sorted(decision.next));
  const reason = isAsPlanned ? 'rescheduled and ready' : 'rescheduled and ready, otherwise than planned';
  return { ...decision, next: now, moves, outcome: moves > 0 ? 'Moved' : 'Unmoved', reason };
}

/** By the rebalancer's own result; if it was deleted, by its signature on the binding. */
function whyUntriggered(
  { workload }: WorkloadDecision,
  {
    binding,
    inFlight,
    rebalancer,
  }: { binding: PlacedBinding; inFlight: WaveInFlight; rebalancer: WorkloadRebalancer | undefined },
): Pick<WorkloadDecision, 'outcome' | 'reason'> | undefined {
  const signature = `${inFlight.rebalancer}/${inFlight.rebalancerUid ?? ''}`;
  if (binding.metadata.annotations[TRIGGERED_BY] === signature) return undefined;
  if (rebalancer === undefined)
    return {
      outcome: 'Skipped',
      reason: `WorkloadRebalancer ${inFlight.rebalancer} was deleted before it triggered the workload`,
    };
  const key = referenceKey(workload);
  const observed = rebalancer.status.observedWorkloads.find((each) => referenceKey(each.workload) === key);
  if (observed?.result === 'Successful') return undefined;
  if (observed?.result === 'Failed') {
    const { reason = 'Failed' } = observed;
    return { outcome: reason === 'ReferencedBindingNotFound' ? 'Gone' : 'Skipped', reason };
  }
  return { outcome: 'NotReady', reason: 'its trigger is not written yet' };
}

function sorted(record: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(record)
    .filter(([, replicas]) => replicas > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
