/** Reads the answers of estimators: how many replicas each cluster of a binding can give up. */
import type { Fault } from '../core/fault.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import type { ClusterReading } from './descheduling.ts';
import { assignedClusters } from './descheduling-candidate.ts';

/** Reason of a Fault: the workload's unschedulable replicas cannot be removed one by one, or not run elsewhere. The message has why. */
export const NOT_MOVABLE = 'ReplicasNotMovable';

export interface EstimatorAnswers {
  /** Unschedulable replicas by cluster; clusters that were not queried, or did not answer, are absent. */
  readonly answers: ReadonlyMap<string, number>;
  /** Why a cluster did not answer. */
  readonly faults: ReadonlyMap<string, Pick<Fault, 'reason' | 'message'>>;
}

/** Why the workload's unschedulable replicas are not moved, whatever their number; undefined if they may be. */
export function whyKept({ faults }: EstimatorAnswers): string | undefined {
  return [...faults.values()].find(({ reason }) => reason === NOT_MOVABLE)?.message;
}

/** `taken`: the unschedulable replicas of each cluster, without ready ones. 0 of a cluster whose answer can't be used. */
export function readAssigned(binding: PlacedBinding, answers: EstimatorAnswers): readonly ClusterReading[] {
  return assignedClusters(binding).map((cluster) => read(cluster, answers));
}

function read(cluster: Omit<ClusterReading, 'taken'>, { answers, faults }: EstimatorAnswers): ClusterReading {
  const { name, assigned, ready } = cluster;
  const answer = answers.get(name);
  if (answer === undefined) {
    const unusable = faults.get(name)?.reason;
    return { ...cluster, ...(unusable !== undefined && { unusable }), taken: 0 };
  }
  const wrong = wrongAnswer(answer, assigned);
  if (wrong !== undefined) return { ...cluster, unschedulable: answer, unusable: wrong, taken: 0 };
  return { ...cluster, unschedulable: answer, taken: Math.max(0, Math.min(answer, assigned - (ready ?? assigned))) };
}

function wrongAnswer(answer: number, assigned: number): string | undefined {
  if (!Number.isSafeInteger(answer) || answer < 0) return `${answer} is no number of replicas`;
  return answer > assigned ? `${answer} is more than the ${assigned} that are assigned` : undefined;
}
