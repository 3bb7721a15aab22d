/** Decides, when a wave is about to start, who of it still moves: by the bindings as they are now, and by who else is at work. */
import { bindingKey } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { type Around, judgeWorkload } from '../../shared/model/rebalance-policy/judge-workload.ts';
import { concernedDecision } from '../../shared/model/rebalance-policy/plan-run.ts';
import type { Trigger, WorkloadDecision } from '../../shared/model/rebalance-policy/policy-run.ts';
import type { RebalancePolicy } from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../shared/model/rebalance-policy/select-workloads.ts';
import type { WorkloadRebalancer } from '../../shared/model/workload-rebalancer.ts';

/** How often a workload is tried again that another is at work on. */
const TRIES = 40;

export interface Live {
  readonly policy: RebalancePolicy;
  readonly triggers: readonly Trigger[];
  /** By keyText of the binding. */
  readonly candidates: ReadonlyMap<string, Candidate>;
  readonly around: Around;
  /** Which WorkloadRebalancer of a person is at work on a workload, by keyText of its binding. */
  readonly persons: ReadonlyMap<string, string>;
  /** Replicas that may move at once. */
  readonly replicas: number;
}

/** Each workload of the wave with its outcome: `Moving`, `PutOff`, `Skipped` or `Gone`. */
export function fillWave(workloads: readonly WorkloadDecision[], live: Live): readonly WorkloadDecision[] {
  let left = live.replicas;
  return workloads.map((decision) => {
    // Settled when the wave was tried before.
    if (decision.outcome === 'Skipped' || decision.outcome === 'Gone') return decision;
    const judged = judge(decision, live);
    if (judged.outcome !== 'Moving') return judged;
    if (judged.moves > live.replicas) {
      const reason = `${judged.moves} replicas of it would move by now, more than may at once`;
      return { ...judged, outcome: 'Skipped', reason };
    }
    if (judged.moves > left) return putOff(judged, 'more replicas would move by now than may at once');
    left -= judged.moves;
    return judged;
  });
}

function judge(decision: WorkloadDecision, { candidates, around, persons, ...run }: Live): WorkloadDecision {
  const key = keyText(decision.binding);
  const candidate = candidates.get(key);
  if (candidate === undefined) return { ...decision, outcome: 'Gone', reason: 'it has no binding any more' };
  const person = persons.get(key);
  if (person !== undefined) return putOff(decision, `WorkloadRebalancer ${person} of a person goes first`);
  const judgement = judgeWorkload(candidate, run, around);
  if (judgement.verdict !== 'concerned') return { ...decision, outcome: 'Skipped', reason: judgement.reason };
  const { putOff: tries } = decision;
  const fresh = concernedDecision(candidate.binding, judgement);
  return { ...fresh, ...(tries !== undefined && { putOff: tries }), outcome: 'Moving' };
}

/** Tried again in a later wave, so often and no more. */
export function putOff({ putOff: before = 0, ...decision }: WorkloadDecision, why: string): WorkloadDecision {
  const tries = before + 1;
  if (tries > TRIES)
    return { ...decision, putOff: before, outcome: 'Skipped', reason: `${why}, however often it was tried` };
  return { ...decision, putOff: tries, outcome: 'PutOff', reason: why };
}

/** Whose WorkloadRebalancers are not finished, by keyText of the binding; those of policies are none of a person's. */
export function personsAtWork(rebalancers: readonly WorkloadRebalancer[]): ReadonlyMap<string, string> {
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
