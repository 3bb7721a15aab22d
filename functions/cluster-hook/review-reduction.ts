/**
 * Reviews writes of bindings that reduce replicas, held bindings, and annotations that request holds. For hubs
 * whose API server has no admission policies for that.
 */
import { applyPatch } from '../../shared/admission/apply-patch.ts';
import { compileMutation, compileRules, type PatchStep } from '../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../shared/graceful-reduction/hold-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../shared/graceful-reduction/reduction-rules.ts';
import { type AdmissionResult, admissionResultOf, perAccount, type ReviewRequest, writeOf } from './review-request.ts';

const policyFinding = compileRules(policyReductionRules);
const bindingFinding = compileRules(bindingReductionRules);
const holdSteps = perAccount((account) => compileMutation(holdRules(account)));

/** A user name that no client has: without a known account of ours, every write comes from another client. */
const NO_USER = '';

/** Clusters are compared pairwise: a second of computation, of the three that the API server waits. The admission policies have the same limit. */
const MOST_CLUSTERS = 2000;

export function reviewPolicyAnnotations(asked: ReviewRequest): AdmissionResult {
  return admissionResultOf([policyFinding(writeOf(asked))]);
}

/** Validates the patched object, as it would be stored. Only a mutating webhook reviews bindings: another kind can't return a patch. */
export function reviewBinding(asked: ReviewRequest, account: string | undefined): AdmissionResult {
  if ([asked.object, asked.oldObject].some(hasTooMany)) return { allowed: true, reason: 'TooManyClusters' };
  const steps = asked.operation === 'UPDATE' ? holdSteps(account ?? NO_USER)(writeOf(asked)) : [];
  const object = patched(asked.object, steps);
  if (steps === undefined || object === undefined) return { allowed: true, reason: 'Unevaluated spec.clusters' };
  const result = admissionResultOf([bindingFinding(writeOf({ ...asked, object }))]);
  return result.allowed && steps.length > 0 ? { ...result, reason: 'Held', patch: steps } : result;
}

/** Undefined if a step can't be applied: an API server would not store such an object. */
function patched(object: unknown, steps: readonly PatchStep[] = []): unknown {
  try {
    return applyPatch(object, steps);
  } catch {
    return undefined;
  }
}

function hasTooMany(object: unknown): boolean {
  const { clusters } = (object as { readonly spec?: { readonly clusters?: unknown } } | null | undefined)?.spec ?? {};
  return Array.isArray(clusters) && clusters.length > MOST_CLUSTERS;
}
