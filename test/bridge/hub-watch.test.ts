import { describe, expect, it } from 'vitest';
import type { WatchEvent } from '../../bridge/changes.ts';
import { HubWatch } from '../../bridge/hub-watch.ts';
import { managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import type { ApiRequest, ApiResponse, StreamLimits, Transport } from '../../shared/kubernetes/client/transport.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

const requests: (ApiRequest & { readonly limits?: StreamLimits })[] = [];

function hubOf({
  answer,
  parts = [],
  status = 200,
}: {
  answer?: ApiResponse;
  parts?: readonly string[];
  status?: number;
}) {
  requests.length = 0;
  const text = (async function* () {
    yield* parts;
  })();
  const transport: Transport = {
    send: async (request) => {
      requests.push(request);
      return answer ?? { status: 200, body: { metadata: { resourceVersion: '7' } } };
    },
    stream: async (request, limits) => {
      requests.push({ ...request, limits });
      return { status, text };
    },
    close: () => undefined,
  };
  return transport;
}

async function watched(parts: readonly string[], { status = 200, options = {} } = {}) {
  const batches: (readonly WatchEvent[])[] = [];
  const watch = new HubWatch(hubOf({ parts, status }), workloadRebalancers, options);
  for await (const events of watch.watch('41', AbortSignal.timeout(5000))) batches.push(events);
  return batches;
}

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const web = { name: 'web', uid: 'uid-1', resourceVersion: '42', generation: 3 };
const changed = (over: object, type = 'MODIFIED') => line(type, { metadata: { ...web, ...over } });

describe('the version of a collection', () => {
  it('is read from a list of one object, as metadata', async () => {
    expect(await new HubWatch(hubOf({}), workloadRebalancers).version()).toBe('7');
    expect(requests).toEqual([
      {
        method: 'GET',
        path: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers?limit=1',
        accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      },
    ]);
  });

  it.each([
    [
      { status: 403, body: { reason: 'Forbidden', message: 'no' } },
      'retryable',
      'Forbidden',
      '403 to list workloadrebalancers: no',
    ],
    [{ status: 404, body: undefined }, 'retryable', 'Http404', '404 to list workloadrebalancers: no message'],
    [{ status: 429, body: undefined }, 'limited', 'Http429', '429 to list workloadrebalancers: no message'],
    [{ status: 200, body: {} }, 'retryable', 'Http200', '200 to list workloadrebalancers: no message'],
    [
      { status: 500, body: { metadata: { resourceVersion: '7' } } },
      'retryable',
      'Http500',
      '500 to list workloadrebalancers: no message',
    ],
  ])('that is not in the answer %j is a %s Fault', async (answer, retryClass, reason, expected) => {
    const version = new HubWatch(hubOf({ answer }), workloadRebalancers).version();
    await expect(version).rejects.toMatchObject({ retryClass, reason, message: `the hub answered ${expected}` });
  });
});

describe('a watch', () => {
  it('asks for metadata and bookmarks after a version, and is given up when it is silent', async () => {
    await watched([]);
    expect(requests).toMatchObject([
      {
        method: 'GET',
        path: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=41',
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
        limits: { silentMs: 90_000 },
      },
    ]);
  });

  it('yields the lines of each part at once, and a line in two parts when it is complete', async () => {
    const [first, second] = [changed({}), changed({ resourceVersion: '43' })];
    const batches = await watched([
      first.slice(0, 10),
      first.slice(10) + second,
      changed({ resourceVersion: '44' }),
      '{"no',
    ]);
    expect(batches.map((events) => events.map((event) => 'resourceVersion' in event && event.resourceVersion))).toEqual(
      [['42', '43'], ['44']],
    );
  });

  it.each<[string, string, WatchEvent]>([
    [
      'an object',
      changed({}),
      { type: 'Changed', namespace: '', name: 'web', wish: 'uid-1/3//', resourceVersion: '42' },
    ],
    [
      'an object that was created, without a generation',
      changed({ generation: undefined, namespace: 'shop' }, 'ADDED'),
      { type: 'Changed', namespace: 'shop', name: 'web', wish: 'uid-1/0//', resourceVersion: '42' },
    ],
    [
      'an object that is being deleted',
      changed({ deletionTimestamp: '2026-11-21T10:00:00Z' }),
      { type: 'Changed', namespace: '', name: 'web', wish: 'uid-1/3//2026-11-21T10:00:00Z', resourceVersion: '42' },
    ],
    [
      'an object that is gone',
      changed({ deletionTimestamp: '2026-11-21T10:00:00Z' }, 'DELETED'),
      { type: 'Changed', namespace: '', name: 'web', wish: 'uid-1/3//gone', resourceVersion: '42' },
    ],
    [
      'a bookmark',
      line('BOOKMARK', { metadata: { resourceVersion: '50' } }),
      { type: 'Bookmark', resourceVersion: '50' },
    ],
    ['a version that is gone', line('ERROR', { code: 410, message: 'too old' }), { type: 'Expired' }],
    ['another error', line('ERROR', { code: 500, message: 'etcd' }), { type: 'Failed', message: '500 etcd' }],
    ['an error without words', line('ERROR', {}), { type: 'Failed', message: '0 ' }],
  ])('reads %s', async (_, text, event) => {
    expect(await watched([text])).toEqual([[event]]);
  });

  it('takes labels and annotations for wishes of the kinds that have them, and of no other', async () => {
    const wishOf = async (over: object, withWords: boolean) => {
      const [[event] = []] = await watched([changed(over)], { options: { withWords } });
      return event?.type === 'Changed' ? event.wish : undefined;
    };
    const [labels, annotations] = [{ labels: { a: 'b' } }, { annotations: { a: 'b' } }];
    const wishes = await Promise.all([{}, labels, annotations].map((over) => wishOf(over, true)));
    expect(new Set(wishes).size).toBe(3);
    expect(await wishOf(labels, true)).toBe(await wishOf(labels, true));
    expect(await wishOf(labels, false)).toBe('uid-1/3//');
  });

  it('is expired where the hub answers 410', async () => {
    expect(await watched([changed({})], { status: 410 })).toEqual([[{ type: 'Expired' }]]);
  });

  it('fails with the status where the hub answers otherwise', async () => {
    const message = 'the hub answered 503 to watch workloadrebalancers: no message';
    await expect(watched([], { status: 503 })).rejects.toMatchObject({ retryClass: 'limited', message });
  });

  it.each([
    ['{\n', 'a line that is not JSON'],
    [line('OTHER', {}), 'a line that is no watch event'],
    [line('MODIFIED', {}), 'a line that is no watch event'],
    ['x'.repeat(4 * 1024 * 1024 + 1), 'a line of more than 4194304 characters'],
  ])('fails on what is unreadable (%#), to begin anew', async (text, what) => {
    const fault = { retryClass: 'retryable', reason: 'UnreadableWatch', message: `the hub's watch holds ${what}` };
    await expect(watched([text])).rejects.toMatchObject(fault);
  });

  it('takes a line as long as one may be', async () => {
    const long = changed({ annotations: { a: 'x'.repeat(4 * 1024 * 1024 - 300) } });
    expect(await watched([long.slice(0, -1), '\n'])).toHaveLength(1);
  });

  it('is of the collection of its kind', async () => {
    await new HubWatch(hubOf({}), managedClusters).version();
    expect(requests[0]?.path).toBe('/apis/cluster.open-cluster-management.io/v1/managedclusters?limit=1');
  });
});
