/** Decides whether a finished rebalancer has outlived its TTL, from the live object alone. */

import type { Outcome } from '../../shared/core/invocation.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import type { Preconditions, Written } from '../../shared/kubernetes/hub.ts';
import { shownFinish, type WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

const GONE = 'the object is gone already';

export type ExpiryDecision =
  | { readonly action: 'Keep'; readonly reason: string }
  | { readonly action: 'Wait'; readonly until: Instant; readonly reason: string }
  | { readonly action: 'Delete'; readonly preconditions: Preconditions; readonly reason: string };

/**
 * Finished means, by the seed: every workload has its result, and the status is of the object's own generation.
 * So an edit that is not yet observed defers the deletion; the finish of that generation raises the question again.
 */
export function decideExpiry(object: WorkloadRebalancer | undefined, uid: string, now: Instant): ExpiryDecision {
  if (object === undefined) return { action: 'Keep', reason: GONE };
  if (object.uid !== uid) return { action: 'Keep', reason: 'another object has its name now' };
  if (object.deletionTimestamp !== undefined) return { action: 'Keep', reason: 'it is being deleted already' };
  if (object.ttlSecondsAfterFinished === undefined) return { action: 'Keep', reason: 'it has no ttl' };
  const finishTime = shownFinish(object, object.generation);
  if (finishTime === undefined) {
    const isObserved = object.status.observedGeneration === object.generation;
    return { action: 'Keep', reason: isObserved ? 'it is not finished' : 'an edit is not observed yet' };
  }
  const { resourceVersion, ttlSecondsAfterFinished: ttl } = object;
  const until = finishTime + object.ttlSecondsAfterFinished * SECOND;
  if (until > now) return { action: 'Wait', until, reason: `its ttl of ${ttl} s has not passed` };
  return { action: 'Delete', preconditions: { uid, resourceVersion }, reason: `its ttl of ${ttl} s has passed` };
}

/** Undefined: a conflict. The object was edited between read and delete: read it again. */
export function afterDelete(result: Written<undefined>['result'], reason: string): Outcome | undefined {
  if (result === 'done') return { reason: `deleted: ${reason}` };
  return result === 'missing' ? { reason: GONE } : undefined;
}
