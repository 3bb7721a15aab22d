/** Requests as they go over the wire to an API server of the test's own, and what comes of its answers. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTransport, type Transport } from '../../../../shared/kubernetes/client/transport.ts';

const MIB = 1024 * 1024;
let server: http.Server;
let url: string;
let transport: Transport;
let respond: (request: http.IncomingMessage, response: http.ServerResponse) => void;

beforeEach(async () => {
  server = http.createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = createTransport(
    { server: `${url}/base/`, token: 'a-token', hookTokens: [] },
    { maxSockets: 2, timeoutMs: 5000, userAgent: 'evenkeel-test' },
  );
});
afterEach(async () => {
  transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const answers = (status: number, body: string, headers: http.OutgoingHttpHeaders = {}) => {
  respond = (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
};
const get = (path = '/api') => transport.send({ method: 'GET', path });
const patch = () => transport.send({ method: 'PATCH', path: '/api', body: { a: 1 } });

describe('a request to a hub', () => {
  it('has the path of the server, the token and the media types', async () => {
    const seen: object[] = [];
    respond = (request, response) => {
      const { accept, authorization, 'user-agent': agent, 'content-type': type } = request.headers;
      seen.push({ method: request.method, url: request.url, accept, authorization, agent, type });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    await get('/api?limit=1');
    await transport.send({
      method: 'PATCH',
      path: '/api',
      body: {},
      contentType: 'application/merge-patch+json',
      accept: 'x',
    });
    const [authorization, agent] = ['Bearer a-token', 'evenkeel-test'];
    expect(seen).toEqual([
      { method: 'GET', url: '/base/api?limit=1', accept: 'application/json', authorization, agent, type: undefined },
      { method: 'PATCH', url: '/base/api', accept: 'x', authorization, agent, type: 'application/merge-patch+json' },
    ]);
  });
});

describe('a response of a hub', () => {
  it('has the date of the hub and the retry delay if the hub sends them', async () => {
    const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
    answers(429, '{"reason":"TooManyRequests"}', { date, 'retry-after': '2' });
    const body = { reason: 'TooManyRequests' };
    expect(await get()).toEqual({ status: 429, body, retryAfterMs: 2000, serverTime: Date.parse(date) });
  });

  it('has neither if the hub does not send them', async () => {
    respond = (_, response) => {
      response.sendDate = false;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    expect(await get()).toEqual({ status: 200, body: {} });
  });

  it.each([
    ['text/html', 'page', '200 without JSON: page'],
    ['application/jsonp', '{}', '200 without JSON: {}'],
    ['x-application/json', '{}', '200 without JSON: {}'],
  ])('that is %s is not a response of an API server', async (type, body, detail) => {
    answers(200, body, { 'content-type': type });
    const fault = {
      retryClass: 'retryable',
      reason: 'HubUnreachable',
      message: `GET /api at ${new URL(url).host}: ${detail}`,
    };
    await expect(get('/api?x=1')).rejects.toMatchObject(fault);
  });

  it('without a media type is none either', async () => {
    respond = (_, response) => response.writeHead(200).end('{}');
    await expect(get()).rejects.toMatchObject({ reason: 'HubUnreachable' });
  });

  it.each([300, 403, 502])('with status %i is an error with any body', async (status) => {
    answers(status, 'x'.repeat(300), { 'content-type': 'text/html' });
    expect(await get()).toMatchObject({ status, body: { message: 'x'.repeat(200) } });
  });

  it('with broken JSON fails: a read immediately, a write when its body is read', async () => {
    answers(200, '{"a":');
    const message = 'the hub answered 200 with broken JSON: {"a":';
    await expect(get()).rejects.toMatchObject({ retryClass: 'retryable', reason: 'BrokenResponse', message });
    const written = await patch();
    expect(written.status).toBe(200);
    expect(() => written.body).toThrow(message);
  });

  it.each([
    ['an error', 500, get, MIB],
    ['a redirect', 300, get, MIB],
    ['a write', 200, patch, 8 * MIB],
  ])('to %s has a limit, and is taken up to it', async (_, status, ask, limit) => {
    const text = JSON.stringify('x'.repeat(limit - 2));
    answers(status, text);
    expect((await ask()).body).toHaveLength(limit - 2);
    answers(status, `${text} `);
    const tooLarge = `the response (status ${status}) has more than ${limit} bytes`;
    await expect(ask()).rejects.toMatchObject({
      reason: 'ResponseTooLarge',
      message: expect.stringContaining(tooLarge) as string,
    });
  });

  it('to a read may be larger than to a write', async () => {
    answers(200, JSON.stringify('x'.repeat(9 * MIB)));
    expect((await get()).body).toHaveLength(9 * MIB);
  });
});

describe('a stream of a hub', () => {
  const stream = (silentMs = 5000) =>
    transport.stream({ method: 'GET', path: '/watch?watch=true' }, { signal: AbortSignal.timeout(5000), silentMs });
  const textOf = async (given: AsyncIterable<string>) => {
    let all = '';
    for await (const part of given) all += part;
    return all;
  };

  it('is delivered part by part, for any media type', async () => {
    respond = (_, response) => {
      response.writeHead(200).write('a é');
      response.end(' b');
    };
    const { status, text } = await stream();
    expect([status, await textOf(text)]).toEqual([200, 'a é b']);
  });

  it('fails if no data arrives for too long, and if the connection breaks', async () => {
    const host = new URL(url).host;
    respond = (_, response) => void response.writeHead(200).write('a');
    const silent = `GET /watch at ${host}: nothing came for 0.05 s`;
    await expect(textOf((await stream(50)).text)).rejects.toMatchObject({ reason: 'HubUnreachable', message: silent });
    respond = (_, response) => {
      response.writeHead(200).write('a');
      setImmediate(() => response.destroy());
    };
    await expect(stream().then(({ text }) => textOf(text))).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'HubUnreachable',
    });
  });

  it('lets its connection go when it is left early', async () => {
    const closed = new Promise<void>((resolve) => {
      respond = (_, response) => {
        response.writeHead(200).write('a');
        response.once('close', () => resolve());
      };
    });
    const { text } = await stream();
    for await (const _ of text) break;
    await closed;
  });
});
