/** Decides for the hub's API server whether a write may go through, by the rules of its kind; what is of no concern to us goes through. */
import * as z from 'zod/mini';
import { compileRules } from '../../shared/model/admission/evaluate-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import { waveRules } from '../../shared/model/admission/wave-rules.ts';
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
  userInfo: z.optional(z.object({ username: z.string() })),
  object: z.nullish(z.unknown()),
  oldObject: z.nullish(z.unknown()),
});

type ReviewRequest = z.output<typeof request>;

/** What becomes of a write, and why in a word for the log. */
type Verdict =
  | { readonly allowed: true; readonly reason: string; readonly warning?: string }
  | { readonly allowed: false; readonly reason: string; readonly message: string };

const rebalancerFinding = compileRules(rebalancerRules);

/** The rules of each account that was asked for: there are as many as hubs. */
const waveFindings = new Map<string, ReturnType<typeof compileRules>>();

function waveFinding(account: string): ReturnType<typeof compileRules> {
  const known = waveFindings.get(account) ?? compileRules(waveRules(account));
  waveFindings.set(account, known);
  return known;
}

/** All rules of the kind: the first that is broken speaks. Whose account we can't tell may write waves too. */
function reviewRebalancer(asked: ReviewRequest, account: string | undefined): Verdict {
  const { object = null, oldObject = null, userInfo } = asked;
  const write = { object, oldObject, ...(userInfo && { request: { userInfo } }) };
  const rules = [rebalancerFinding, ...(account === undefined ? [] : [waveFinding(account)])];
  const findings = rules.map((finding) => finding(write));
  const message = findings.find(({ refusal }) => refusal !== undefined)?.refusal;
  if (message !== undefined) return { allowed: false, reason: 'Invalid', message };
  const unevaluated = findings.flatMap((finding) => finding.unevaluated);
  return { allowed: true, reason: unevaluated.length === 0 ? 'Valid' : `Unevaluated ${unevaluated.join(' ')}` };
}

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
  const parsed = z.safeParse(request, given);
  if (!parsed.success) return { allowed: true, reason: 'IncompleteRequest' };
  const asked = parsed.data;
  const { group, resource, operations } = rebalancerRules;
  const concerns =
    group === asked.resource.group &&
    resource === asked.resource.resource &&
    operations.some((operation) => operation === asked.operation);
  if (!concerns || asked.subResource) return { allowed: true, reason: 'OfNoConcern' };
  return reviewRebalancer(asked, account);
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
