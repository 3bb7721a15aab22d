/** Receives a hub's audit events over HTTP and publishes the relevant ones; responds after the bus has accepted them. */
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHookAccess } from '../../shared/aws/registry-hook-access.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { type HttpRequest, type HttpResponse, httpTask, onHttp, problem } from '../../shared/runtime/http-task.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { admitBatch } from './admit-batch.ts';
import { parseEventList } from './admit-change.ts';
import { ReceiverStates } from './receiver-state.ts';

const factories = { hookAccess: awsHookAccess, bus: awsBus };
type AdmitChangeContext = ContextOf<typeof factories>;

export const task = httpTask({ remember: () => new ReceiverStates(), run });

async function run(request: HttpRequest, ports: AdmitChangeContext, memories: ReceiverStates): Promise<HttpResponse> {
  const { hub = '' } = request.parameters;
  if (!(await ports.hookAccess.mayRaiseEvents(hub, request.caller))) {
    const { bytes, caller } = request;
    ports.telemetry.outcome('EK101', { reason: 'Unauthorized', bytes, subject: caller.subject });
    ports.telemetry.count('HookRejected', 1);
    return problem(401, 'this token may not raise events for this hub');
  }
  const limit = { bytes: ports.settings.auditBodyKib * 1024, remedy: 'lower --audit-webhook-batch-max-size' };
  const items = parseEventList(await request.text(limit));
  const account = await ports.hookAccess.accountOf(hub);
  const recordsHistory = await ports.hookAccess.uses(hub, 'history');
  const { hubEventsPerSecond: perSecond } = ports.settings;
  const state = memories.of(hub);
  const batch = admitBatch({ hub, account, items, perSecond, now: ports.now(), recordsHistory }, state);
  await ports.bus.publish(batch.events);
  state.recent.add(batch.keys);
  emit(ports.telemetry, batch.telemetry);
  return { status: 200, body: batch.counts };
}

export const handler = onHttp(task, factories);
