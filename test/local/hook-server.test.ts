import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HookRoute, type HookServer, startHookServer } from '../../local/hook-server.ts';
import type { HttpHandler } from '../../shared/runtime/http-task.ts';

let server: HookServer | undefined;
afterEach(() => server?.close());

async function start(deadlineMs?: number): Promise<{
  url: string;
  requests: { hub: string | undefined; body: string | undefined; token: string | undefined }[];
}> {
  const requests: { hub: string | undefined; body: string | undefined; token: string | undefined }[] = [];
  const handler: HttpHandler = async (event) => {
    requests.push({ hub: event.pathParameters?.hub, body: event.body, token: event.headers.authorization });
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
  };
  server = await startHookServer([{ path: '/hubs/{hub}/audit', handler }], 0, undefined, deadlineMs);
  return { url: server.url, requests };
}

describe("the hook's URL in the local run", () => {
  it('passes a request to the function as the gateway does', async () => {
    const { url, requests } = await start();
    const headers = { authorization: 'Bearer x' };
    expect(
      (await fetch(`${url}/hubs/practice/audit?timeout=30s`, { method: 'POST', body: '{"a":1}', headers })).status,
    ).toBe(200);
    expect(requests).toEqual([{ hub: 'practice', body: '{"a":1}', token: 'Bearer x' }]);
  });

  it('passes each path to its own function, with its path parameters', async () => {
    const calls: unknown[] = [];
    const route = (path: string): HookRoute => ({
      path,
      handler: async ({ pathParameters }) => {
        calls.push([path, pathParameters]);
        return { statusCode: 200, body: '{}' };
      },
    });
    server = await startHookServer([route('/hubs/{hub}/audit'), route('/hubs/{hub}/admission/{key}')], 0);
    for (const path of ['/hubs/a/admission/k%2F1?timeout=3s', '/hubs/b/audit']) {
      await fetch(`${server.url}${path}`, { method: 'POST', body: '{}' });
    }
    expect(calls).toEqual([
      ['/hubs/{hub}/admission/{key}', { hub: 'a', key: 'k/1' }],
      ['/hubs/{hub}/audit', { hub: 'b' }],
    ]);
  });

  it.each([
    ['another path', '/other', 'POST'],
    ['another method', '/hubs/practice/audit', 'GET'],
    ['a hub with a slash', '/hubs/a/b/audit', 'POST'],
    ['a hub without a name', '/hubs//audit', 'POST'],
    ['a hub that cannot be decoded', '/hubs/%E0%A4%A/audit', 'POST'],
  ])('answers 404 to %s', async (_, path, method) => {
    const { url, requests } = await start();
    expect((await fetch(`${url}${path}`, { method })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('lists its paths in the response to an unknown path', async () => {
    const handler: HttpHandler = async () => ({ statusCode: 200, body: '{}' });
    server = await startHookServer(
      [
        { path: '/a/{b}', handler },
        { path: '/c', handler },
      ],
      0,
    );
    const answer = await fetch(`${server.url}/other`, { method: 'POST' });
    expect(await answer.json()).toEqual({ error: 'there is only POST /a/{b}, POST /c' });
  });

  it('answers with the status of the function, and with 200 if the function sets none', async () => {
    const statuses: (number | undefined)[] = [undefined, 403];
    const handler: HttpHandler = async () => ({ ...{ statusCode: statuses.shift() }, body: '{}' });
    server = await startHookServer([{ path: '/a', handler }], 0);
    const url = `${server.url}/a`;
    const answered = [await fetch(url, { method: 'POST' }), await fetch(url, { method: 'POST' })];
    expect(answered.map(({ status }) => status)).toEqual([200, 403]);
  });

  it('passes its name to the function', async () => {
    const names: string[] = [];
    const handler: HttpHandler = async (_, { functionName }) => {
      names.push(functionName);
      return { statusCode: 200, body: '{}' };
    };
    server = await startHookServer([{ path: '/a', handler }], 0);
    await fetch(`${server.url}/a`, { method: 'POST' });
    expect(names).toEqual(['cluster-hook']);
  });

  it('rejects a body of 11 MB with 413, without invoking the function', async () => {
    const { url, requests } = await start();
    const answer = await fetch(`${url}/hubs/practice/audit`, { method: 'POST', body: 'x'.repeat(11 * 1024 * 1024) });
    expect([answer.status, await answer.json()]).toEqual([413, { error: 'the body has more than 10485760 bytes' }]);
    expect(requests).toEqual([]);
  });

  it.each(['application/gzip', 'multipart/mixed; start=text/plain'])(
    'passes a body of type %s in base64, as the gateway does',
    async (type) => {
      const { url, requests } = await start();
      const headers = { 'content-type': type };
      await fetch(`${url}/hubs/practice/audit`, { method: 'POST', body: new Uint8Array([0x1f, 0x8b, 0xff]), headers });
      expect(requests.map(({ body }) => body)).toEqual([Buffer.from([0x1f, 0x8b, 0xff]).toString('base64')]);
    },
  );

  it('passes a body without a content type as text', async () => {
    const { url, requests } = await start();
    const body = new TextEncoder().encode('{"a":1}');
    await fetch(`${url}/hubs/practice/audit`, { method: 'POST', body });
    expect(requests.map((request) => request.body)).toEqual(['{"a":1}']);
  });

  it('closes the connection of a slow body, without invoking the function', async () => {
    const { url, requests } = await start(400);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /hubs/practice/audit HTTP/1.1\r\nhost: hook\r\ncontent-length: 100000\r\n\r\n');
    const trickle = setInterval(() => socket.write('x'), 50);
    const parts = (await socket.toArray()) as Buffer[];
    clearInterval(trickle);
    expect(Buffer.concat(parts).toString('utf8')).toMatch(/^HTTP\/1\.1 408 /);
    expect(requests).toEqual([]);
  });

  it('answers other requests while a slow body arrives', async () => {
    const { url, requests } = await start();
    const slow = Array.from({ length: 50 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    for (const socket of slow) socket.write('POST /hubs/slow/audit HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\nx');
    expect((await fetch(`${url}/hubs/practice/audit`, { method: 'POST', body: '{}' })).status).toBe(200);
    expect(requests.map(({ hub }) => hub)).toEqual(['practice']);
    for (const socket of slow) socket.destroy();
  });
});
