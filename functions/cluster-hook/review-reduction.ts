/**
 * Decides what becomes of a write of a binding that takes replicas away, of one that is held, and of the words that ask for it. For hubs
 * whose API server does not do so by itself.
 */
import { applyPatch } from '../../shared/model/admission/apply-patch.ts';
import { compileMutation, compileRules, type PatchStep } from '../../shared/model/admission/evaluate-rules.ts';
import { holdRules } from '../../shared/model/admission/hold-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../shared/model/admission/reduction-rules.ts';
import { perAccount, type ReviewRequest, type Verdict, verdictOf, writeOf } from './review-request.ts';

const policyFinding = compileRules(policyReductionRules);
const bindingFinding = compileRules(bindingReductionRules);
const holdSteps = perAccount((account) => compileMutation(holdRules(account)));

/** A user name that nobody has: where we don't know our own, whatever is written comes from others. */
const NOBODY = '';

/** Each of so many is compared with each: a second of work, of the three that the API server waits. It counts no further either. */
const MOST_CLUSTERS = 2000;

export function reviewPolicyWords(asked: ReviewRequest): Verdict {
  return verdictOf([policyFinding(writeOf(asked))]);
}

/** What is held is judged as it is to be stored. Bindings are asked about by a mutating webhook alone: another's answer has no patch. */
export function reviewBinding(asked: ReviewRequest, account: string | undefined): Verdict {
  if ([asked.object, asked.oldObject].some(hasTooMany)) return { allowed: true, reason: 'TooManyClusters' };
  const steps = asked.operation === 'UPDATE' ? holdSteps(account ?? NOBODY)(writeOf(asked)) : [];
  const object = patched(asked.object, steps);
  if (steps === undefined || object === undefined) return { allowed: true, reason: 'Unevaluated spec.clusters' };
  const verdict = verdictOf([bindingFinding(writeOf({ ...asked, object }))]);
  return verdict.allowed && steps.length > 0 ? { ...verdict, reason: 'Held', patch: steps } : verdict;
}

/** Undefined where a step does not fit: the object is none that an API server would store. */
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
