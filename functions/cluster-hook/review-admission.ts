/** Decides for the hub's API server what becomes of a write, by the rules of its kind; what is of no concern to us goes through. */
import * as z from 'zod/mini';
import type { Concern } from '../../shared/model/admission/admission-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../shared/model/admission/reduction-rules.ts';
import { Fault } from '../../shared/model/fault.ts';
import { reviewRebalancer } from './review-rebalancer.ts';
import { reviewBinding, reviewPolicyWords } from './review-reduction.ts';
import { type ReviewRequest, reviewRequest, type Verdict } from './review-request.ts';

const VERSION = 'admission.k8s.io/v1';

const envelope = z.object({
  apiVersion: z.string(),
  kind: z.literal('AdmissionReview'),
  request: z.looseObject({ uid: z.string() }),
});

interface Reviewer {
  readonly of: Pick<Concern, 'group' | 'resources' | 'operations'>;
  readonly review: (asked: ReviewRequest, account: string | undefined) => Verdict;
}

const reviewers: readonly Reviewer[] = [
  { of: rebalancerRules, review: reviewRebalancer },
  { of: policyReductionRules, review: reviewPolicyWords },
  { of: bindingReductionRules, review: reviewBinding },
];

export interface Reviewed {
  /** An AdmissionReview with a response, in the version that was asked in. */
  readonly answer: object;
  readonly allowed: boolean;
  readonly reason: string;
}

/** `account` is who we are on the hub. Throws a terminal Fault where there is nobody to answer: the body is no AdmissionReview with a request and its uid. */
export function reviewAdmission(body: string, account?: string): Reviewed {
  const json = parseJson(body);
  const asked = z.safeParse(envelope, json);
  if (!asked.success) throw unreadable('the body is not an AdmissionReview (apiVersion, kind, request with a uid)');
  const { apiVersion, request: given } = asked.data;
  const verdict = apiVersion === VERSION ? decide(given, account) : anotherVersion(apiVersion);
  return {
    answer: { apiVersion, kind: 'AdmissionReview', response: { uid: given.uid, ...responseOf(verdict) } },
    allowed: verdict.allowed,
    reason: verdict.reason,
  };
}

/** What we can't decide about goes through: a fault of ours, or of the protocol, is never a refusal. */
function decide(given: unknown, account: string | undefined): Verdict {
  const parsed = z.safeParse(reviewRequest, given);
  if (!parsed.success) return { allowed: true, reason: 'IncompleteRequest' };
  const asked = parsed.data;
  const reviewer = reviewers.find(({ of }) => concerns(of, asked));
  return reviewer === undefined ? { allowed: true, reason: 'OfNoConcern' } : reviewer.review(asked, account);
}

function concerns({ group, resources, operations }: Reviewer['of'], asked: ReviewRequest): boolean {
  return (
    !asked.subResource &&
    group === asked.resource.group &&
    resources.includes(asked.resource.resource) &&
    operations.some((operation) => operation === asked.operation)
  );
}

/** Every version so far has the same few fields in its answer, so it can be told in its own. */
function anotherVersion(apiVersion: string): Verdict {
  const given = JSON.stringify(apiVersion).slice(0, 60);
  const warning = `evenkeel did not look at this write: it reads ${VERSION}, and was asked in ${given}; set admissionReviewVersions to [v1]`;
  return { allowed: true, reason: 'AnotherVersion', warning };
}

function responseOf(verdict: Verdict): object {
  if (!verdict.allowed) {
    const { message, reason } = verdict;
    return { allowed: false, status: { status: 'Failure', code: 422, reason, message } };
  }
  const { warning, patch } = verdict;
  return {
    allowed: true,
    ...(warning !== undefined && { warnings: [warning] }),
    ...(patch && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable('the body is not JSON');
  }
}

function unreadable(message: string): Fault {
  return new Fault('terminal', message, { reason: 'UnreadableBody' });
}
