/** Receives notifications of a hub's Alertmanager over HTTP: stores each alert as an event of the hub, and has the hub evaluate its policies. */
import { awsExternalEvents } from '../../shared/aws/dynamodb/dynamodb-external-event-store.ts';
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHookAccess } from '../../shared/aws/registry-hook-access.ts';
import { PoliciesDue } from '../../shared/bus/catalogue.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { hubFeatures } from '../../shared/kubernetes/hub-features.ts';
import { type HttpRequest, type HttpResponse, httpTask, onHttp, problem } from '../../shared/runtime/http-task.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { parseAlerts } from './receive-alerts.ts';
import { writeEvent } from './write-events.ts';

const ROWS_AT_ONCE = 16;
const BODY_LIMIT = { bytes: 1024 * 1024, remedy: 'set max_alerts in the webhook_config of Alertmanager' };

const factories = {
  hookAccess: awsHookAccess,
  externalEvents: awsExternalEvents,
  registry: awsRegistry,
  bus: awsBus,
};
type ReceiveAlertsContext = ContextOf<typeof factories>;

export const task = httpTask({ run });

async function run(request: HttpRequest, ports: ReceiveAlertsContext): Promise<HttpResponse> {
  const { hub = '' } = request.parameters;
  const { hookAccess, registry, bus, telemetry, now } = ports;
  // Limits count from it; the reads before the alert is stored may take seconds.
  const receivedAt = now();
  if (!(await hookAccess.mayRaiseEvents(hub, request.caller))) {
    const { bytes, caller } = request;
    telemetry.outcome('EK101', { reason: 'Unauthorized', bytes, subject: caller.subject });
    telemetry.count('HookRejected', 1);
    return problem(401, 'this token may not raise events for this hub');
  }
  const { flag } = hubFeatures.externalEvents;
  const record = await registry.read(hub);
  if (!record?.features.includes('externalEvents'))
    return problem(409, `the hub is registered without ${flag}; add it`);
  const alerts = parseAlerts(hub, await request.text(BODY_LIMIT), receivedAt);
  const written = await eachAtOnce(alerts, ROWS_AT_ONCE, (alert) => writeEvent(alert, ports));
  // Also for a repetition: the first delivery may have failed after it stored.
  if (written.some((each) => each !== 'ignored')) await bus.publish([PoliciesDue.of({ hub })]);
  const stored = written.filter((each) => each === 'stored').length;
  telemetry.outcome('EK000', { event: 'Alerts', hub, reason: 'received alerts', alerts: alerts.length, stored });
  return { status: 200, body: { alerts: alerts.length, stored } };
}

export const handler = onHttp(task, factories);
