/** Takes in a hub's audit events over HTTP and puts what concerns us on the bus; answers when the bus has it. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { type HttpRequest, type HttpResponse, httpTask, onHttp, problem } from '../../shared/edge/http-task.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { parseEventList } from './admit-change.ts';
import { HubMemories } from './hub-memory.ts';
import { sayChanges } from './say-changes.ts';

type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;

export const task = httpTask({ remember: () => new HubMemories(), run });

async function run(request: HttpRequest, ports: Uses, memories: HubMemories): Promise<HttpResponse> {
  const { hub = '' } = request.parameters;
  if (!(await ports.hubs.mayRaiseEvents(hub, request.caller))) {
    const { bytes, caller } = request;
    ports.telemetry.outcome('EK101', { reason: 'Unauthorized', bytes, subject: caller.subject });
    ports.telemetry.count('HookRefused', 1);
    return problem(401, 'this token may not raise events for this hub');
  }
  const limit = { bytes: ports.settings.auditBodyKib * 1024, wayOut: 'lower --audit-webhook-batch-max-size' };
  const items = parseEventList(await request.text(limit));
  return { status: 200, body: await sayChanges({ hub, items }, ports, memories.of(hub)) };
}

export const handler = onHttp(task, { hubs: awsHubs, bus: awsBus });
