import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { auditEventOf, eventList, type HookAnswer, type HookCall, hookScene } from '../../fakes/hook-scene.ts';

const token = 'the-token-of-karmada';
const secrets = { karmada: { hookTokens: [token] }, edge: { hookTokens: ['the-token-of-edge-1'] } };
const MB = 1024 * 1024;

const scene = () => hookScene({ hubs: secrets, settings: { auditBodyKib: 1024 } });

/** The response to a body that the hub sends, and the events that were published. */
async function sent(call: Partial<HookCall> & Pick<HookCall, 'body'>): Promise<HookAnswer & { names: unknown[] }> {
  const s = scene();
  const answered = await s.post({ bearer: token, ...call });
  return { ...answered, names: s.published.map(({ detail }) => detail.name) };
}

describe('rejection of a body that is not a list of audit events', () => {
  const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}0${close.repeat(depth)}`;

  it.each<readonly [string, Partial<HookCall> & Pick<HookCall, 'body'>, number, string]>([
    ['nothing', { body: '' }, 400, 'the body is not JSON'],
    ['not JSON', { body: '{"kind":' }, 400, 'the body is not JSON'],
    ['a number', { body: '1' }, 400, 'not an audit EventList'],
    ['null', { body: 'null' }, 400, 'not an audit EventList'],
    ['a list', { body: '[]' }, 400, 'not an audit EventList'],
    [
      'JSON of another kind',
      { body: '{"kind":"PodList","apiVersion":"v1","items":[]}' },
      400,
      'not an audit EventList',
    ],
    ['one event', { body: JSON.stringify(auditEventOf('a')) }, 400, 'not an audit EventList'],
    ['items that are no list', { body: eventList([]).replace('[]', '{}') }, 400, 'not an audit EventList'],
    [
      'another version',
      { body: eventList([]).replace('/v1', '/v1beta1') },
      400,
      '--audit-webhook-version=audit.k8s.io/v1',
    ],
    ['a kind that is the prototype', { body: '{"__proto__":{"kind":"EventList"}}' }, 400, 'not an audit EventList'],
    ['NUL', { body: '\0\0\0' }, 400, 'the body is not JSON'],
    ['not UTF-8', { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }, 400, 'the body is not UTF-8'],
    ['half a character', { body: Buffer.from('"ä"').subarray(0, 2) }, 400, 'the body is not UTF-8'],
    ['100,000 lists in each other', { body: nested('[', ']', 100_000) }, 400, 'not an audit EventList'],
    ['100,000 lists that do not end', { body: '['.repeat(100_000) }, 400, 'the body is not JSON'],
    ['100,000 objects in each other', { body: nested('{"a":', '}', 100_000) }, 400, 'not an audit EventList'],
    [
      '11 MB',
      { body: ' '.repeat(11 * MB) },
      413,
      'the body has 11534336 bytes, at most 1048576 bytes are taken; lower',
    ],
    [
      '11 MB of gzip bomb',
      { body: gzipSync(Buffer.alloc(11 * MB, ' ')), headers: { 'content-encoding': 'gzip' } },
      413,
      'the body unpacks to more, at most 1048576 bytes are taken; lower --audit-webhook-batch-max-size',
    ],
    [
      'a gzip bomb in gzip',
      { body: gzipSync(gzipSync(Buffer.alloc(11 * MB))), headers: { 'content-encoding': 'gzip' } },
      400,
      'the body is not',
    ],
    [
      'two bombs in one body',
      {
        body: Buffer.concat([0, 1].map(() => gzipSync(Buffer.alloc(MB - 1, ' ')))),
        headers: { 'content-encoding': 'gzip' },
      },
      413,
      'the body unpacks to more',
    ],
    [
      'no gzip, though declared as gzip',
      { body: '{}', headers: { 'content-encoding': 'gzip' } },
      400,
      'the body did not arrive as gzip; send packed bytes with content-type application/gzip',
    ],
    [
      'half a gzip',
      { body: gzipSync(eventList([])).subarray(0, 20), headers: { 'content-encoding': 'gzip' } },
      400,
      'the body did not arrive as gzip; send packed bytes with content-type application/gzip',
    ],
    ['gzip that is not declared', { body: gzipSync(eventList([])) }, 400, 'the body is not UTF-8'],
    [
      'another packing',
      { body: '', headers: { 'content-encoding': 'br' } },
      415,
      'content-encoding is "br"; send gzip',
    ],
    [
      'gzip twice',
      { body: '', headers: { 'content-encoding': 'gzip, gzip' } },
      415,
      'content-encoding is "gzip, gzip"',
    ],
    [
      'another type',
      { body: '', headers: { 'content-type': 'text/plain' } },
      415,
      'content-type is "text/plain"; send',
    ],
    [
      'no type',
      { body: '', headers: { 'content-type': '' } },
      415,
      'content-type is missing; send application/json, or application/gzip',
    ],
    [
      'another charset',
      { body: '', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'content-type',
    ],
    ['protobuf', { body: '', headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } }, 415, 'content-type'],
    [
      '20,001 items',
      { body: eventList(Array.from({ length: 20_001 }, () => 0)) },
      413,
      'the body has 20001 items, at most 20000 are taken',
    ],
  ])('%s', async (_, call, status, message) => {
    const answered = await sent(call);
    expect([answered.status, answered.names]).toEqual([status, []]);
    expect(answered.answer.error).toContain(message);
  });
});

describe('a list of audit events is taken', () => {
  it.each<readonly [string, Partial<HookCall> & Pick<HookCall, 'body'>]>([
    [
      'with a declared charset',
      { body: eventList([]), headers: { 'content-type': 'Application/JSON; charset="UTF-8"' } },
    ],
    [
      'under gzip by its type, as a gateway lets it through',
      { body: gzipSync(eventList([])), headers: { 'content-type': 'application/gzip' } },
    ],
    ['under gzip', { body: gzipSync(eventList([])), headers: { 'content-encoding': 'GZIP' } }],
    ['uncompressed, declared as identity', { body: eventList([]), headers: { 'content-encoding': 'identity' } }],
    ['with unknown fields', { body: eventList([]).replace('{', '{"constructor":{"prototype":1},') }],
    ['with no items', { body: eventList([]) }],
  ])('%s', async (_, call) => {
    const answered = await sent(call);
    expect(answered).toMatchObject({ status: 200, answer: { events: 0, unreadable: 0 }, names: [] });
  });

  it('publishes each of 10,000 items once', async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => auditEventOf(`r-${i}`));
    const body = gzipSync(eventList(items));
    const s = hookScene({ hubs: secrets, settings: { auditBodyKib: 6000 } });
    const { status, answer } = await s.post({ body, bearer: token, headers: { 'content-encoding': 'gzip' } });
    expect([status, answer.events, answer.admitted]).toEqual([200, 10_000, 10_000]);
    expect(s.published.map(({ detail }) => detail.name)).toEqual(items.map((_, i) => `r-${i}`));
  });

  it('publishes a repeated audit event once', async () => {
    const item = auditEventOf('a');
    const answered = await sent({ body: eventList([item, item, item]) });
    expect(answered).toMatchObject({ status: 200, answer: { events: 1, admitted: 1, repeated: 2 }, names: ['a'] });
  });

  it('of an API server whose clock is an hour off, as of any other', async () => {
    const items = ['2026-11-21T11:00:00.000000Z', '2026-11-21T09:00:00.000000Z', 'yesterday', ''].map((at, i) =>
      auditEventOf(`r-${i}`, { at }),
    );
    expect((await sent({ body: eventList(items) })).names).toEqual(['r-0', 'r-1', 'r-2', 'r-3']);
  });
});

describe('an item that is none is left out and counted, and the rest of the batch is taken', () => {
  const good = auditEventOf('good');
  const beside = async (...items: unknown[]) => sent({ body: eventList([items[0], good, ...items.slice(1)]) });

  it.each<readonly [string, unknown]>([
    ['null', null],
    ['a text', 'poison'],
    ['a list', []],
    ['an object without a stage', {}],
    ['a verb that is a number', { ...good, verb: 7 }],
    ['a user that is a text', { ...good, user: 'admin' }],
    ['a code that is a text', { ...good, responseStatus: { code: '201' } }],
    ['one whose prototype would be an event', JSON.parse(`{"__proto__":${JSON.stringify(good)}}`)],
  ])('%s', async (_, item) => {
    expect(await beside(item)).toMatchObject({ status: 200, answer: { admitted: 1, unreadable: 1 }, names: ['good'] });
  });

  it.each([
    'a/b',
    '../../namespaces/kube-system',
    '..',
    '.',
    'a\0b',
    'Ä',
    '名前',
    '\u202egnp',
    'a b',
    'A',
    '-a',
    'a%2fb',
    'a\n',
    'x'.repeat(254),
    'x'.repeat(500_000),
    7,
    {},
    ['a'],
    true,
  ])('the name %j, which no event then carries', async (name) => {
    const { status, answer, names } = await beside(auditEventOf(name));
    expect([status, answer.unreadable, names]).toEqual([200, 1, ['good']]);
    expect(String(answer.firstUnreadable)).toMatch(/^items\[0\]\.objectRef\.name: /);
    expect(String(answer.firstUnreadable).length).toBeLessThan(100);
  });

  it('one with 10,000 lists in each other', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const body = eventList([{ ...good, objectRef: 'deep' }, good]).replace('"deep"', deep);
    expect(await sent({ body })).toMatchObject({
      status: 200,
      answer: { admitted: 1, unreadable: 1 },
      names: ['good'],
    });
  });

  it('a name of another kind, which may hold what ours may not, is of no concern', async () => {
    const role = {
      ...good,
      objectRef: { apiGroup: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'system:x' },
    };
    expect(await beside(role)).toMatchObject({ answer: { ignored: 1, unreadable: 0 }, names: ['good'] });
  });

  it('is counted in a metric', async () => {
    const s = scene();
    await s.post({ body: eventList([null, 1, good]), bearer: token });
    expect(s.counts.get('AuditEventsUnreadable')).toBe(2);
  });

  it('leaves every object of this process as it was', async () => {
    const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
    const items = keys.map(
      (key) => JSON.parse(`{"${key}":{"polluted":true},"objectRef":{"${key}":{"polluted":true}}}`) as unknown,
    );
    await beside(...items);
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined);
  });
});

describe('a batch that comes again', () => {
  const batch = eventList(Array.from({ length: 50 }, (_, i) => auditEventOf(`r-${i}`)));

  it('costs nothing, an hour later too', async () => {
    const s = scene();
    await s.post({ body: batch, bearer: token });
    s.clock.now += 3_600_000;
    expect(await s.post({ body: batch, bearer: token })).toMatchObject({
      status: 200,
      answer: { events: 0, repeated: 50 },
    });
    expect(s.published.length).toBe(50);
  });

  it('is taken if the bus did not take it before', async () => {
    const taken: unknown[] = [];
    let busy = true;
    const s = hookScene({
      hubs: secrets,
      bus: {
        publish: async (events) => {
          if (busy) throw new Error('busy');
          taken.push(...events);
        },
      },
    });
    expect(await s.post({ body: batch, bearer: token })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    });
    busy = false;
    expect(await s.post({ body: batch, bearer: token })).toMatchObject({ status: 200, answer: { events: 50 } });
    expect(taken.length).toBe(50);
  });
});

describe('callers without access', () => {
  const body = eventList([auditEventOf('a')]);
  const rejection = { error: 'this token may not raise events for this hub' };

  it.each<readonly [string, Partial<HookCall>]>([
    ['with no token', {}],
    ['with a wrong token', { bearer: 'a-token-that-is-wrong' }],
    ['with an empty token', { bearer: '' }],
    ['with half a token', { bearer: token.slice(0, -1) }],
    ['with a token of another hub', { bearer: 'the-token-of-edge-1' }],
    ['with two tokens', { bearer: `${token},${token}` }],
    ['by a scheme that is not Bearer', { headers: { authorization: `Basic ${token}` } }],
    ['on the path of a hub that is unknown', { hub: 'stranger', bearer: token }],
    ['on the path of a hub that every object has', { hub: 'constructor', bearer: token }],
    ['on the path of no hub', { hub: '', bearer: token }],
    ['on a path that climbs', { hub: '../karmada', bearer: token }],
    ['on a path with a NUL', { hub: 'karmada\0', bearer: token }],
    ['with a certificate that no connection names', { subject: 'CN=karmada' }],
    ['with a body that is not read', { body: 'x'.repeat(11 * MB) }],
  ])('%s: gets the same response, and is counted', async (_, call) => {
    const s = scene();
    const { status, answer } = await s.post({ body, ...call });
    expect([status, answer]).toEqual([401, rejection]);
    expect([s.published, s.counts.get('HookRejected')]).toEqual([[], 1]);
  });

  it('is shown nothing of a token, and nor is the log', async () => {
    const s = scene();
    await s.post({ body: 'x secret-in-body', bearer: token });
    await s.post({ body, bearer: 'not-the-token-at-all' });
    expect([s.lines.length, s.counts.get('HookRejected')]).toEqual([2, 1]);
    expect(JSON.stringify([s.lines, [...s.counts]])).not.toMatch(/secret-in-body|not-the-token|the-token-of/);
  });
});

describe('two tokens of one hub, while one replaces the other', () => {
  it.each(['the-old-token-of-karmada', 'the-new-token-of-karmada'])('%s is taken', async (bearer) => {
    const hookTokens = ['the-old-token-of-karmada', 'the-new-token-of-karmada'];
    const s = hookScene({ hubs: { karmada: { hookTokens } } });
    expect((await s.post({ body: eventList([]), bearer })).status).toBe(200);
  });
});

describe('a hub that raises more than its share', () => {
  const hubEventsPerSecond = 10;
  const batchOf = (prefix: string, count: number) =>
    eventList(Array.from({ length: count }, (_, i) => auditEventOf(`${prefix}-${i}`)));

  it('is asked to wait, is taken after that, and no other hub waits for it', async () => {
    const s = hookScene({ hubs: secrets, settings: { hubEventsPerSecond } });
    expect((await s.post({ body: batchOf('a', 120), bearer: token })).status).toBe(200);
    const limited = await s.post({ body: batchOf('b', 1), bearer: token });
    // 120 where 100 are free: 20 are owed, and 10 a second are earned.
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
    expect(limited.answer.error).toBe('hub karmada raises more than 10 events a second; send this again later');
    expect((await s.post({ hub: 'edge', body: batchOf('c', 1), bearer: 'the-token-of-edge-1' })).status).toBe(200);
    s.clock.now += 3000;
    expect(await s.post({ body: batchOf('b', 1), bearer: token })).toMatchObject({
      status: 200,
      answer: { events: 1 },
    });
  });

  it('may send any number of irrelevant or already published events', async () => {
    const s = hookScene({ hubs: secrets, settings: { hubEventsPerSecond } });
    await s.post({ body: batchOf('a', 120), bearer: token });
    expect((await s.post({ body: batchOf('a', 120), bearer: token })).answer).toMatchObject({
      events: 0,
      repeated: 120,
    });
  });
});
