import { describe, expect, it } from 'vitest';
import { methodOf, type Operation } from '../../../shared/console-api/operation.ts';
import type { OperationCall } from '../../../shared/console-api/operation-task.ts';
import { operations } from '../../../shared/console-api/operations.ts';
import { operationsApp } from '../../../shared/console-api/operations-app.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function scene(answer: unknown = { fine: true }) {
  const calls: OperationCall[] = [];
  const answered = async (call: OperationCall) => {
    calls.push(call);
    return { answer };
  };
  return { calls, app: operationsApp({ query: answered, command: answered }) };
}

const notJson = {
  status: 415,
  reason: 'UnsupportedBody',
  error: 'a command is sent as content-type application/json',
};
const noObject = { status: 400, reason: 'InvalidInput', error: 'the body is not a JSON object' };
const tooMuch = { status: 413, reason: 'BodyTooLarge', error: 'a command has at most 2097152 bytes' };

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

  it('passes the query parameters, and decodes the path parameters', async () => {
    const { app, calls } = scene();
    await app.request('/api/hubs/karmada/bindings/-/a%2Fb?limit=3&limit=4');
    expect(calls).toEqual([
      { operation: 'getWorkload', input: { hub: 'karmada', namespace: '-', name: 'a/b', limit: '3' } },
    ]);
  });

  it('lets no query or body override the path parameters', async () => {
    const { app, calls } = scene();
    await app.request('/api/hubs/karmada/fleet?hub=other');
    await app.request('/api/hubs/karmada/resync', { method: 'POST', headers: JSON_TYPE, body: '{"hub":"other"}' });
    expect(calls.map(({ input }) => input)).toEqual([{ hub: 'karmada' }, { hub: 'karmada' }]);
  });

  it('answers 304 to a caller that already has the current response', async () => {
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
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=b', notJson],
    ['a text, as a page of another site may send it', { 'content-type': 'text/plain' }, '{}', notJson],
    ['a type that begins as JSON does', { 'content-type': 'application/jsonp' }, '{}', notJson],
    ['a type that ends as JSON does', { 'content-type': 'text/application/json' }, '{}', notJson],
    ['nothing', {}, '', notJson],
    ['no JSON', JSON_TYPE, '{', noObject],
    ['a text', JSON_TYPE, '"x"', noObject],
    ['a list', JSON_TYPE, '[]', noObject],
    ['null', JSON_TYPE, 'null', noObject],
    ['too much', JSON_TYPE, `{"ids":"${'x'.repeat(2 * 1024 * 1024)}"}`, tooMuch],
  ])('takes %s for no command', async (_, headers, body, rejected) => {
    const { app, calls } = scene();
    const response = await app.request('/api/dead-letters/redrive', { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([rejected.status, rejected]);
    expect(calls).toEqual([]);
  });

  it('accepts a command with a charset', async () => {
    const { app, calls } = scene();
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const response = await app.request('/api/dead-letters/redrive', { method: 'POST', headers, body: '{"ids":["a"]}' });
    expect(response.status).toBe(200);
    expect(calls).toEqual([{ operation: 'redriveDeadLetters', input: { ids: ['a'] } }]);
  });

  it('requires revalidation of every response, and reports what it does not serve', async () => {
    const { app } = scene();
    expect((await app.request('/api/hubs')).headers.get('cache-control')).toBe('no-cache');
    const unknown = await app.request('/api/nothing', { method: 'PUT' });
    const error = 'PUT /api/nothing is not answered here';
    expect(await unknown.json()).toEqual({ status: 404, reason: 'UnknownOperation', error });
  });

  it('passes the caller only if the server authenticated it', async () => {
    const { app, calls } = scene();
    const by = { source: 'console', name: 'alice' } as const;
    await app.request('/api/hubs', {}, { by });
    await app.request('/api/hubs', {}, {});
    expect(calls).toEqual([
      { operation: 'listHubs', input: {}, by },
      { operation: 'listHubs', input: {} },
    ]);
  });

  it('answers a command only to POST, a query only to GET, and no other method', async () => {
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

  it('reports the permitted actions', async () => {
    const answered = async () => ({ answer: { may: { command: false, practice: false }, now: 'now' } });
    const mayOf = async (app: ReturnType<typeof operationsApp>) =>
      ((await (await app.request('/api/about')).json()) as { may: object }).may;
    expect(await mayOf(operationsApp({ query: answered }))).toEqual({ command: false, practice: false });
    expect(await mayOf(operationsApp({ query: answered, command: answered }))).toEqual({
      command: true,
      practice: false,
    });
    expect(await mayOf(operationsApp({ query: answered, practice: answered }))).toEqual({
      command: false,
      practice: true,
    });
    const others = await operationsApp({ query: answered, command: answered }).request('/api/hubs');
    expect(await others.json()).toEqual({ may: { command: false, practice: false }, now: 'now' });
  });

  it('returns the reason of a rejection', async () => {
    const rejected = { status: 409, reason: 'HubPaused', error: 'hub karmada has been paused' };
    const app = operationsApp({ query: async () => ({ error: rejected }) });
    const response = await app.request('/api/hubs/karmada/fleet');
    expect([response.status, await response.json()]).toEqual([409, rejected]);
  });
});
