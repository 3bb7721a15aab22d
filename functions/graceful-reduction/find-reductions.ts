/** Decides whether a binding's reductions are to be looked at: for resync, and where policies were changed. */

import { queuePatch } from '../../shared/model/graceful-reduction/holds.ts';
import { carriedWords, type ReductionPolicy } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import { decideReductions, type ReductionQuestion } from '../../shared/model/graceful-reduction/release-reduction.ts';
import { unheldReductions } from '../../shared/model/graceful-reduction/unheld-reductions.ts';

/** Why somebody should look at it; undefined where it is as it should be. */
export function whyToLook(question: ReductionQuestion, policy: ReductionPolicy | undefined): string | undefined {
  const { binding } = question;
  if (carriedWords(binding, policy) !== undefined) return 'it does not say what its policy says';
  const { next, released } = decideReductions(question);
  if (released.length > 0) return 'a reduction is to be released';
  if (queuePatch(binding, next) !== undefined) return 'what holds a reduction is not as it should be';
  return unheldReductions(question).size > 0 ? 'a reduction can still be held' : undefined;
}
