import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { resourceBindings } from '../../../../shared/karmada/binding.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { KubernetesHub } from '../../../../shared/kubernetes/client/kubernetes-hub.ts';
import type { Hub } from '../../../../shared/kubernetes/hub.ts';
import { unread } from '../../../../shared/kubernetes/resource.ts';
import { workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { type Line, recording } from '../../../fakes/telemetry.ts';

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
    { settings: parseSettings(settings), telemetry: recording(lines) },
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
      generation: 1,
      lastScheduledTime: Date.UTC(2026, 10, 21, 10, 0, 1),
    });
    expect(seen[0]?.line).toBe(`GET ${path}/web-deployment`);
    expect(seen[0]?.headers.authorization).toBe('Bearer hub-token');
  });

  it('is undefined if there is none', async () => {
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

  it('reads from the cache of the API server if a minimum version is sufficient', async () => {
    const subject = await hub(() => ({ status: 404 }));
    await subject.get(resourceBindings, key, { notOlderThan: '17' });
    await subject.identify(workloadRebalancers, { namespace: '', name: 'demo' }, { notOlderThan: '17' });
    expect(seen.map(({ line }) => line)).toEqual([
      `GET ${path}/web-deployment?resourceVersion=17`,
      'GET /base/apis/apps.karmada.io/v1alpha1/workloadrebalancers/demo?resourceVersion=17',
    ]);
  });

  it('accepts the state of a hub that never reached that version, such as one restored from a backup', async () => {
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
      retryClass: 'terminal',
      message: expect.stringContaining('status.lastScheduledTime') as string,
    });
  });
});

describe('listing objects', () => {
  const names = Array.from({ length: 10 }, (_, i) => `w${i}`);
  const wanted = (some: readonly string[]) => some.map((name) => ({ namespace: 'shop', name }));

  it('reads a few objects one by one', async () => {
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

  it('reports an unreadable object on a page, and returns the others', async () => {
    const items = names.map((name) =>
      binding(name, name === 'w3' ? { status: { lastScheduledTime: 'yesterday' } } : {}),
    );
    const subject = await hub(() => ({ body: { metadata: {}, items } }));
    const faults: string[] = [];
    const read = await subject.getMany(resourceBindings, wanted(names), ({ reason }) => faults.push(reason));
    expect(faults).toEqual(['UnreadableObject']);
    expect(read.size).toBe(9);
    expect(read.has('shop/w3')).toBe(false);
    await expect(subject.getMany(resourceBindings, wanted(names))).rejects.toMatchObject({
      reason: 'UnreadableObject',
    });
  });

  it('passes over an object of a page that has no metadata', async () => {
    const subject = await hub(() => ({ body: { metadata: {}, items: [{}, ...names.map((name) => binding(name))] } }));
    expect((await subject.getMany(resourceBindings, wanted(names))).size).toBe(10);
  });

  it.each([
    [10, 1, 1 + 10],
    [99, 2500, 1 + 99],
    [100, 2500, 1 + 5],
    [500, 49_500, 1 + 500],
  ])(
    'of %i wanted objects, with %i more on pages of 500 after the first, needs %i requests',
    async (count, more, all) => {
      const many = Array.from({ length: count }, (_, index) => `w${index}`);
      const subject = await hub((line, index) => {
        if (!line.includes('?limit')) return { body: binding(line.split('/').at(-1) ?? '') };
        const remainingItemCount = more - index * 500;
        if (remainingItemCount > 0)
          return { body: { metadata: { continue: `page ${index}`, remainingItemCount }, items: [binding('a')] } };
        return { body: { metadata: {}, items: many.map((name) => binding(name)) } };
      });
      expect((await subject.getMany(resourceBindings, wanted(many))).size).toBe(count);
      expect(seen).toHaveLength(all);
    },
  );

  it('goes on after a page without objects that has a continue token', async () => {
    const digits = names.map((_, i) => `${i}-web`);
    const subject = await hub((_, index) => ({
      body:
        index === 0
          ? { metadata: { continue: 'next' }, items: [] }
          : { metadata: {}, items: digits.map((name) => binding(name)) },
    }));
    expect((await subject.getMany(resourceBindings, wanted(digits))).size).toBe(10);
  });

  it('restarts a list if its page expired', async () => {
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

describe('a list in parts', () => {
  const pagesFrom = async (
    subject: Awaited<ReturnType<typeof hub>>,
    options: Parameters<typeof subject.list>[1],
    most = Number.POSITIVE_INFINITY,
  ) => {
    let pages = 0;
    for await (const page of subject.list(resourceBindings, options)) {
      pages += page.length;
      if (pages >= most) break;
    }
  };
  const answers = (_: string, index: number) => ({
    body: {
      metadata: { resourceVersion: '7', ...(index < 2 && { continue: `page-${index + 2}` }) },
      items: [binding('a')],
    },
  });

  it.each([
    ['names the next page when a page is handled, and then that there is none', 9, ['page-2', 'page-3', '']],
    ['names no page after one that is not handled', 2, ['page-2']],
  ])('%s', async (_, most, expected) => {
    const handled: string[] = [];
    await pagesFrom(await hub(answers), { onHandled: (next) => handled.push(next) }, most);
    expect(handled).toEqual(expected);
  });

  it('goes on from a page, and reports no version', async () => {
    const versions: string[] = [];
    await pagesFrom(await hub((_, index) => answers(_, index + 1)), {
      from: 'page-2',
      onVersion: (version) => versions.push(version),
    });
    expect(seen.map(({ line }) => line.split('?')[1])).toEqual([
      'limit=500&continue=page-2',
      'limit=500&continue=page-3',
    ]);
    expect(versions).toEqual([]);
  });

  it.each([
    ['with the token of the response, if a page expired', { continue: 'now' }, '&continue=now', 0],
    ['from the start, if that has none', {}, '', 1],
  ])('goes on %s', async (_, metadata, query, versionsAfter) => {
    const versions: string[] = [];
    const subject = await hub((line) =>
      line.endsWith('continue=old')
        ? { status: 410, body: { kind: 'Status', reason: 'Expired', metadata } }
        : { body: { metadata: { resourceVersion: '9' }, items: [] } },
    );
    await pagesFrom(subject, { from: 'old', onVersion: (version) => versions.push(version) });
    expect(seen.map(({ line }) => line.split('?')[1])).toEqual(['limit=500&continue=old', `limit=500${query}`]);
    expect(versions).toHaveLength(versionsAfter);
  });
});

describe('a list of no objects', () => {
  it('may have null for its items, as Go writes an empty list, and need not have a version', async () => {
    const versions: string[] = [];
    const subject = await hub(() => ({ body: { metadata: {}, items: null } }));
    for await (const page of subject.list(resourceBindings, { onVersion: (version) => versions.push(version) }))
      expect(page).toEqual([]);
    expect([versions, lines]).toEqual([[''], []]);
  });
});

describe('listing a part', () => {
  it('requests metadata only, as a list, if no more is needed', async () => {
    const subject = await hub(() => ({ body: { metadata: {}, items: [] } }));
    for await (const page of subject.list(unread(resourceBindings))) expect(page).toEqual([]);
    expect(seen[0]?.headers.accept).toBe('application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
  });

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

describe('listing the objects of one name', () => {
  it('asks all namespaces for it, on every page', async () => {
    const subject = await hub((_, index) => ({
      body: { metadata: index === 0 ? { continue: 'next' } : {}, items: [] },
    }));
    for await (const page of subject.list(resourceBindings, { named: 'prices.v1' })) expect(page).toEqual([]);
    const all = '/base/apis/work.karmada.io/v1alpha2/resourcebindings';
    const query = 'limit=500&fieldSelector=metadata.name%3Dprices.v1';
    expect(seen.map(({ line }) => line)).toEqual([`GET ${all}?${query}`, `GET ${all}?${query}&continue=next`]);
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

  it('is reported as unreachable after one request, without a lower concurrency limit for the hub', async () => {
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
  it('requests only metadata in the response to a patch whose result is not needed', async () => {
    const subject = await hub(() => ({ body: { metadata: {} } }));
    const written = await subject.patch(unread(resourceBindings), key, { merge: { spec: {} } });
    expect(written).toMatchObject({ result: 'done', object: undefined });
    expect(seen[0]?.headers.accept).toContain('as=PartialObjectMetadata');
    await subject.patch(resourceBindings, key, { merge: { spec: {} } });
    expect(seen[1]?.headers.accept).toBe('application/json');
  });

  it('names the verb and the resource of a patch that the hub rejects', async () => {
    const subject = await hub(() => ({ status: 403, body: { reason: 'Forbidden', message: 'not you' } }));
    await expect(subject.patch(resourceBindings, key, { merge: {} })).rejects.toMatchObject({
      message: 'hub karmada answered 403 to patch resourcebindings: not you',
    });
  });

  it('sends a merge patch, to the subresource if one is given', async () => {
    const subject = await hub(() => ({ body: binding('web-deployment') }));
    const written = await subject.patch(resourceBindings, key, { merge: { status: { a: 1 } }, subresource: 'status' });
    expect(written).toMatchObject({ result: 'done', object: { key } });
    expect(seen[0]).toMatchObject({ line: `PATCH ${path}/web-deployment/status`, body: '{"status":{"a":1}}' });
    expect(seen[0]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  it.each([
    [404, 'missing'],
    [409, 'conflict'],
  ])('takes %i as %s', async (status, result) => {
    const subject = await hub(() => ({ status }));
    expect(await subject.patch(resourceBindings, key, { merge: {} })).toEqual({ result });
    expect(await subject.delete(resourceBindings, key, { uid: 'u', resourceVersion: '5' })).toEqual({ result });
  });

  it('deletes only this object in this version', async () => {
    const subject = await hub(() => ({ body: { kind: 'Status' } }));
    expect(await subject.delete(resourceBindings, key, { uid: 'u', resourceVersion: '5' })).toEqual({
      result: 'done',
      object: undefined,
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ preconditions: { uid: 'u', resourceVersion: '5' } });
  });
});

/** A server that sends `part` without end after `status`; it counts what it could send. */
async function endlessServer(status: number): Promise<{ subject: Hub; sent: () => number; closed: Promise<unknown> }> {
  const part = Buffer.alloc(64 * 1024, ' ');
  let sent = 0;
  let onClose: (value: unknown) => void = () => undefined;
  const closed = new Promise((resolve) => (onClose = resolve));
  server = http.createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const send = () => {
      while (!response.destroyed) {
        sent += part.byteLength;
        if (!response.write(part)) return void response.once('drain', send);
      }
    };
    response.on('close', onClose);
    send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A busy machine reads 128 MiB in more than the 10 s of the default.
  const context = { settings: { ...parseSettings({}), hubTimeoutSeconds: 60 }, telemetry: recording(lines) };
  return { subject: connectHub('karmada', { server: url, hookTokens: [] }, context), sent: () => sent, closed };
}

describe('a response that does not end', () => {
  it.each([
    [200, 'read', 128],
    [500, 'error', 1],
  ])('of status %i is cut off at the limit of a %s, %i MiB, with its connection', async (status, _, mib) => {
    const { subject, sent, closed } = await endlessServer(status);
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'ResponseTooLarge',
      message: expect.stringMatching(
        new RegExp(`^GET /apis/.* at 127.0.0.1:\\d+: the response .* has more than ${mib * 1024 * 1024} bytes$`),
      ) as string,
    });
    await closed;
    // What is on its way in buffers comes on top.
    expect(sent()).toBeLessThan((mib + 32) * 1024 * 1024);
  });

  it('to a write is cut off at 8 MiB', async () => {
    const { subject, closed } = await endlessServer(200);
    await expect(subject.patch(resourceBindings, key, { merge: {} })).rejects.toMatchObject({
      reason: 'ResponseTooLarge',
      message: expect.stringContaining(String(8 * 1024 * 1024)) as string,
    });
    await closed;
  });
});

describe('a list that does not end', () => {
  it.each([
    ['repeats its continue token', () => 'the-same', 2],
    ['goes round in a circle of three tokens', (index: number) => `token-${index % 3}`, 4],
  ])('because the hub %s is ended with a fault that names the list', async (_, token, requests) => {
    const subject = await hub((__, index) => ({ body: { metadata: { continue: token(index) }, items: [] } }));
    const reading = (async () => {
      for await (const page of subject.list(resourceBindings)) expect(page).toEqual([]);
    })();
    await expect(reading).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'EndlessList',
      message: 'hub karmada: the list of resourcebindings repeats a continue token; it would never end',
    });
    expect(seen).toHaveLength(requests);
  });

  it('because every page has a new token is ended after 10,000 pages', async () => {
    let pages = 0;
    const client = {
      send: async () => ({ status: 200, body: { metadata: { continue: `token-${pages++}` }, items: [] } }),
      stream: () => Promise.reject(new Error('no watch is expected')),
      behind: () => client,
    };
    const subject = new KubernetesHub('karmada', { client, onUnreadable: () => {} });
    const reading = (async () => {
      for await (const page of subject.list(resourceBindings)) expect(page).toEqual([]);
    })();
    await expect(reading).rejects.toMatchObject({ reason: 'EndlessList' });
    expect(pages).toBe(10_000);
  });
});

describe('an overloaded or failing hub', () => {
  it('gets the request again after a 429, after the time in its answer', async () => {
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
      retryClass: 'limited',
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
  ])('%s: a retryable fault with the message of the hub', async (_, status, body, message) => {
    const subject = await hub(() => ({ status, body }));
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject({
      retryClass: 'retryable',
      message: expect.stringContaining(message) as string,
    });
  });

  it.each<[string, Answer, string]>([
    [
      'a page',
      { body: '<html>up</html>', headers: { 'content-type': 'text/html' } },
      '200 without JSON: <html>up</html>',
    ],
    ['nothing at all', { body: '', headers: { 'content-type': '' } }, '200 without JSON: '],
    ['half of its JSON', { body: '{"metadata":{' }, 'the hub answered 200 with broken JSON: {"metadata":{'],
  ])('answers 200 with %s: a retryable fault, for no API server does', async (_, response, message) => {
    const subject = await hub(() => response);
    const fault = { retryClass: 'retryable', message: expect.stringContaining(message) as string };
    await expect(subject.get(resourceBindings, key)).rejects.toMatchObject(fault);
  });

  it('does not answer: a retryable fault within the time a request may take, without the token', async () => {
    const subject = await hub(() => ({ hang: true }), { hubTimeoutSeconds: 1 });
    const fault = await subject.get(resourceBindings, key).catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({
      retryClass: 'retryable',
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

  it('answers none of a hundred requests: most are not sent, and all are retried', async () => {
    const subject = await hub(() => ({ hang: true }), { hubInFlight: 4, hubTimeoutSeconds: 1 });
    const faults = await Promise.all(
      Array.from({ length: 100 }, () => subject.get(resourceBindings, key).catch((thrown: unknown) => thrown)),
    );
    const reported = faults.map((fault) => fault as { reason: string; retryClass: string });
    expect(reported.filter(({ reason }) => reason === 'HubOverloaded').length).toBeGreaterThan(85);
    expect(new Set(reported.map(({ reason, retryClass }) => `${reason} ${retryClass}`))).toEqual(
      new Set(['HubOverloaded limited', 'HubUnreachable retryable']),
    );
    expect(seen.length).toBeLessThan(15);
  });
});
