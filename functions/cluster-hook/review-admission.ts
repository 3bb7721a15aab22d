/** Decides for the hub's API server whether a write may go through, by the rules of its kind; what is of no concern to us goes through. */
import * as z from 'zod/mini';
import { compileRules } from '../../shared/model/admission/evaluate-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import { Fault } from '../../shared/model/fault.ts';

const VERSION = 'admission.k8s.io/v1';

const envelope = z.object({
  apiVersion: z.string(),
  kind: z.literal('AdmissionReview'),
  request: z.looseObject({ uid: z.string() }),
});

const request = z.object({
  uid: z.string(),
  resource: z.object({ group: z.string(), resource: z.string() }),
  subResource: z.optional(z.string()),
  operation: z.string(),
  object: z.nullish(z.unknown()),
  oldObject: z.nullish(z.unknown()),
});

type ReviewRequest = z.output<typeof request>;

/** What becomes of a write, and why in a word for the log. */
type Verdict =
  | { readonly allowed: true; readonly reason: string; readonly warning?: string }
  | { readonly allowed: false; readonly reason: string; readonly message: string };

/** One kind of write that somebody decides about. */
interface Review {
  readonly group: string;
  readonly resource: string;
  readonly operations: readonly string[];
  readonly decide: (request: ReviewRequest) => Verdict;
}

const rebalancerFinding = compileRules(rebalancerRules);

/** Who decides about what: the first that fits. */
const reviews: readonly Review[] = [
  {
    ...rebalancerRules,
    decide: ({ object = null, oldObject = null }) => {
      const { refusal, unevaluated } = rebalancerFinding({ object, oldObject });
      if (refusal !== undefined) return { allowed: false, reason: 'Invalid', message: refusal };
      return { allowed: true, reason: unevaluated.length === 0 ? 'Valid' : `Unevaluated ${unevaluated.join(' ')}` };
    },
  },
];

export interface Reviewed {
  /** An AdmissionReview with a response, in the version that was asked in. */
  readonly answer: object;
  readonly allowed: boolean;
  readonly reason: string;
}

/** Throws a terminal Fault where there is nobody to answer: the body is no AdmissionReview with a request and its uid. */
export function reviewAdmission(body: string): Reviewed {
  const json = parseJson(body);
  const asked = z.safeParse(envelope, json);
  if (!asked.success) throw unreadable('the body is not an AdmissionReview (apiVersion, kind, request with a uid)');
  const { apiVersion, request: given } = asked.data;
  const verdict = apiVersion === VERSION ? decide(given) : anotherVersion(apiVersion);
  return {
    answer: { apiVersion, kind: 'AdmissionReview', response: { uid: given.uid, ...responseOf(verdict) } },
    allowed: verdict.allowed,
    reason: verdict.reason,
  };
}

/** What we can't decide about goes through: a fault of ours, or of the protocol, is never a refusal. */
function decide(given: unknown): Verdict {
  const parsed = z.safeParse(request, given);
  if (!parsed.success) return { allowed: true, reason: 'IncompleteRequest' };
  const asked = parsed.data;
  const review = reviews.find(
    ({ group, resource, operations }) =>
      group === asked.resource.group && resource === asked.resource.resource && operations.includes(asked.operation),
  );
  if (review === undefined || asked.subResource) return { allowed: true, reason: 'OfNoConcern' };
  return review.decide(asked);
}

/** Every version so far has the same few fields in its answer, so it can be told in its own. */
function anotherVersion(apiVersion: string): Verdict {
  const given = JSON.stringify(apiVersion).slice(0, 60);
  const warning = `evenkeel did not look at this write: it reads ${VERSION}, and was asked in ${given}; set admissionReviewVersions to [v1]`;
  return { allowed: true, reason: 'AnotherVersion', warning };
}

function responseOf(verdict: Verdict): object {
  if (verdict.allowed) {
    return { allowed: true, ...(verdict.warning !== undefined && { warnings: [verdict.warning] }) };
  }
  const { message, reason } = verdict;
  return { allowed: false, status: { status: 'Failure', code: 422, reason, message } };
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
