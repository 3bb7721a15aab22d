/** Reads what Alertmanager sends to a webhook: each alert begins or ends an event of its hub. */
import * as z from 'zod/mini';
import { Fault } from '../../shared/core/fault.ts';
import { firstIssue } from '../../shared/core/field-error.ts';
import type { Instant } from '../../shared/core/time.ts';
import type { ReceivedEvent } from '../../shared/external-events/external-event.ts';

const labels = z._default(z.record(z.string(), z.string()), {});
const schema = z.object({
  alerts: z
    .array(
      z.object({
        status: z.enum(['firing', 'resolved']),
        labels,
        annotations: labels,
        fingerprint: z.string().check(z.minLength(1), z.maxLength(128)),
      }),
    )
    .check(z.maxLength(1000)),
});

/** Throws a terminal Fault that names the wrong field. The label `cluster` is the member cluster that an alert concerns. */
export function parseAlerts(hub: string, body: string, receivedAt: Instant): readonly ReceivedEvent[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw unreadable('the body is not JSON');
  }
  const given = z.safeParse(schema, json);
  if (!given.success) throw unreadable(firstIssue(given.error));
  return given.data.alerts.map(({ status, fingerprint, ...alert }) => {
    const { cluster } = alert.labels;
    return {
      id: `Alert/${hub}/${fingerprint}`,
      type: 'Alert',
      hub,
      ...(cluster !== undefined && { cluster }),
      // By our time: an alert may have fired hours before it is sent here, and its clock may be ahead.
      ...(status === 'firing' ? { startsAt: receivedAt } : { endsAt: receivedAt }),
      receivedAt,
      event: { source: 'alertmanager', 'detail-type': alert.labels.alertname ?? '', detail: alert },
    };
  });
}

function unreadable(what: string): Fault {
  return new Fault('terminal', `not a notification of Alertmanager: ${what}`, { reason: 'UnreadableBody' });
}
