/** Admission webhook for a hub's API server. It has no side effects, so a dry run needs no special case. */
import { awsHookAccess } from '../../shared/aws/registry-hook-access.ts';
import { type HttpRequest, type HttpResponse, httpTask, onHttp, problem } from '../../shared/runtime/http-task.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { reviewAdmission } from './review-admission.ts';

/** Object and old object together, within the payload limit of a function. */
const limit = { bytes: 6 * 1024 * 1024, remedy: 'the write goes through without a review' };

const factories = { hookAccess: awsHookAccess };
type ReviewAdmissionContext = ContextOf<typeof factories>;

export const task = httpTask({ run });

async function run(request: HttpRequest, ports: ReviewAdmissionContext): Promise<HttpResponse> {
  const { hub = '', key = '' } = request.parameters;
  if (!(await mayAsk(request, ports))) {
    ports.telemetry.outcome('EK101', { reason: 'Unauthorized', bytes: request.bytes });
    ports.telemetry.count('HookRejected', 1);
    return problem(401, 'neither this token nor this path may ask for reviews for this hub');
  }
  const { answer, ...outcome } = reviewAdmission(await request.text(limit), await ports.hookAccess.accountOf(hub));
  ports.telemetry.outcome('EK110', { hub, withKey: key !== '', ...outcome });
  return { status: 200, body: answer };
}

/** By credential, or by the key in the path. */
async function mayAsk(
  { parameters: { hub = '', key = '' }, caller }: HttpRequest,
  { hookAccess }: ReviewAdmissionContext,
): Promise<boolean> {
  return (await hookAccess.mayRaiseEvents(hub, caller)) || (await hookAccess.holdsReviewKey(hub, key));
}

export const handler = onHttp(task, factories);
