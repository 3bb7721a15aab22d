import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, apiClient, askForNews, operationPaths, requestOf } from '../../../shared/console-api/api-client.ts';
import type { Operation } from '../../../shared/console-api/operation.ts';
import { operations } from '../../../shared/console-api/operations.ts';

describe('the paths of the client', () => {
  it('are exactly those of the table of operations', () => {
    const wanted = Object.entries(operations as Readonly<Record<string, Operation>>).map(([name, { kind, path }]) => [
      name,
      [kind === 'query' ? 'GET' : 'POST', path],
    ]);
    expect(operationPaths).toEqual(Object.fromEntries(wanted));
  });
});

describe('a request of the client', () => {
  it('has the path parameters in its path, and the other fields in its query', () => {
    expect(requestOf('getTask', { hub: 'practice', name: 'a/b', from: 500 })).toEqual({
      method: 'GET',
      url: 'api/hubs/practice/tasks/a%2Fb?from=500',
    });
    expect(requestOf('listDeadLetters', { queue: undefined })).toEqual({ method: 'GET', url: 'api/dead-letters' });
  });

  it('has the fields of a POST in its body', () => {
    expect(requestOf('pauseHub', { hub: 'practice', reason: 'upgrade' })).toEqual({
      method: 'POST',
      url: 'api/hubs/practice/pause',
      body: '{"reason":"upgrade"}',
    });
    expect(requestOf('resumeHub', { hub: 'practice' })).toMatchObject({ url: 'api/hubs/practice/resume', body: '{}' });
  });
});

describe('a failed request', () => {
  it('is a lost connection without a response, or with one of a proxy', () => {
    expect([undefined, 200, 502, 504].map((status) => new ApiError('', status).isLostConnection)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('is an error response if the API answered', () => {
    expect([400, 404, 409, 500, 503].map((status) => new ApiError('', status).isLostConnection)).toEqual(
      Array(5).fill(false),
    );
  });
});

describe('the client of the API', () => {
  let asked: { url: string; init: RequestInit }[];
  let answer: () => Response | Promise<Response>;
  beforeEach(() => {
    asked = [];
  });
  const fetch = (async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer();
  }) as typeof globalThis.fetch;
  const ask = apiClient(fetch);

  const { signal } = new AbortController();
  const news = (etag?: string) => askForNews<'listHubs'>(fetch, { method: 'GET', url: 'api/hubs' }, { etag, signal });

  it('sends the ETag of its last response, and bypasses the cache of the browser', async () => {
    answer = () => Response.json({ hubs: [] }, { headers: { etag: '"2"' } });
    expect(await news()).toEqual({ data: { hubs: [] }, etag: '"2"' });
    expect(await news('"1"')).toEqual({ data: { hubs: [] }, etag: '"2"' });
    const common = { method: 'GET', cache: 'no-store', signal };
    expect(asked).toEqual([
      { url: 'api/hubs', init: { ...common, headers: {} } },
      { url: 'api/hubs', init: { ...common, headers: { 'If-None-Match': '"1"' } } },
    ]);
    answer = () => new Response(null, { status: 304 });
    expect(await news('"2"')).toBe(undefined);
    answer = () => Response.json({ hubs: [] });
    expect(await news()).toEqual({ data: { hubs: [] }, etag: undefined });
  });

  it('sends a GET without headers, the first query of a resource too', async () => {
    answer = () => Response.json({ hubs: [] });
    await ask('listHubs', {});
    await news();
    expect(asked.map(({ init }) => Object.keys(init.headers ?? {}))).toEqual([[], []]);
  });

  it('sends a POST as JSON', async () => {
    answer = () => Response.json({ withinSeconds: 60 });
    expect(await ask('resumeHub', { hub: 'practice' })).toEqual({ withinSeconds: 60 });
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', cache: 'no-store', headers, body: '{}' };
    expect(asked).toEqual([{ url: 'api/hubs/practice/resume', init }]);
  });

  it.each([
    ['the error message of the API', Response.json({ error: 'no such hub' }, { status: 404 }), 'no such hub', 404],
    ['the status if there is no error message', new Response('page', { status: 502 }), 'answered 502', 502],
    ['the status of an error in another form', Response.json({ error: 7 }, { status: 500 }), 'answered 500', 500],
    ['a page of a proxy as a lost connection', new Response('page'), 'answered 200', 200],
  ])('reports %s', async (_, response, message, status) => {
    answer = () => response;
    await expect(ask('listHubs', {})).rejects.toMatchObject({ message, status });
  });

  it('reports a missing response, and rethrows an AbortError', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(news()).rejects.toMatchObject({
      message: 'no response from the server',
      status: undefined,
      isLostConnection: true,
    });
    for (const [thrown, name] of [
      [new DOMException('off', 'AbortError'), 'AbortError'],
      [new DOMException('off', 'NetworkError'), 'Error'],
    ] as const) {
      answer = () => Promise.reject(thrown);
      await expect(news()).rejects.toMatchObject({ name });
    }
  });
});
