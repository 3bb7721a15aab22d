import { describe, expect, it } from 'vitest';
import { operatorApp } from '../../../shared/edge/operator-app.ts';
import type { OperatorCall } from '../../../shared/edge/operator-task.ts';
import { methodOf, type Operation } from '../../../shared/operator/operation.ts';
import { operations } from '../../../shared/operator/operations.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function scene(answer: unknown = { fine: true }) {
  const calls: OperatorCall[] = [];
  const answered = async (call: OperatorCall) => {
    calls.push(call);
    return { answer };
  };
  return { calls, app: operatorApp({ question: answered, order: answered }) };
}

const all = Object.entries(operations) as [string, Operation][];

describe('the API', () => {
  it.each(all.filter(([, { kind }]) => kind !== 'practice'))('has a route for %s', async (name, operation) => {
    const { app, calls } = scene();
    const path = operation.path.replaceAll(/\{(\w+)\}/g, 'a-$1');
    const method = methodOf(operation);
    const response = await app.request(`/api${path}`, {
      method,
      ...(method === 'POST' && { body: '{}', headers: JSON_TYPE }),
    });
    expect(response.status).toBe(200);
    const parameters = [...operation.path.matchAll(/\{(\w+)\}/g)].map(
      ([, field = '']) => [field, `a-${field}`] as const,
    );
    expect(calls).toEqual([{ operation: name, input: Object.fromEntries(parameters) }]);
  });

  it('gives a question its query, and decodes what is in the path', async () => {
    const { app, calls } = scene();
    await app.request('/api/hubs/karmada/bindings/-/a%2Fb?limit=3&limit=4');
    expect(calls).toEqual([
      { operation: 'getWorkload', input: { hub: 'karmada', namespace: '-', name: 'a/b', limit: '3' } },
    ]);
  });

  it('lets no query or body stand for what is in the path', async () => {
    const { app, calls } = scene();
    await app.request('/api/hubs/karmada/fleet?hub=other');
    await app.request('/api/hubs/karmada/resync', { method: 'POST', headers: JSON_TYPE, body: '{"hub":"other"}' });
    expect(calls.map(({ input }) => input)).toEqual([{ hub: 'karmada' }, { hub: 'karmada' }]);
  });

  it('says that nothing is new to who has it already', async () => {
    const { app } = scene({ hubs: [] });
    const first = await app.request('/api/hubs');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    const second = await app.request('/api/hubs', { headers: { 'if-none-match': tag } });
    expect([second.status, await second.text()]).toEqual([304, '']);
    const third = await scene({ hubs: [{ name: 'new' }] }).app.request('/api/hubs', {
      headers: { 'if-none-match': tag },
    });
    expect(third.status).toBe(200);
  });

  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b', 415],
    ['a text, as a page of another site may send it', { 'content-type': 'text/plain' }, '{}', 415],
    ['nothing', {}, '', 415],
    ['no JSON', JSON_TYPE, '{', 400],
    ['a list', JSON_TYPE, '[]', 400],
    ['null', JSON_TYPE, 'null', 400],
    ['too much', JSON_TYPE, `{"ids":"${'x'.repeat(2 * 1024 * 1024)}"}`, 413],
  ])('takes %s for no order', async (_, headers, body, status) => {
    const { app, calls } = scene();
    const response = await app.request('/api/dead-letters/redrive', { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: expect.any(String) as string,
      reason: expect.any(String) as string,
    });
    expect(calls).toEqual([]);
  });

  it('answers an order only to POST, a question only to GET, and nothing else', async () => {
    const { app, calls } = scene();
    const statuses = [
      await app.request('/api/hubs/karmada/pause'),
      await app.request('/api/hubs', { method: 'POST', headers: JSON_TYPE, body: '{}' }),
      await app.request('/api/nothing'),
      await app.request('/api/practice/clusters/member1/fail', { method: 'POST', headers: JSON_TYPE, body: '{}' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404]);
    expect(calls).toEqual([]);
  });

  it('says what may be done through it', async () => {
    const answered = async () => ({ answer: { may: { order: false, practice: false }, now: 'now' } });
    const mayOf = async (app: ReturnType<typeof operatorApp>) =>
      ((await (await app.request('/api/about')).json()) as { may: object }).may;
    expect(await mayOf(operatorApp({ question: answered }))).toEqual({ order: false, practice: false });
    expect(await mayOf(operatorApp({ question: answered, order: answered }))).toEqual({ order: true, practice: false });
  });

  it('passes on why something was refused', async () => {
    const refused = { status: 409, reason: 'HubPaused', error: 'hub karmada has been paused' };
    const app = operatorApp({ question: async () => ({ refused }) });
    const response = await app.request('/api/hubs/karmada/fleet');
    expect([response.status, await response.json()]).toEqual([409, refused]);
  });
});
