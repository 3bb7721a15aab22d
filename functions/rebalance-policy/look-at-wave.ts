/** Decides how far a wave in flight has come: triggered, rescheduled and ready, or not in time. */
import { movedBetween } from '../../shared/model/assignment/rebalance-plan.ts';
import { isTriggered } from '../../shared/model/assignment/schedule-binding.ts';
import { TRIGGERED_BY } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { referenceKey, referenceLabel } from '../../shared/model/object-reference.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { readyIn, reportsOf, whyNotAssigned } from '../../shared/model/readiness.ts';
import type { WaveInFlight, WorkloadDecision } from '../../shared/model/rebalance-policy/policy-run.ts';
import type { WorkloadRebalancer } from '../../shared/model/workload-rebalancer.ts';

export interface Sight {
  /** By keyText. */
  readonly bindings: ReadonlyMap<string, PlacedBinding>;
  /** Absent where somebody deleted it. */
  readonly rebalancer: WorkloadRebalancer | undefined;
}

export interface Looked {
  /** Those that had their outcome before keep it. */
  readonly workloads: readonly WorkloadDecision[];
  /** What is not ready yet: "Deployment shop/web: 3 of 6 ready on member1". */
  readonly waitingFor: readonly string[];
  /** Replicas that have moved. */
  readonly moved: number;
}

/** Those that it still waits for are `NotReady` in the answer: what they are if the time is over. */
export function lookAtWave(workloads: readonly WorkloadDecision[], inFlight: WaveInFlight, sight: Sight): Looked {
  const looked = workloads.map((decision) =>
    decision.outcome === 'Moving' ? look(decision, inFlight, sight) : decision,
  );
  const waiting = looked.filter(({ outcome }) => outcome === 'NotReady');
  return {
    workloads: looked,
    waitingFor: waiting.map(({ workload, reason }) => `${referenceLabel(workload)}: ${reason ?? ''}`),
    moved: looked.reduce((sum, { outcome, moves }) => sum + (outcome === 'Moved' ? moves : 0), 0),
  };
}

function look(decision: WorkloadDecision, inFlight: WaveInFlight, { bindings, rebalancer }: Sight): WorkloadDecision {
  const binding = bindings.get(keyText(decision.binding));
  if (binding === undefined) return { ...decision, outcome: 'Gone', reason: 'it has no binding any more' };
  const untriggered = whyUntriggered(decision, { binding, inFlight, rebalancer });
  if (untriggered !== undefined) return { ...decision, ...untriggered };
  const why = isTriggered(binding) ? 'the scheduler has not acted on its trigger' : whyNotReady(binding);
  if (why !== undefined) return { ...decision, outcome: 'NotReady', reason: why };
  const now = Object.fromEntries(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const moves = movedBetween(Object.entries(decision.current), new Map(Object.entries(now)));
  const isAsPlanned = JSON.stringify(sorted(now)) === JSON.stringify(sorted(decision.next));
  const reason = isAsPlanned ? 'rescheduled and ready' : 'rescheduled and ready, otherwise than planned';
  return { ...decision, next: now, moves, outcome: moves > 0 ? 'Moved' : 'Unmoved', reason };
}

type Verdict = Pick<WorkloadDecision, 'outcome' | 'reason'>;

/** By the rebalancer's own result; where it is gone, by its signature on the binding. */
function whyUntriggered(
  { workload }: WorkloadDecision,
  {
    binding,
    inFlight,
    rebalancer,
  }: { binding: PlacedBinding; inFlight: WaveInFlight; rebalancer: WorkloadRebalancer | undefined },
): Verdict | undefined {
  const signature = `${inFlight.rebalancer}/${inFlight.rebalancerUid ?? ''}`;
  if (binding.metadata.annotations[TRIGGERED_BY] === signature) return undefined;
  if (rebalancer === undefined)
    return { outcome: 'Skipped', reason: `WorkloadRebalancer ${inFlight.rebalancer} was deleted before it got to it` };
  const key = referenceKey(workload);
  const observed = rebalancer.status.observedWorkloads.find((each) => referenceKey(each.workload) === key);
  if (observed?.result === 'Successful') return undefined;
  if (observed?.result === 'Failed') return { outcome: 'Gone', reason: observed.reason ?? 'Failed' };
  return { outcome: 'NotReady', reason: 'its trigger is not written yet' };
}

/** Undefined where every replica is assigned, and ready where it is assigned. */
function whyNotReady(binding: PlacedBinding): string | undefined {
  const { spec } = binding;
  const unassigned = whyNotAssigned(binding);
  if (unassigned !== undefined) return unassigned;
  const reports = reportsOf(binding);
  for (const { name, replicas } of spec.clusters) {
    const ready = readyIn(reports.get(name), replicas);
    if (ready < replicas) return `${ready} of ${replicas} ready on ${name}`;
  }
  return undefined;
}

function sorted(record: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(record)
    .filter(([, replicas]) => replicas > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
