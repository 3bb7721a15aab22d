/** Decides whether a rebalancer is where it should be, given its task; if not, somebody should look at it. */
import type { RebalanceTask } from '../../shared/model/rebalance-task.ts';
import { type Instant, SECOND, wholeSecond } from '../../shared/model/time.ts';
import type { WorkloadRebalancer } from '../../shared/model/workload-rebalancer.ts';

interface Sight {
  readonly object: WorkloadRebalancer;
  readonly task: RebalanceTask | undefined;
  readonly now: Instant;
  readonly stalledSeconds: number;
}

/** First match names the drift. Cheap and certain ones first; those that a delivery under way may be mending wait until it stands still. */
const rules: readonly { readonly drift: string; readonly holds: (sight: Sight) => boolean }[] = [
  { drift: 'it has no task', holds: ({ task }) => task === undefined || task.state === 'Abandoned' },
  { drift: 'its generation is not planned', holds: ({ object, task }) => task?.generation !== object.generation },
  { drift: 'its ttl has passed', holds: hasExpired },
  { drift: 'its chunks stand still', holds: (sight) => sight.task?.state === 'Running' && standsStill(sight) },
  { drift: 'its finish is not reported', holds: (sight) => isUnreported(sight) && standsStill(sight) },
  { drift: 'its rescheduling is not confirmed', holds: (sight) => isUnconfirmed(sight) && standsStill(sight) },
];

/** What is not as it should be, or undefined where all is well or under way. */
export function findDrift(sight: Sight): string | undefined {
  if (sight.object.deletionTimestamp !== undefined) return undefined;
  return rules.find(({ holds }) => holds(sight))?.drift;
}

function standsStill({ task, now, stalledSeconds }: Sight): boolean {
  return task !== undefined && now - task.updatedAt >= stalledSeconds * SECOND;
}

function hasExpired({ object, now }: Sight): boolean {
  const { ttlSecondsAfterFinished: ttl, status } = object;
  return ttl !== undefined && status.finishTime !== undefined && status.finishTime + ttl * SECOND < now;
}

function isUnreported({ object, task }: Sight): boolean {
  const { finishTime, observedGeneration } = object.status;
  if (task?.finishTime === undefined) return false;
  return finishTime !== wholeSecond(task.finishTime) || observedGeneration !== task.generation;
}

function isUnconfirmed({ task }: Sight): boolean {
  return task?.state === 'Finished' && task.rescheduling?.state !== 'Confirmed';
}
