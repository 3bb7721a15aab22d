import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task as admitChange } from '../../../functions/cluster-hook/admit-change.lambda.ts';
import { onHttp } from '../../../shared/edge/http-task.ts';
import type { EvenkeelEvent } from '../../../shared/events/event.ts';
import { Fault } from '../../../shared/model/fault.ts';
import { parseSettings } from '../../../shared/settings.ts';
import { oneHub } from '../../fakes/one-hub.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';

const token = 'hook-token-of-karmada';
const event = {
  stage: 'ResponseComplete',
  verb: 'create',
  objectRef: { resource: 'workloadrebalancers', apiGroup: 'apps.karmada.io', name: 'demo' },
  responseStatus: { code: 201 },
};
const good = JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [event] });

function scene(fault?: Fault) {
  const published: EvenkeelEvent[] = [];
  const lines: Line[] = [];
  const handler = onHttp(
    admitChange,
    {
      hubs: () =>
        oneHub(undefined, { mayRaiseEvents: async (hub, { bearer }) => hub === 'karmada' && bearer === token }),
      bus: () => ({
        publish: async (events) => {
          if (fault) throw fault;
          published.push(...events);
        },
      }),
    },
    {
      surroundings: () => ({
        settings: parseSettings({ auditBodyKib: 16 }),
        telemetry: recording(lines),
        now: () => 0,
        newId: () => 'id',
      }),
    },
  );
  const post = async (body: string, over: { hub?: string; authorization?: string; base64?: boolean } = {}) => {
    const request = {
      headers: { authorization: over.authorization ?? `Bearer ${token}`, 'content-type': 'application/json' },
      pathParameters: { hub: over.hub ?? 'karmada' },
      body: over.base64 ? Buffer.from(body).toString('base64') : body,
      isBase64Encoded: over.base64 ?? false,
    };
    const {
      statusCode,
      body: text,
      headers,
    } = await handler(request as unknown as APIGatewayProxyEventV2, {} as Context);
    return { status: statusCode, answer: JSON.parse(text ?? '') as Record<string, unknown>, headers };
  };
  return { published, lines, post };
}

describe('the hook', () => {
  it('answers 200 with its counts when the bus has the events', async () => {
    const s = scene();
    expect(await s.post(good)).toMatchObject({
      status: 200,
      answer: { events: 1, admitted: 1, ignored: 0, unreadable: 0 },
    });
    expect(s.published.map(({ type }) => type)).toEqual(['WorkloadRebalancerChanged']);
  });

  it('reads a body that the gateway encoded', async () => {
    expect((await scene().post(good, { base64: true })).status).toBe(200);
  });

  it.each([
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['no token', { authorization: '' }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ["another hub's path", { hub: 'other' }],
  ])('refuses %s with the same 401, and publishes nothing', async (_, over) => {
    const s = scene();
    expect(await s.post(good, over)).toMatchObject({
      status: 401,
      answer: { error: 'this token may not raise events for this hub' },
    });
    expect(s.published).toEqual([]);
  });

  it.each([
    ['no JSON', 'x', 400, 'not JSON'],
    ['another API version', good.replace('/v1', '/v2'), 400, '--audit-webhook-version'],
    ['too many bytes', good.padEnd(17 * 1024), 413, 'at most 16384'],
  ])('answers %s so that the caller knows what to do', async (_, body, status, says) => {
    const answered = await scene().post(body);
    expect(answered.status).toBe(status);
    expect(answered.answer.error).toContain(says);
  });

  it('answers 503 with Retry-After when the bus does not take the events, so that the API server sends them again', async () => {
    const s = scene(
      new Fault('limited', 'EventBridge: throttled', { reason: 'ThrottlingException', retryAfterMs: 2500 }),
    );
    expect(await s.post(good)).toMatchObject({ status: 503, headers: { 'retry-after': '3' } });
  });

  it('logs neither token nor body', async () => {
    const s = scene();
    await s.post('x secret-in-body');
    await s.post(good, { authorization: 'Bearer not-the-token' });
    expect(JSON.stringify(s.lines)).not.toMatch(/secret-in-body|not-the-token|hook-token/);
  });
});
