/** Answers a hub's API server over HTTP whether a write may go through. Nothing is read or changed, so a dry run is as any other. */
import { awsHubs } from '../../shared/edge/aws-ports.ts';
import { type HttpRequest, type HttpResponse, httpTask, onHttp, problem } from '../../shared/edge/http-task.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { reviewAdmission } from './review-admission.ts';

/** An object as it is to be and as it was, and what a request to a function may weigh. */
const limit = { bytes: 6 * 1024 * 1024, wayOut: 'the write goes through without a review' };

type Uses = Pick<Ports, 'hubs'> & Surroundings;

export const task = httpTask({ run });

async function run(request: HttpRequest, ports: Uses): Promise<HttpResponse> {
  const { hub = '', key = '' } = request.parameters;
  if (!(await mayAsk(request, ports))) {
    ports.telemetry.outcome('EK101', { reason: 'Unauthorized', bytes: request.bytes });
    ports.telemetry.count('HookRefused', 1);
    return problem(401, 'neither this token nor this path may ask for reviews for this hub');
  }
  const { answer, ...outcome } = reviewAdmission(await request.text(limit), await ports.hubs.accountOf(hub));
  ports.telemetry.outcome('EK110', { hub, withKey: key !== '', ...outcome });
  return { status: 200, body: answer };
}

/** By credential, or by the key in the path. */
async function mayAsk({ parameters: { hub = '', key = '' }, caller }: HttpRequest, { hubs }: Uses): Promise<boolean> {
  return (await hubs.mayRaiseEvents(hub, caller)) || (await hubs.holdsReviewKey(hub, key));
}

export const handler = onHttp(task, { hubs: awsHubs });
