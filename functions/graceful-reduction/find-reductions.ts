/** Decides whether a binding's reductions are to be looked at: for resync, and where policies were changed. */
import type { ReductionPolicy } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import type { ReductionQuestion } from '../../shared/model/graceful-reduction/release-reduction.ts';
import { decideWrite, isOfNoConcern, withWords } from './release-reduction.ts';

/** Whether who looks at it would write. */
export function isDue(question: ReductionQuestion, policy: ReductionPolicy | undefined): boolean {
  const judged = withWords(question.binding, policy);
  if (isOfNoConcern(judged)) return false;
  return decideWrite({ ...question, binding: judged.binding }, judged).patch !== undefined;
}
