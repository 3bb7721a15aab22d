/** A whole bridge on a hub that the test fills: what it watches and publishes, and that it releases its lease. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BridgeOptions, runBridge } from '../../bridge/run-bridge.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { type Line, recording } from '../fakes/telemetry.ts';

interface LeaseObject {
  readonly metadata: object;
  readonly spec: object;
}

let server: http.Server;
let lease: LeaseObject | undefined;
/** Lines of the watch of a kind, by its plural. */
let watches: Record<string, readonly object[]>;
let agents: Set<string | undefined>;
let published: EvenkeelEvent[];
let lines: Line[];
let stop: AbortController;

async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://hub');
  agents.add(request.headers['user-agent']);
  const answer = (status: number, body?: object) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (searchParams.has('watch')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const plural = pathname.split('/').at(-1) ?? '';
    response.write((watches[plural] ?? []).map((event) => `${JSON.stringify(event)}\n`).join(''));
    return;
  }
  if (!pathname.includes('/leases')) return answer(200, { metadata: { resourceVersion: '1' } });
  if (request.method === 'GET') return lease === undefined ? answer(404) : answer(200, lease);
  const { metadata, spec } = (await json(request)) as LeaseObject;
  lease = { metadata: { ...metadata, resourceVersion: String(Date.now()) }, spec };
  return answer(200, lease);
}

beforeEach(async () => {
  [lease, watches, agents, published, lines, stop] = [undefined, {}, new Set(), [], [], new AbortController()];
  server = http.createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  stop.abort();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function run(over: Partial<BridgeOptions> = {}): Promise<void> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = { server: url, token: 'any', hookTokens: [] };
  const bus = { publish: async (events: readonly EvenkeelEvent[]) => void published.push(...events) };
  const place = { namespace: 'evenkeel', name: 'evenkeel-bridge' };
  const options = { hub: 'karmada', connection, bus, lease: place, identity: 'pod-1', telemetry: recording(lines) };
  return runBridge({ ...options, ...over }, stop.signal);
}

function changed(over: {
  name: string;
  namespace?: string;
  resourceVersion: string;
  generation?: number;
  labels?: object;
}) {
  return { type: 'MODIFIED', object: { metadata: { uid: 'uid-1', ...over } } };
}

const changes = () => published.filter(({ type }) => type !== 'ResyncDue').map(({ type, detail }) => [type, detail]);
const binding = { namespace: 'shop', name: 'web-deployment' };
const soon = { interval: 5 };

describe('a bridge', () => {
  it('compares the hub, publishes each change, and releases its lease in the end', async () => {
    watches.workloadrebalancers = [changed({ name: 'demo', resourceVersion: '2' })];
    const ended = run();
    await expect
      .poll(changes, soon)
      .toEqual([['WorkloadRebalancerChanged', { hub: 'karmada', name: 'demo', version: 1 }]]);
    expect(published[0]).toMatchObject({ type: 'ResyncDue', detail: { hub: 'karmada' } });
    expect(lease?.spec).toMatchObject({ holderIdentity: 'pod-1', leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(lines[0]).toEqual({
      code: 'EK403',
      fields: { hub: 'karmada', reason: 'the lease does not exist yet', leader: 'pod-1' },
    });
    stop.abort();
    await ended;
    expect(lease?.spec).toMatchObject({ holderIdentity: '' });
    expect([...agents]).toEqual(['evenkeel-bridge']);
  });

  it.each([
    [{ scheduler: true }, ['BindingChanged']],
    [{ gracefulReduction: true }, ['BindingChanged', 'BindingStatusChanged']],
    [{ history: true }, ['BindingChanged', 'BindingStatusChanged']],
  ])('publishes the binding changes that a hub used for %j needs', async (used, types) => {
    watches.resourcebindings = [
      changed({ ...binding, resourceVersion: '2' }),
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '2' } } },
    ];
    const ended = run(used);
    await expect.poll(changes, soon).toHaveLength(1);
    // The same generation again: its status was written. A new watch has it, for one batch reports each object once.
    watches.resourcebindings = [changed({ ...binding, resourceVersion: '3' })];
    watches.clusterresourcebindings = [changed({ name: 'last', resourceVersion: '4' })];
    server.closeAllConnections();
    await expect
      .poll(() => changes().map(([, detail]) => detail), soon)
      .toContainEqual({
        hub: 'karmada',
        namespace: '',
        name: 'last',
        version: 1,
        // The mark by which the queue of record-placements selects it.
        ...('history' in used && { history: 1 }),
      });
    await expect.poll(() => [...new Set(changes().map(([type]) => type))], soon).toEqual(types);
    stop.abort();
    await ended;
  });

  it('takes a label of a managed cluster for a wish, which no generation counts', async () => {
    watches.managedclusters = [changed({ name: 'spoke1', resourceVersion: '2' })];
    const ended = run({ elasticWorkloads: true });
    await expect.poll(changes, soon).toHaveLength(1);
    watches.managedclusters = [changed({ name: 'spoke1', resourceVersion: '3', labels: { gpu: 'true' } })];
    server.closeAllConnections();
    await expect.poll(changes, soon).toHaveLength(2);
    stop.abort();
    await ended;
  });
});
