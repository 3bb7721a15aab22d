/** Decides whether a rebalancer drifted from its task and needs a reconcile. */

import { type Instant, SECOND } from '../../shared/core/time.ts';
import { elasticClaims } from '../../shared/elastic-workload/elastic-workload.ts';
import type { HubFeature } from '../../shared/kubernetes/hub-features.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { isPlanOf, type RebalanceTask } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { shownFinish, type WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

/** Kinds of which one object shows that a hub uses the feature. No list selects bindings by theirs: schedule-binding and release-reduction report each. */
export const evidence: readonly { readonly feature: HubFeature; readonly kinds: readonly Resource<unknown>[] }[] = [
  { feature: 'policies', kinds: [rebalancePolicies] },
  { feature: 'elasticWorkloads', kinds: elasticClaims },
];

interface RebalancerState {
  readonly object: WorkloadRebalancer;
  readonly task: RebalanceTask | undefined;
  readonly now: Instant;
  readonly stalledSeconds: number;
}

/** The first match names the drift. Cheap and certain rules come first; drift that a delivery in progress may fix counts only after a stall. */
const rules: readonly { readonly drift: string; readonly holds: (observation: RebalancerState) => boolean }[] = [
  { drift: 'it has no task', holds: ({ task }) => task === undefined || task.state === 'Abandoned' },
  {
    drift: 'its generation is not planned',
    holds: ({ object, task }) => task !== undefined && !isPlanOf(task, object),
  },
  { drift: 'its ttl has passed', holds: hasExpired },
  {
    drift: 'its chunks stand still',
    holds: (observation) => observation.task?.state === 'Running' && standsStill(observation),
  },
  {
    drift: 'its finish is not reported',
    holds: (observation) => isUnreported(observation) && standsStill(observation),
  },
  {
    drift: 'its rescheduling is not confirmed',
    holds: (observation) => isUnconfirmed(observation) && standsStill(observation),
  },
];

/** The drift, or undefined if there is none or a delivery is in progress. */
export function findDrift(observation: RebalancerState): string | undefined {
  const { deletionTimestamp, unknownFields } = observation.object;
  // Nothing is done for one with unknown fields, and its Event is written when it changes.
  if (deletionTimestamp !== undefined || unknownFields !== undefined) return undefined;
  return rules.find(({ holds }) => holds(observation))?.drift;
}

function standsStill({ task, now, stalledSeconds }: RebalancerState): boolean {
  return task !== undefined && now - task.updatedAt >= stalledSeconds * SECOND;
}

function hasExpired({ object, now }: RebalancerState): boolean {
  const { ttlSecondsAfterFinished: ttl, status } = object;
  return ttl !== undefined && status.finishTime !== undefined && status.finishTime + ttl * SECOND < now;
}

function isUnreported({ object, task }: RebalancerState): boolean {
  return task?.finishTime !== undefined && shownFinish(object, task.generation) === undefined;
}

function isUnconfirmed({ task }: RebalancerState): boolean {
  return task?.state === 'Finished' && task.rescheduling?.state !== 'Confirmed';
}
