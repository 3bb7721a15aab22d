/** The changes of a kind since a version: on the practice hub, and on responses that it does not send. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubServer, startHubServer } from '../../../../local/practice-hub/hub-server.ts';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import type { HubClient } from '../../../../shared/kubernetes/client/hub-client.ts';
import { KubernetesHub } from '../../../../shared/kubernetes/client/kubernetes-hub.ts';
import type { ApiRequest, ApiStream } from '../../../../shared/kubernetes/client/transport.ts';
import type { Hub } from '../../../../shared/kubernetes/hub.ts';
import {
  workloadRebalancers as kind,
  type WorkloadRebalancer,
} from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { recording } from '../../../fakes/telemetry.ts';

const user = { username: 'a-user', manager: 'kubectl' };
const spec = { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }] };

function rebalancer(name: string, over: object = {}) {
  return { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata: { name }, spec, ...over };
}

/** Name → TTL of each changed object; null if it was deleted. */
function states(changed: ReadonlyMap<string, WorkloadRebalancer | undefined> | undefined) {
  const entries = [...(changed ?? [])].map(([key, object]) => [key, object ? object.ttlSecondsAfterFinished : null]);
  return Object.fromEntries(entries) as Record<string, number | null | undefined>;
}

describe('changes on the practice hub', () => {
  let server: HubServer;
  let hub: Hub;
  beforeEach(async () => {
    server = await startHubServer({ port: 0 });
    const telemetry = recording([]);
    hub = connectHub('karmada', { server: server.url, hookTokens: [] }, { settings: parseSettings({}), telemetry });
  });
  afterEach(() => server.close());
  const create = (name: string) => server.store.create('workloadrebalancers', rebalancer(name), user);
  const edit = (name: string, ttlSecondsAfterFinished: number) => {
    const body = { spec: { ttlSecondsAfterFinished } };
    server.store.patch('workloadrebalancers', { namespace: '', name }, { type: 'merge', body }, user);
  };
  const now = () => String(server.store.revision());

  it('have the last state of each changed object, and nothing of the others', async () => {
    for (const name of ['a', 'b', 'c', 'd']) create(name);
    const from = now();
    for (const ttl of [1, 2, 3]) edit('a', ttl);
    create('e');
    server.store.delete('workloadrebalancers', { namespace: '', name: 'b' }, user);
    edit('c', 7);
    const changes = await hub.changes(kind, from);
    expect(states(changes?.changed)).toEqual({ '/a': 3, '/b': null, '/c': 7, '/e': undefined });
    expect(changes?.version).toBe(now());
    expect(await hub.changes(kind, now())).toEqual({ version: now(), changed: new Map() });
  });

  it('continue from the version of a list', async () => {
    create('a');
    let listed = '';
    for await (const page of hub.list(kind, { onVersion: (version) => (listed = version) }))
      expect(page.map(({ name }) => name)).toEqual(['a']);
    edit('a', 5);
    expect(states((await hub.changes(kind, listed))?.changed)).toEqual({ '/a': 5 });
  });

  it('end with a bookmark if only objects of other kinds changed', async () => {
    create('a');
    const from = now();
    server.store.create('namespaces', { metadata: { name: 'other' } }, user);
    expect(await hub.changes(kind, from)).toEqual({ version: now(), changed: new Map() });
  });

  it('cannot be followed from a forgotten version, nor from one that the hub has not reached', async () => {
    create('a');
    expect(await hub.changes(kind, '1')).toBeUndefined();
    expect(await hub.changes(kind, String(Number(now()) + 1))).toBeUndefined();
  });
});

interface Scripted {
  readonly until?: string;
  readonly listStatus?: number;
  readonly status?: number;
  readonly parts?: readonly string[];
}

function scripted({ until = '9', listStatus = 200, status = 200, parts = [] }: Scripted) {
  const requests: ApiRequest[] = [];
  const unreadable: string[] = [];
  let read = 0;
  const text = (async function* () {
    for (const part of parts) {
      read += 1;
      yield part;
    }
  })();
  const client: HubClient = {
    send: async (request) => {
      requests.push(request);
      return { status: listStatus, body: { metadata: { resourceVersion: until } } };
    },
    stream: async (request): Promise<ApiStream> => {
      requests.push(request);
      return { status, text };
    },
    behind: () => client,
  };
  const hub = new KubernetesHub('karmada', { client, onUnreadable: ({ message }) => unreadable.push(message) });
  return { hub, requests, unreadable, read: () => read };
}

function line(type: string, resourceVersion: string, name = `w${resourceVersion}`): string {
  const metadata = { name, resourceVersion, uid: `uid-${name}`, creationTimestamp: '2026-11-21T10:00:00Z' };
  return `${JSON.stringify({ type, object: rebalancer(name, { metadata }) })}\n`;
}

const bookmark = (resourceVersion: string) =>
  `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion } } })}\n`;
const failure = (code: number) =>
  `${JSON.stringify({ type: 'ERROR', object: { code, message: 'no', reason: 'R' } })}\n`;

describe('changes', () => {
  it('are read by one list of one object and one watch, bounded in time', async () => {
    const { hub, requests } = scripted({ parts: [line('MODIFIED', '9')] });
    await hub.changes(kind, '7');
    const path = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';
    expect(requests.map((request) => request.path)).toEqual([
      `${path}?limit=1`,
      `${path}?watch=true&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=7`,
    ]);
  });

  it.each([
    [
      'the newest version was seen in an event',
      [line('ADDED', '8'), line('MODIFIED', '9'), line('ADDED', '10')],
      '9',
      2,
    ],
    ['a bookmark has reached it', [line('ADDED', '8'), bookmark('11'), line('ADDED', '12')], '11', 2],
    ['the hub ends the watch before that', [line('ADDED', '8'), bookmark('8')], '8', 2],
    ['nothing came', [], '7', 0],
  ])('end when %s', async (_, parts, version, read) => {
    const subject = scripted({ parts });
    expect((await subject.hub.changes(kind, '7'))?.version).toBe(version);
    expect(subject.read()).toBe(read);
  });

  it('of a watch that is cut in a line are those before the line, which comes again', async () => {
    const { hub } = scripted({ parts: [`${line('ADDED', '8')}${line('ADDED', '9').slice(0, 50)}`] });
    const changes = await hub.changes(kind, '7');
    expect([changes?.version, ...(changes?.changed.keys() ?? [])]).toEqual(['8', '/w8']);
  });

  it('compare versions with more digits than a number holds', async () => {
    const { hub, read } = scripted({
      until: '90071992547409931',
      parts: [
        line('ADDED', '90071992547409930'),
        line('ADDED', '90071992547409931'),
        line('ADDED', '90071992547409932'),
      ],
    });
    await hub.changes(kind, '90071992547409929');
    expect(read()).toBe(2);
  });

  it.each<[string, Scripted]>([
    ['the hub has forgotten the version (410)', { status: 410 }],
    ['the hub has forgotten the version (event)', { parts: [line('ADDED', '8'), failure(410)] }],
    ['the account may not watch', { status: 403 }],
    ['the hub no longer serves the kind', { listStatus: 404 }],
    ['versions are no numbers', { until: 'abc' }],
    [
      'thousands of objects changed',
      { until: '5000', parts: Array.from({ length: 2001 }, (_, i) => line('ADDED', `${10 + i}`)) },
    ],
  ])('are left to a list if %s', async (_, script) => {
    expect(await scripted(script).hub.changes(kind, '7')).toBeUndefined();
  });

  it.each<[string, Scripted, object]>([
    ['an error of the hub', { status: 500 }, { retryClass: 'retryable', reason: 'Http500' }],
    ['an error of the list', { listStatus: 500 }, { retryClass: 'retryable', reason: 'Http500' }],
    ['throttling', { status: 429 }, { retryClass: 'limited' }],
    ['an error in the watch', { parts: [failure(500)] }, { retryClass: 'retryable', reason: 'R' }],
    ['a line that is not JSON', { parts: ['<html>\n'] }, { reason: 'UnreadableWatch' }],
    ['a line that is no event', { parts: ['{}\n'] }, { reason: 'UnreadableWatch' }],
  ])('fail on %s', async (_, script, fault) => {
    await expect(scripted(script).hub.changes(kind, '7')).rejects.toMatchObject(fault);
  });

  it('report an invalid object, which counts as deleted', async () => {
    const bad = line('ADDED', '8').replace('"workloads":[', '"workloads":7,"x":[');
    const { hub, unreadable } = scripted({ parts: [bad, line('ADDED', '9')] });
    const changes = await hub.changes(kind, '7');
    expect([...(changes?.changed ?? [])]).toEqual([
      ['/w8', undefined],
      ['/w9', expect.objectContaining({ name: 'w9' })],
    ]);
    expect(unreadable).toHaveLength(1);
  });
});
