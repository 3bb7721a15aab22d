import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHub } from '../../../shared/adapters/kubernetes/connect-hub.ts';
import { resourceBindings } from '../../../shared/model/binding.ts';
import { unread } from '../../../shared/model/resource.ts';
import { workloadRebalancers } from '../../../shared/model/workload-rebalancer.ts';
import type { Hub } from '../../../shared/ports/hub.ts';
import { parseSettings } from '../../../shared/settings.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';

interface Seen {
  readonly line: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

let server: http.Server | undefined;
const seen: Seen[] = [];
const lines: Line[] = [];

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  seen.length = 0;
  lines.length = 0;
});

type Answer = { status?: number; body?: unknown; headers?: Record<string, string>; hang?: boolean };

async function hub(answer: (line: string, index: number) => Answer | Promise<Answer>, settings = {}): Promise<Hub> {
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = '';
    for await (const part of request) body += String(part);
    const line = `${request.method} ${request.url}`;
    seen.push({ line, headers: request.headers, body });
    const { status = 200, body: reply = {}, headers = {}, hang } = await answer(line, seen.length - 1);
    if (hang) return;
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  };
  server = http.createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  return connectHub(
    'karmada',
    { server: url, token: 'hub-token', hookTokens: [] },
    { settings: parseSettings({ hubTimeoutSeconds: 1, ...settings }), telemetry: recording(lines) },
  );
}

function binding(name: string, over: object = {}) {
  return {
    metadata: { name, namespace: 'shop', uid: 'u', resourceVersion: '5', creationTimestamp: '2026-11-21T10:00:00Z' },
    spec: { rescheduleTriggeredAt: null },
    status: { lastScheduledTime: '2026-11-21T10:00:01Z' },
    ...over,
  };
}

const key = { namespace: 'shop', name: 'web-deployment' };
const path = '/base/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings';

describe('reading one object', () => {
  it('asks for it by path, with the token, and reads it into the model', async () => {
    const subject = await hub(() => ({ body: binding('web-deployment') }));
    expect(await subject.get(resourceBindings, key)).toEqual({
      key,
      resourceVersion: '5',
      lastScheduledTime: Date.UTC(2026, 10, 21, 10, 0, 1),
    });
    expect(seen[0]?.line).toBe(`GET ${path}/web-deployment`);
    expect(seen[0]?.headers.authorization).toBe('Bearer hub-token');
  });

  it('is undefined where there is none', async () => {
    expect(await (await hub(() => ({ status: 404 }))).get(resourceBindings, key)).toBeUndefined();
  });

  it('keeps a name with strange characters inside its path segment', async () => {
    await (await hub(() => ({ status: 404 }))).get(resourceBindings, { namespace: 'shop', name: '../../x?y' });
    expect(seen[0]?.line).toBe(`GET ${path}/..%2F..%2Fx%3Fy`);
  });

  it('identifies it by metadata only', async () => {
    const subject = await hub(() => ({ body: { metadata: { uid: 'u', generation: 3 } } }));
    expect(await subject.identify(workloadRebalancers, { namespace: '', name: 'demo' })).toEqual({
      uid: 'u',
      generation: 3,
    });
    expect(seen[0]?.headers.accept).toContain('as=PartialObjectMetadata');
  });

  it('reads one that need not be newer than a version from what the API server has at hand', async () => {
    const subject = await hub(() => ({ status: 404 }));
    await subject.get(resourceBindings, key, { notOlderThan: '17' });
    await subject.identify(workloadRebalancers, { namespace: '', name: 'demo' }, { notOlderThan: '17' });
    expect(seen.map(({ line }) => line)).toEqual([
      `GET ${path}/web-deployment?resourceVersion=17`,
      'GET /base/apis/apps.karmada.io/v1alpha1/workloadrebalancers/demo?resourceVersion=17',
    ]);
  });

  it('takes what a hub has that never got as far as that version, as one restored from a backup', async () => {
    const subject = await hub((line) =>
      line.includes('resourceVersion') ? { status: 504 } : { body: { metadata: { uid: 'u', generation: 3 } } },
    );
    const known = { notOlderThan: '1000' };
    expect(await subject.identify(workloadRebalancers, { namespace: '', name: 'demo' }, known)).toEqual({
      uid: 'u',
      generation: 3,
    });
  });

  it('names the field of an object that it cannot read', async () => {
    const subject = await hub(() => ({
      body: binding('web-deployment', { status: { lastScheduledTime: 'yesterday' } }),
    }));
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject({
      verdict: 'terminal',
      message: expect.stringContaining('status.lastScheduledTime') as string,
    });
  });
});

describe('reading many', () => {
  const names = Array.from({ length: 10 }, (_, i) => `w${i}`);
  const wanted = (some: readonly string[]) => some.map((name) => ({ namespace: 'shop', name }));

  it('reads few one by one', async () => {
    const subject = await hub((line) => ({ body: binding(line.split('/').at(-1) ?? '') }));
    const read = await subject.getMany(resourceBindings, wanted(['w1', 'w2']));
    expect([...read.keys()].sort()).toEqual(['shop/w1', 'shop/w2']);
    expect(seen.map(({ line }) => line).sort()).toEqual([`GET ${path}/w1`, `GET ${path}/w2`]);
  });

  it('reads many by pages, and stops behind the last wanted name', async () => {
    const subject = await hub(() => ({
      body: { metadata: { continue: 'next', remainingItemCount: 1 }, items: names.map((n) => binding(n)) },
    }));
    const read = await subject.getMany(resourceBindings, wanted(['w1', 'w2', 'w3', 'w4', 'w5', 'w0missing']));
    expect([...read.keys()].sort()).toEqual(['w1', 'w2', 'w3', 'w4', 'w5'].map((name) => `shop/${name}`));
    expect(seen.map(({ line }) => line)).toEqual([`GET ${path}?limit=50`]);
  });

  it.each([
    [100, 125],
    [399, 499],
    [3000, 500],
  ])('reads %i from a first page of %i, for more would be work for nothing', async (count, limit) => {
    const subject = await hub(() => ({ body: { metadata: {}, items: [] } }));
    await subject.getMany(resourceBindings, wanted(Array.from({ length: count }, (_, i) => `w${i}`)));
    expect(seen.map(({ line }) => line)[0]).toBe(`GET ${path}?limit=${limit}`);
  });

  it('turns to single reads where fewer objects are wanted than pages are left', async () => {
    const subject = await hub((line) =>
      line.includes('?limit')
        ? { body: { metadata: { continue: 'next', remainingItemCount: 49_500 }, items: [binding('a')] } }
        : { body: binding(line.split('/').at(-1) ?? '') },
    );
    const read = await subject.getMany(resourceBindings, wanted(names));
    expect(read.size).toBe(10);
    expect(seen).toHaveLength(11);
  });

  it('starts a list anew whose page expired', async () => {
    const subject = await hub((_, index) =>
      index === 1
        ? { status: 410, body: { reason: 'Expired' } }
        : index === 0
          ? { body: { metadata: { continue: 'old' }, items: [binding('w0')] } }
          : { body: { metadata: {}, items: names.map((n) => binding(n)) } },
    );
    expect((await subject.getMany(resourceBindings, wanted(names))).size).toBe(10);
    expect(seen.map(({ line }) => line.split('?')[1])).toEqual(['limit=50', 'limit=500&continue=old', 'limit=50']);
  });
});

describe('listing', () => {
  it('leaves out an object that it cannot read, reports it, and gives the others of the page', async () => {
    const item = (name: string, result: string) => ({
      metadata: { name, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T10:00:00Z' },
      spec: { workloads: [] },
      status: { observedWorkloads: [{ workload: { apiVersion: 'v1', kind: 'X', name: 'y' }, result }] },
    });
    const subject = await hub(() => ({
      body: { items: [item('a', 'Successful'), item('b', 'Sort of'), item('c', 'Failed')] },
    }));
    const names: string[] = [];
    for await (const page of subject.list(workloadRebalancers)) names.push(...page.map(({ name }) => name));
    expect(names).toEqual(['a', 'c']);
    expect(lines).toMatchObject([{ code: 'EK201', fields: { hub: 'karmada', reason: 'UnreadableObject' } }]);
    expect(lines[0]?.fields.error).toContain('WorkloadRebalancer b cannot be read: status.observedWorkloads.0.result');
  });
});

describe('listing a part', () => {
  it('asks for a namespace and for labels, on every page', async () => {
    const subject = await hub((_, index) => ({
      body: { metadata: index === 0 ? { continue: 'next' } : {}, items: [] },
    }));
    const within = { namespace: 'shop', labelSelector: 'app=web,tier in (a,b)' };
    for await (const page of subject.list(resourceBindings, within)) expect(page).toEqual([]);
    const query = 'limit=500&labelSelector=app%3Dweb%2Ctier%20in%20(a%2Cb)';
    expect(seen.map(({ line }) => line)).toEqual([`GET ${path}?${query}`, `GET ${path}?${query}&continue=next`]);
  });
});

describe('a member', () => {
  const proxy = (cluster: string) => `/base/apis/cluster.karmada.io/v1alpha1/clusters/${cluster}/proxy`;

  it("is read through the hub's proxy, with the hub's credential", async () => {
    const member = (await hub(() => ({ body: binding('web-deployment') }))).member('member1');
    await member.get(resourceBindings, key);
    expect(member.name).toBe('karmada/member1');
    expect(seen[0]?.line).toBe(`GET ${proxy('member1')}${path.slice('/base'.length)}/web-deployment`);
    expect(seen[0]?.headers.authorization).toBe('Bearer hub-token');
  });

  it('of a strange name stays inside its path segment', async () => {
    const member = (await hub(() => ({ status: 404 }))).member('../x?');
    await member.get(resourceBindings, key);
    expect(seen[0]?.line.startsWith(`GET ${proxy('..%2Fx%3F')}/apis`)).toBe(true);
  });

  it('that is away is said to be so after one request, and is no reason to go easy on the hub', async () => {
    const subject = await hub((line) => (line.includes('/proxy/') ? { status: 503 } : { body: binding('web') }));
    await expect(subject.member('member1').get(resourceBindings, key)).rejects.toMatchObject({
      reason: 'Http503',
      message: expect.stringContaining('hub karmada/member1 answered 503') as string,
    });
    await subject.get(resourceBindings, key);
    expect(seen).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  it("takes of the hub's budget", async () => {
    let open = 0;
    let most = 0;
    const subject = await hub(
      async () => {
        most = Math.max(most, ++open);
        // Long enough for a third to come, if it were let.
        for (let turn = 0; turn < 200 && open < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return { body: binding('web') };
      },
      { hubInFlight: 2 },
    );
    const member = subject.member('member1');
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? subject : member).get(resourceBindings, key)),
    );
    expect([seen.length, most]).toEqual([12, 2]);
  });
});

describe('writing', () => {
  it('asks for no more than metadata in answer to a patch of which only counts whether it went through', async () => {
    const subject = await hub(() => ({ body: { metadata: {} } }));
    const written = await subject.patch(unread(resourceBindings), key, { merge: { spec: {} } });
    expect(written).toMatchObject({ verdict: 'done', object: undefined });
    expect(seen[0]?.headers.accept).toContain('as=PartialObjectMetadata');
    await subject.patch(resourceBindings, key, { merge: { spec: {} } });
    expect(seen[1]?.headers.accept).toBe('application/json');
  });

  it('sends a merge patch, to the subresource where one is named', async () => {
    const subject = await hub(() => ({ body: binding('web-deployment') }));
    const written = await subject.patch(resourceBindings, key, { merge: { status: { a: 1 } }, subresource: 'status' });
    expect(written).toMatchObject({ verdict: 'done', object: { key } });
    expect(seen[0]).toMatchObject({ line: `PATCH ${path}/web-deployment/status`, body: '{"status":{"a":1}}' });
    expect(seen[0]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  it.each([
    [404, 'missing'],
    [409, 'conflict'],
  ])('takes %i as %s', async (status, verdict) => {
    const subject = await hub(() => ({ status }));
    expect(await subject.patch(resourceBindings, key, { merge: {} })).toEqual({ verdict });
    expect(await subject.delete(resourceBindings, key, { uid: 'u', resourceVersion: '5' })).toEqual({ verdict });
  });

  it('deletes only this object in this version', async () => {
    const subject = await hub(() => ({ body: { kind: 'Status' } }));
    expect(await subject.delete(resourceBindings, key, { uid: 'u', resourceVersion: '5' })).toEqual({
      verdict: 'done',
      object: undefined,
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ preconditions: { uid: 'u', resourceVersion: '5' } });
  });
});

describe('a hub in trouble', () => {
  it('is asked again when it says 429, after the time it names', async () => {
    const subject = await hub((_, index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '0' } } : { body: binding('web-deployment') },
    );
    expect(await subject.get(resourceBindings, key)).toMatchObject({ key });
    expect(seen).toHaveLength(2);
  });

  it('is left alone when it asks for longer than we may wait, with the time it named', async () => {
    const subject = await hub(() => ({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { reason: 'TooManyRequests', message: 'slow down' },
    }));
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject({
      verdict: 'limited',
      retryAfterMs: 60_000,
      reason: 'TooManyRequests',
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [
      'denies',
      403,
      { reason: 'Forbidden', message: 'not you' },
      'karmada answered 403 to get resourcebindings: not you',
    ],
    ['breaks', 500, { message: 'etcd' }, 'answered 500'],
    ['stands behind a proxy that speaks HTML', 502, '<html>bad gateway</html>', 'bad gateway'],
  ])('%s: a retryable fault that says what it said', async (_, status, body, message) => {
    const subject = await hub(() => ({ status, body }));
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject({
      verdict: 'retryable',
      message: expect.stringContaining(message) as string,
    });
  });

  it('does not answer: a retryable fault within the time a request may take, without the token', async () => {
    const subject = await hub(() => ({ hang: true }));
    const fault = await subject.get(resourceBindings, key).catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({
      verdict: 'retryable',
      reason: 'HubUnreachable',
      message: expect.stringContaining('no answer in time') as string,
    });
    expect((fault as Error).message).not.toContain('hub-token');
  });

  it('is down: a retryable fault that names it', async () => {
    const subject = await hub(() => ({}));
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject({
      reason: 'HubUnreachable',
      message: expect.stringContaining('127.0.0.1') as string,
    });
  });

  it('answers nothing to a hundred requests: most are not sent, and all come again', async () => {
    const subject = await hub(() => ({ hang: true }), { hubInFlight: 4 });
    const faults = await Promise.all(
      Array.from({ length: 100 }, () => subject.get(resourceBindings, key).catch((thrown: unknown) => thrown)),
    );
    expect(faults.filter((fault) => (fault as { reason: string }).reason === 'HubOverloaded').length).toBeGreaterThan(
      85,
    );
  });
});
