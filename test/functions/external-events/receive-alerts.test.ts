/** Notifications of Alertmanager, from its request to the events of a hub. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task } from '../../../functions/external-events/receive-alerts.lambda.ts';
import { createVirtualClock } from '../../../local/virtual-clock.ts';
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { HubFeature } from '../../../shared/kubernetes/hub-features.ts';
import { onHttp } from '../../../shared/runtime/http-task.ts';
import { at } from '../../builders.ts';
import { hubRecord } from '../../fakes/hub-records.ts';
import { MemoryExternalEventStore } from '../../fakes/stores/memory-external-event-store.ts';
import { StrictTelemetry } from '../../fakes/strict-telemetry.ts';

const alert = { status: 'firing', labels: { alertname: 'NodesLost', cluster: 'member1' }, fingerprint: 'f1' };

function scene({ mayRaise = true, features = ['externalEvents'] as readonly HubFeature[], registryMs = 0 } = {}) {
  let clock = at(0);
  const published: EvenkeelEvent[] = [];
  const externalEvents = new MemoryExternalEventStore();
  let fails = 0;
  const handler = onHttp(
    task,
    {
      hookAccess: () => ({
        mayRaiseEvents: async () => mayRaise,
        uses: async () => false,
        holdsReviewKey: async () => false,
        accountOf: async () => undefined,
      }),
      externalEvents: () => externalEvents,
      registry: () =>
        ({
          read: async () => {
            clock += registryMs;
            return hubRecord('karmada', { features });
          },
        }) as never,
      bus: () => ({
        publish: async (events: readonly EvenkeelEvent[]) => {
          if (fails-- > 0) throw new Error('the bus is away');
          published.push(...events);
        },
      }),
    },
    {
      context: () => ({
        settings: parseSettings({}),
        telemetry: new StrictTelemetry(createVirtualClock('2026-11-21T10:00:00Z')),
        now: () => clock,
        newId: () => 'id',
        timeLeft: () => Number.POSITIVE_INFINITY,
      }),
    },
  );
  const post = async (body: object | string) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const event = {
      pathParameters: { hub: 'karmada' },
      headers: { 'content-type': 'application/json' },
      body: text,
      requestContext: {},
    } as unknown as APIGatewayProxyEventV2;
    const { statusCode, body: answer = '' } = await handler(event, {} as Context);
    return { status: statusCode, answer: JSON.parse(answer) as object };
  };
  const failOnce = () => {
    fails = 1;
  };
  return { published, externalEvents, post, failOnce };
}

describe('the hook for alerts', () => {
  it('stores each alert, and has the policies of the hub evaluated', async () => {
    const { post, published, externalEvents } = scene();
    expect(await post({ alerts: [alert] })).toEqual({ status: 200, answer: { alerts: 1, stored: 1 } });
    expect(published).toEqual([{ type: 'PoliciesDue', detail: { hub: 'karmada', version: 1 } }]);
    expect(await externalEvents.list(at(1))).toMatchObject([{ type: 'Alert', hub: 'karmada', cluster: 'member1' }]);
  });

  it('stores when it was received, whatever the time until it is stored', async () => {
    const { post, externalEvents } = scene({ registryMs: 4000 });
    await post({ alerts: [alert] });
    await post({ alerts: [{ ...alert, status: 'resolved' }] });
    expect(await externalEvents.list(at(10))).toMatchObject([{ startsAt: at(0), endsAt: at(4) }]);
  });

  it('publishes for a notification that is sent again after the bus was away', async () => {
    const { post, published, failOnce } = scene();
    failOnce();
    expect((await post({ alerts: [alert] })).status).toBeGreaterThanOrEqual(500);
    expect(published).toEqual([]);
    expect(await post({ alerts: [alert] })).toEqual({ status: 200, answer: { alerts: 1, stored: 0 } });
    expect(published).toHaveLength(1);
  });

  it('rejects a caller that may not raise events for the hub', async () => {
    const { post, externalEvents } = scene({ mayRaise: false });
    expect((await post({ alerts: [alert] })).status).toBe(401);
    expect(await externalEvents.list(at(1))).toEqual([]);
  });

  it('names the feature that the hub lacks', async () => {
    const { post } = scene({ features: [] });
    expect(await post({ alerts: [alert] })).toEqual({
      status: 409,
      answer: { error: 'the hub is registered without --external-events; add it' },
    });
  });

  it('names the wrong field of a notification', async () => {
    const { post } = scene();
    expect(await post({ alerts: [{ ...alert, status: 'silenced' }] })).toMatchObject({
      status: 400,
      answer: { error: expect.stringContaining('alerts.0.status') as string },
    });
  });
});
