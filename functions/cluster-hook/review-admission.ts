/** Reviews a write for the hub's API server by the rules of its kind; other writes are allowed. */
import * as z from 'zod/mini';
import type { MatchedWrites } from '../../shared/admission/admission-rules.ts';
import { Fault } from '../../shared/core/fault.ts';
import { bindingReductionRules, policyReductionRules } from '../../shared/graceful-reduction/reduction-rules.ts';
import { rebalancerRules } from '../../shared/workload-rebalancer/rebalancer-rules.ts';
import { reviewRebalancer } from './review-rebalancer.ts';
import { reviewBinding, reviewPolicyAnnotations } from './review-reduction.ts';
import { type AdmissionResult, type ReviewRequest, reviewRequest } from './review-request.ts';

const VERSION = 'admission.k8s.io/v1';

const envelope = z.object({
  apiVersion: z.string(),
  kind: z.literal('AdmissionReview'),
  request: z.looseObject({ uid: z.string() }),
});

interface Reviewer {
  readonly of: Pick<MatchedWrites, 'group' | 'resources' | 'operations'>;
  readonly review: (asked: ReviewRequest, account: string | undefined) => AdmissionResult;
}

const reviewers: readonly Reviewer[] = [
  { of: rebalancerRules, review: reviewRebalancer },
  { of: policyReductionRules, review: reviewPolicyAnnotations },
  { of: bindingReductionRules, review: reviewBinding },
];

export interface ReviewResult {
  /** An AdmissionReview with a response, in the version of the request. */
  readonly answer: object;
  readonly allowed: boolean;
  readonly reason: string;
}

/** `account` is our user name on the hub. Throws a terminal Fault if the body is no AdmissionReview with a request and its uid. */
export function reviewAdmission(body: string, account?: string): ReviewResult {
  const json = parseJson(body);
  const asked = z.safeParse(envelope, json);
  if (!asked.success) throw unreadable('the body is not an AdmissionReview (apiVersion, kind, request with a uid)');
  const { apiVersion, request: given } = asked.data;
  const result = apiVersion === VERSION ? decide(given, account) : anotherVersion(apiVersion);
  return {
    answer: { apiVersion, kind: 'AdmissionReview', response: { uid: given.uid, ...responseOf(result) } },
    allowed: result.allowed,
    reason: result.reason,
  };
}

/** Undecidable writes are allowed: an error of ours, or of the protocol, never rejects a write. Throws if the objects are invalid for an API server. */
function decide(given: unknown, account: string | undefined): AdmissionResult {
  const parsed = z.safeParse(reviewRequest, given);
  if (!parsed.success) return { allowed: true, reason: 'IncompleteRequest' };
  const asked = parsed.data;
  const reviewer = reviewers.find(({ of }) => concerns(of, asked));
  if (reviewer === undefined) return { allowed: true, reason: 'OfNoConcern' };
  assertWellFormed('request.object', asked.object);
  if (asked.operation === 'UPDATE') assertWellFormed('request.oldObject', asked.oldObject);
  return reviewer.review(asked, account);
}

const texts = z.nullish(z.record(z.string(), z.string()));
const kubernetesObject = z.looseObject({
  metadata: z.nullish(z.looseObject({ labels: texts, annotations: texts })),
});

/** Kubernetes objects are never nested this deep; evaluating rules on such an object exhausts the stack. */
const DEEPEST = 200;

/** Throws a terminal Fault, a 400 for the caller, that names the field. */
function assertWellFormed(field: string, object: unknown): void {
  const parsed = z.safeParse(kubernetesObject, object);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = [field, ...(issue?.path ?? [])].join('.');
    const wanted = issue?.code === 'invalid_type' && issue.expected === 'string' ? 'a string' : 'an object';
    throw unreadable(`${path}: Invalid value: must be ${wanted}`);
  }
  if (isDeeperThan(DEEPEST, object))
    throw unreadable(`${field}: Invalid value: nested more than ${DEEPEST} levels deep`);
}

/** Level by level, because a recursion could itself exhaust the stack. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function concerns({ group, resources, operations }: Reviewer['of'], asked: ReviewRequest): boolean {
  return (
    !asked.subResource &&
    group === asked.resource.group &&
    resources.includes(asked.resource.resource) &&
    operations.some((operation) => operation === asked.operation)
  );
}

/** All versions so far share the few fields of the response, so the response uses the requested version. */
function anotherVersion(apiVersion: string): AdmissionResult {
  const given = JSON.stringify(apiVersion).slice(0, 60);
  const warning = `evenkeel did not review this write: it supports ${VERSION}, and the request has ${given}; set admissionReviewVersions to [v1]`;
  return { allowed: true, reason: 'AnotherVersion', warning };
}

function responseOf(result: AdmissionResult): object {
  if (!result.allowed) {
    const { message, reason } = result;
    return { allowed: false, status: { status: 'Failure', code: 422, reason, message } };
  }
  const { warning, patch } = result;
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
