/** Decides whether a binding's reductions are due: for resync, and after policy changes. */
import type { ReductionPolicy } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import type { ReductionQuestion } from '../../shared/model/graceful-reduction/release-reduction.ts';
import { graceEnd, queueOf } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import { SECOND } from '../../shared/model/time.ts';
import { decideWrite, isUnaffected, withPolicyAnnotations } from './release-reduction.ts';

/** One-time schedules have a precision of one minute, and the release waits in a queue. */
const LATE_MS = 2 * 60 * SECOND;

/** Clusters whose hold exceeds the grace period: a release was missed. The grace period does not run while all dispatching is suspended. */
export function overdueHolds({
  binding,
  now,
  graceSeconds,
}: Pick<ReductionQuestion, 'binding' | 'now' | 'graceSeconds'>): readonly string[] {
  if (binding.spec.suspension?.dispatching === true) return [];
  return [...queueOf(binding)].flatMap(([cluster, task]) => {
    const end = graceEnd(task, graceSeconds);
    return end !== undefined && now >= end + LATE_MS ? [cluster] : [];
  });
}

/** Whether a reconcile of the binding would write. */
export function isDue(question: ReductionQuestion, policy: ReductionPolicy | undefined): boolean {
  const annotated = withPolicyAnnotations(question.binding, policy);
  if (isUnaffected(annotated)) return false;
  return decideWrite({ ...question, binding: annotated.binding }, annotated).patch !== undefined;
}
