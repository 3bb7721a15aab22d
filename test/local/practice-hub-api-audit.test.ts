/** The practice hub's audit log: the content of its events, and their delivery. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditOptions } from '../../local/practice-hub/api/audit.ts';
import { startFleet } from '../../local/practice-hub/fleet.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { HubClient, MERGE, REBALANCERS, rebalancer } from '../contracts/hub-api/client.ts';
import { policyOf } from '../shared/rebalance-policy/policy-cases.ts';

/** Writes directly to the store, so that there is no audit event. */
const otherUser = { username: 'other', manager: 'tester' };

interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly objectRef: Readonly<Record<string, string>>;
  readonly responseStatus: { readonly code: number; readonly reason?: string };
}

/** A webhook that collects audit events, and answers with these status codes before it answers 200. */
class Sink {
  readonly batches: { kind: string; apiVersion: string; items: AuditEvent[] }[] = [];
  readonly tokens = new Set<string | undefined>();
  failures: number[] = [];
  readonly #server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const code = this.failures.shift() ?? 200;
      this.tokens.add(request.headers.authorization);
      if (code === 200) this.batches.push(JSON.parse(Buffer.concat(chunks).toString()) as Sink['batches'][number]);
      response.writeHead(code).end();
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/audit`;
  }

  get events(): AuditEvent[] {
    return this.batches.flatMap(({ items }) => items);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

describe("practice hub's audit log", () => {
  let sink: Sink;
  let hub: HubServer;
  let client: HubClient;
  const dropped: [number, string][] = [];
  const start = async (options: Partial<AuditOptions> = {}) => {
    const audit = {
      url: await sink.start(),
      token: 'hook-token',
      maxWaitMs: 60_000,
      firstRetryMs: 1,
      onDrop: (count: number, why: string) => dropped.push([count, why]),
      ...options,
    };
    const now = () => Date.parse('2026-01-01T00:00:00.123Z');
    hub = await startHubServer({ port: 0, now, audit, users: { ours: 'system:serviceaccount:evenkeel:evenkeel' } });
    client = new HubClient({
      connection: { server: hub.url, hookTokens: [] },
      headers: { 'user-agent': 'tester/1' },
      forget: async () => {},
      stop: hub.close,
    });
  };
  beforeEach(() => {
    sink = new Sink();
    dropped.length = 0;
  });
  afterEach(async () => {
    await hub.close();
    await sink.stop();
  });

  it('records a create as a real API server does at level Metadata', async () => {
    await start();
    await client.send('POST', `${REBALANCERS}?fieldManager=x`, rebalancer({ name: 'a' }), {
      authorization: 'Bearer ours',
    });
    await hub.flushAudit();
    expect(sink.tokens).toEqual(new Set(['Bearer hook-token']));
    expect(sink.batches).toEqual([
      {
        kind: 'EventList',
        apiVersion: 'audit.k8s.io/v1',
        metadata: {},
        items: [
          {
            level: 'Metadata',
            auditID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
            stage: 'ResponseComplete',
            requestURI: `${REBALANCERS}?fieldManager=x`,
            verb: 'create',
            user: { username: 'system:serviceaccount:evenkeel:evenkeel', groups: ['system:authenticated'] },
            sourceIPs: ['127.0.0.1'],
            userAgent: 'tester/1',
            objectRef: {
              resource: 'workloadrebalancers',
              name: 'a',
              apiGroup: 'apps.karmada.io',
              apiVersion: 'v1alpha1',
            },
            responseStatus: { metadata: {}, code: 201 },
            requestReceivedTimestamp: '2026-01-01T00:00:00.123000Z',
            stageTimestamp: '2026-01-01T00:00:00.123000Z',
          },
        ],
      },
    ]);
  });

  it('records every write with its verb, no reads, and rejected writes with their reason', async () => {
    await start();
    const path = `${REBALANCERS}/a`;
    const { body } = await client.send('POST', REBALANCERS, rebalancer({ name: 'a' }));
    await client.get(path);
    await client.get(REBALANCERS);
    await client.merge(`${path}/status`, { status: { observedGeneration: 1 } });
    await client.send('PUT', path, body);
    await client.merge(`${REBALANCERS}/unknown`, {});
    await client.send('DELETE', path);
    await hub.flushAudit();
    const recorded = sink.events.map(({ verb, objectRef, responseStatus }) =>
      [verb, objectRef.name, objectRef.subresource, responseStatus.code, responseStatus.reason].join(' ').trim(),
    );
    expect(recorded).toEqual([
      'create a  201',
      'patch a status 200',
      'update a  409 Conflict',
      'patch unknown  404 NotFound',
      'delete a  200',
    ]);
    expect(new Set(sink.events.map(({ auditID }) => auditID)).size).toBe(5);
  });

  it("records the writes of the hub's own controllers to a cluster and to a wave, but not to their status", async () => {
    await start();
    const { controllersStore: store, store: api } = hub;
    const fleet = startFleet({ store, members: [{ name: 'member1', capacity: 1, readyDelayMs: 0 }] });
    fleet.fail('member1');
    fleet.recover('member1');
    const owner = api.create('rebalancepolicies', policyOf('home', { triggers: { capacityFreed: {} } }), otherUser);
    const { apiVersion, kind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
    api.create('workloadrebalancers', rebalancer({ name: 'home-1', ownerReferences }), otherUser);
    api.delete('rebalancepolicies', { namespace: '', name: 'home' }, otherUser);
    await fleet.settled();
    fleet.close();
    await hub.flushAudit();
    expect(sink.events.map(({ verb, objectRef }) => `${verb} ${objectRef.resource} ${objectRef.name}`)).toEqual([
      'create clusters member1',
      'patch clusters member1',
      'patch clusters member1',
      'delete workloadrebalancers home-1',
    ]);
  });

  it('records the writes of the controllers of Open Cluster Management, with the statuses that functions consume', async () => {
    await start();
    const store = hub.controllersStore;
    const fleet = startFleet({
      store,
      members: [],
      managedClusters: [{ name: 'spoke1', capacity: 1, readyDelayMs: 0 }],
    });
    const key = { name: 'all', namespace: 'default' };
    const group = 'cluster.open-cluster-management.io';
    const bound = {
      apiVersion: `${group}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { ...key, name: 'global' },
    };
    hub.store.create('managedclustersetbindings', { ...bound, spec: { clusterSet: 'global' } }, otherUser);
    hub.store.create(
      'placements',
      { apiVersion: `${group}/v1beta1`, kind: 'Placement', metadata: key, spec: {} },
      otherUser,
    );
    const work = { apiVersion: 'work.open-cluster-management.io/v1', kind: 'ManifestWork' };
    hub.store.create(
      'manifestworks',
      { ...work, metadata: { name: 'one', namespace: 'default' }, spec: {} },
      otherUser,
    );
    await fleet.settled();
    hub.store.create('manifestworks', { ...work, metadata: { name: 'one', namespace: 'spoke1' }, spec: {} }, otherUser);
    await fleet.settled();
    fleet.close();
    await hub.flushAudit();
    const recorded = sink.events.map(({ verb, objectRef: { resource, name, subresource } }) =>
      [verb, resource, name, subresource].filter(Boolean).join(' '),
    );
    expect(recorded).toEqual([
      'create managedclusters spoke1',
      'create placementdecisions all-decision-1',
      'patch placementdecisions all-decision-1 status',
      'patch manifestworks one',
      'patch manifestworks one status',
    ]);
  });

  it('has no name for an object whose name the server generates', async () => {
    await start();
    await client.send('POST', REBALANCERS, rebalancer({ generateName: 'gen-' }));
    await hub.flushAudit();
    expect(sink.events.map(({ objectRef }) => objectRef)).toEqual([
      { resource: 'workloadrebalancers', apiGroup: 'apps.karmada.io', apiVersion: 'v1alpha1' },
    ]);
  });

  it('records reads if configured', async () => {
    await start({ reads: true });
    await client.get(`${REBALANCERS}?limit=5`);
    await client.get('/version');
    await hub.flushAudit();
    expect(sink.events.map(({ verb }) => verb)).toEqual(['list']);
  });

  it('sends full batches at once, and the rest on flush', async () => {
    await start({ maxBatch: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.send('POST', REBALANCERS, rebalancer({ name }));
    await hub.flushAudit();
    expect(Math.max(...sink.batches.map(({ items }) => items.length))).toBe(2);
    expect(sink.events.map(({ objectRef }) => objectRef.name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('retries with the same events until the webhook accepts them', async () => {
    await start();
    sink.failures = [500, 429, 503, 500];
    await client.send('POST', REBALANCERS, rebalancer({ name: 'a' }));
    await hub.flushAudit();
    expect(sink.events.map(({ objectRef }) => objectRef.name)).toEqual(['a']);
    expect(dropped).toEqual([]);
  });

  it('drops a batch after five attempts, and counts it', async () => {
    await start();
    sink.failures = [500, 500, 500, 500, 500];
    await client.send('POST', REBALANCERS, rebalancer({ name: 'lost' }));
    await hub.flushAudit();
    await client.send('POST', REBALANCERS, rebalancer({ name: 'next' }));
    await hub.flushAudit();
    expect(dropped).toEqual([[1, 'the audit webhook answered 500']]);
    expect(sink.events.map(({ objectRef }) => objectRef.name)).toEqual(['next']);
  });

  it('delivers the remaining events when the hub closes', async () => {
    await start();
    await client.send('PATCH', `${REBALANCERS}/unknown`, {}, { 'content-type': MERGE });
    await hub.close();
    expect(sink.events.map(({ objectRef }) => objectRef.name)).toEqual(['unknown']);
  });
});
