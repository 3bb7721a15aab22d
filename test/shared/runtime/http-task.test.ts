import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task as admitChange } from '../../../functions/cluster-hook/admit-change.lambda.ts';
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { onHttp } from '../../../shared/runtime/http-task.ts';
import { hookAccess } from '../../fakes/one-hub.ts';
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
      hookAccess: () =>
        hookAccess({ mayRaiseEvents: async (hub, { bearer }) => hub === 'karmada' && bearer === token }),
      bus: () => ({
        publish: async (events) => {
          if (fault) throw fault;
          published.push(...events);
        },
      }),
    },
    {
      context: () => ({
        settings: parseSettings({ auditBodyKib: 16 }),
        telemetry: recording(lines),
        now: () => 0,
        newId: () => 'id',
        timeLeft: () => Number.POSITIVE_INFINITY,
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
    expect((await s.post(good)).headers).toEqual({ 'content-type': 'application/json' });
  });

  it('reads a body that the gateway encoded', async () => {
    expect((await scene().post(good, { base64: true })).status).toBe(200);
  });

  it.each([
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['no token', { authorization: '' }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ["another hub's path", { hub: 'other' }],
  ])('rejects %s with the same 401, and publishes nothing', async (_, over) => {
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
  ])('answers %s so that the caller knows what to do', async (_, body, status, description) => {
    const answered = await scene().post(body);
    expect(answered.status).toBe(status);
    expect(answered.answer.error).toContain(description);
  });

  it('answers 503 with Retry-After when the bus does not take the events, so that the API server sends them again', async () => {
    const s = scene(
      new Fault('limited', 'EventBridge: throttled', { reason: 'ThrottlingException', retryAfterMs: 2500 }),
    );
    const headers = { 'content-type': 'application/json', 'retry-after': '3' };
    expect(await s.post(good)).toEqual({ status: 503, headers, answer: { error: 'not taken in; send it again' } });
    const bytes = Buffer.byteLength(good);
    const fields = { reason: 'ThrottlingException', retryClass: 'limited', error: 'EventBridge: throttled', bytes };
    expect(s.lines).toEqual([{ code: 'EK101', fields }]);
  });

  it('answers 500 if the deployment can never publish the events, and reports only the reason', async () => {
    const answered = await scene(new Fault('terminal', 'no secret', { reason: 'InvalidEnvironment' })).post(good);
    expect(answered).toMatchObject({
      status: 500,
      answer: { error: 'the deployment is not set up for this: InvalidEnvironment; see its log' },
    });
    expect(answered.headers).not.toHaveProperty('retry-after');
  });

  it('logs neither token nor body', async () => {
    const s = scene();
    await s.post('x secret-in-body');
    await s.post(good, { authorization: 'Bearer not-the-token' });
    expect(s.lines).toHaveLength(2);
    expect(JSON.stringify(s.lines)).not.toMatch(/secret-in-body|not-the-token|hook-token/);
  });
});
