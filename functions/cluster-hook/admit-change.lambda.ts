/** Takes in a hub's audit events over HTTP and puts what concerns us on the bus; answers when the bus has it. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { type HttpRequest, type HttpResponse, httpTask, onHttp, problem } from '../../shared/edge/http-task.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { admitChanges, parseEventList } from './admit-change.ts';

type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;

export const task = httpTask({ run });

async function run(request: HttpRequest, ports: Uses): Promise<HttpResponse> {
  const { hub = '' } = request.parameters;
  if (!(await ports.hubs.mayRaiseEvents(hub, request.bearer))) {
    ports.telemetry.outcome('EK101', { reason: 'Unauthorized', bytes: request.bytes });
    ports.telemetry.count('HookRefused', 1);
    return problem(401, 'this token may not raise events for this hub');
  }
  const limit = ports.settings.auditBodyKiB * 1024;
  if (request.bytes > limit) {
    return problem(
      413,
      `the body has ${request.bytes} bytes, at most ${limit} are taken; lower --audit-webhook-batch-max-size`,
    );
  }
  const { events, ...counts } = admitChanges(hub, parseEventList(request.body));
  await ports.bus.publish(events);
  ports.telemetry.outcome('EK100', { hub, events: events.length, ...counts });
  return { status: 200, body: { events: events.length, ...counts } };
}

export const handler = onHttp(task, { hubs: awsHubs, bus: awsBus });
