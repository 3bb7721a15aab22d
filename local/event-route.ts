/** A path of the local hook for events that a deployment gets from EventBridge: of AWS, and of users. */
import type { HookAccess } from '../shared/kubernetes/hook-access.ts';
import { type HttpRequest, type HttpResponse, httpTask, problem } from '../shared/runtime/http-task.ts';

const LIMIT = { bytes: 256 * 1024, remedy: 'send a smaller event' };

interface EventRouteContext {
  readonly hookAccess: HookAccess;
  /** The bus. */
  readonly receive: (event: object) => void;
}

export const eventPath = '/hubs/{hub}/events';

/** One event as it is on EventBridge, with the credentials of the hub's audit events. */
export const receiveEvents = httpTask({ run });

async function run(request: HttpRequest, { hookAccess, receive }: EventRouteContext): Promise<HttpResponse> {
  const { hub = '' } = request.parameters;
  if (!(await hookAccess.mayRaiseEvents(hub, request.caller)))
    return problem(401, 'this token may not raise events for this hub');
  const text = await request.text(LIMIT);
  try {
    receive(JSON.parse(text) as object);
  } catch {
    return problem(400, 'the body is not JSON; send one event of EventBridge');
  }
  return { status: 200, body: { received: 1 } };
}
