/** What a resync reads of a hub over HTTP: in proportion to what changed, not to what there is. */
import { afterEach, describe, expect, it } from 'vitest';
import { task as findReductions } from '../../../functions/graceful-reduction/find-reductions.lambda.ts';
import { task as findUnscheduled } from '../../../functions/scheduler/find-unscheduled.lambda.ts';
import { type HubServer, startHubServer } from '../../../local/practice-hub/hub-server.ts';
import { ResyncDue } from '../../../shared/bus/catalogue.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { connectHub } from '../../../shared/kubernetes/client/connect-hub.ts';
import { cases } from '../../depth.ts';
import { type CountingProxy, startCountingProxy } from '../../fakes/counting-proxy.ts';
import { oneHub } from '../../fakes/one-hub.ts';
import { MemoryResyncPositions } from '../../fakes/stores/memory-resync-positions.ts';
import { recording } from '../../fakes/telemetry.ts';
import { bindingObject, clusterObject, DYNAMIC } from '../../placed-objects.ts';

const user = { username: 'a-user', manager: 'kubectl' };
const placement = { replicaScheduling: DYNAMIC };
const CHANGED = 100;
let server: HubServer;
let proxy: CountingProxy;
afterEach(async () => {
  proxy.close();
  await server.close();
});

function put(plural: string, given: object): void {
  const { status, metadata, ...object } = given as { readonly status: object; readonly metadata: Metadata };
  const { name, namespace = '', labels = {}, annotations = {} } = metadata;
  const own = { name, ...(namespace !== '' && { namespace }), labels, annotations };
  server.store.create(plural, { ...object, metadata: own }, user);
  server.store.patch(plural, { namespace, name }, { type: 'merge', body: { status }, subresource: 'status' }, user);
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A hub with so many bindings of our scheduler, all of them settled, and both functions. */
async function hubWith(count: number) {
  server = await startHubServer({ port: 0 });
  proxy = await startCountingProxy(server.url);
  server.store.create('namespaces', { metadata: { name: 'shop' } }, user);
  for (const name of ['m1', 'm2']) put('clusters', clusterObject(name));
  const scheduled = { placement, at: '2026-11-21T09:00:00Z' };
  for (let index = 0; index < count; index += 1) {
    const spec = { schedulerName: 'evenkeel' };
    put(
      'resourcebindings',
      bindingObject({ name: `w${index}`, placement, current: { m1: 4, m2: 6 }, scheduled, spec }),
    );
  }
  const context = { settings: parseSettings({}), telemetry: recording([]) };
  const hub = connectHub('karmada', { server: proxy.url, hookTokens: [] }, context);
  const ports = { ...context, hubs: oneHub(hub), positions: new MemoryResyncPositions(), now: () => Date.now() };
  const port = { ...ports, bus: { publish: async () => undefined } } as never;
  return async (task: typeof findUnscheduled | typeof findReductions) => {
    proxy.take();
    const { fields } = await task.run({ hub: 'karmada' }, port, new Set([ResyncDue.type]));
    return { ...proxy.take(), seen: fields?.seen };
  };
}

function touch(count: number): void {
  for (let index = 0; index < count; index += 1) {
    const body = { metadata: { labels: { touched: String(server.store.revision()) } } };
    server.store.patch(
      'resourcebindings',
      { namespace: 'shop', name: `w${index}-deployment` },
      { type: 'merge', body },
      user,
    );
  }
}

describe.each([
  // A list of one object and a watch for each kind of binding; the clusters, or the policies.
  ['find-unscheduled', findUnscheduled, 5],
  ['find-reductions', findReductions, 8],
] as const)('%s', (_, task, most) => {
  it('reads 100 changed bindings of a hub in few requests, and the same however many there are', async () => {
    const counts = [200, cases({ few: 400, all: 20_000 })];
    const costs = [];
    for (const count of counts) {
      const resync = await hubWith(count);
      const whole = await resync(task);
      expect(whole.seen).toBe(count);
      touch(CHANGED);
      const cost = await resync(task);
      expect(cost.seen).toBe(CHANGED);
      expect(cost.requests).toBeLessThanOrEqual(most);
      const perBinding = whole.bytes / count;
      // Each changed binding once, with the frame of its event, and some kilobytes of lists of one object.
      expect(cost.bytes).toBeLessThan(CHANGED * (perBinding + 200) + 20_000);
      costs.push(cost.bytes);
      proxy.close();
      await server.close();
    }
    const [few = 0, many = 0] = costs;
    expect(many / few).toBeLessThan(1.05);
  });
});
