import { afterEach, describe, expect, it } from 'vitest';
import { type HookServer, startHookServer } from '../../local/hook-server.ts';

let server: HookServer | undefined;
afterEach(() => server?.close());

async function start(): Promise<{
  url: string;
  requests: { hub: string | undefined; body: string | undefined; token: string | undefined }[];
}> {
  const requests: { hub: string | undefined; body: string | undefined; token: string | undefined }[] = [];
  server = await startHookServer(async (event) => {
    requests.push({ hub: event.pathParameters?.hub, body: event.body, token: event.headers.authorization });
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
  }, 0);
  return { url: server.url, requests };
}

describe("the hook's URL in the local run", () => {
  it('hands a request to the function as the gateway does', async () => {
    const { url, requests } = await start();
    const headers = { authorization: 'Bearer x' };
    expect(
      (await fetch(`${url}/hubs/practice/audit?timeout=30s`, { method: 'POST', body: '{"a":1}', headers })).status,
    ).toBe(200);
    expect(requests).toEqual([{ hub: 'practice', body: '{"a":1}', token: 'Bearer x' }]);
  });

  it.each([
    ['another path', '/other', 'POST'],
    ['another method', '/hubs/practice/audit', 'GET'],
    ['a hub with a slash', '/hubs/a/b/audit', 'POST'],
  ])('answers 404 to %s', async (_, path, method) => {
    const { url, requests } = await start();
    expect((await fetch(`${url}${path}`, { method })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('refuses a body of 11 MB with 413, without handing it on', async () => {
    const { url, requests } = await start();
    const answer = await fetch(`${url}/hubs/practice/audit`, { method: 'POST', body: 'x'.repeat(11 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(requests).toEqual([]);
  });
});
