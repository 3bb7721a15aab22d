/** The bridge on a real API server, with every kind of interruption; its events are compared with the final state of the hub. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runBridge } from '../../../../bridge/run-bridge.ts';
import type { EvenkeelEvent } from '../../../../shared/bus/event.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { resourcePath } from '../../../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { type Line, recording } from '../../../fakes/telemetry.ts';
import { ADDRESS } from '../../parts/certificates.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { forgetVersions } from '../../parts/hub-versions.ts';
import { inFlight } from '../api.ts';
import { deploymentIn, HubClient, REBALANCERS, type Rebalancer, until } from '../hub-client.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { type CuttableProxy, cuttableProxy } from './cuttable-proxy.ts';

const POLICIES = resourcePath(rebalancePolicies);

/** A separate rig: the events of its 3,000 objects would delay other suites. */
const rig = rigBeside('bridge');
const run = Date.now().toString(36);
let hub: Hub;
let client: HubClient;
let proxy: CuttableProxy;
let bridges: Bridge[];

interface PublishedEvent {
  readonly event: EvenkeelEvent;
  readonly at: number;
}

class Bridge {
  readonly published: PublishedEvent[] = [];
  readonly lines: Line[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  private constructor(
    identity: string,
    connection: Awaited<ReturnType<typeof connectionFromKubeconfig>>,
    { lease, scheduler = false }: { lease: string; scheduler?: boolean },
  ) {
    const publish = async (events: readonly EvenkeelEvent[]) => {
      this.published.push(...events.map((event) => ({ event, at: performance.now() })));
    };
    const options = { hub: 'karmada', connection, bus: { publish }, identity, telemetry: recording(this.lines) };
    const where = { namespace: 'evenkeel', name: lease };
    this.#ended = runBridge({ ...options, scheduler, policies: true, lease: where }, this.#stop.signal);
  }

  /** Connected through the proxy that the test can cut. */
  static async start(identity: string, lease: string, scheduler = false): Promise<Bridge> {
    const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
    const bridge = new Bridge(
      identity,
      { ...connection, server: `https://127.0.0.1:${proxy.port}` },
      { lease, scheduler },
    );
    bridges.push(bridge);
    return bridge;
  }

  /** How often it started to watch a kind, each time with a resync of the hub. */
  watches(kind = 'workloadrebalancers'): number {
    return this.lines.filter(({ code, fields }) => code === 'EK401' && fields.kind === kind).length;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

/** The time of the last change of each object. */
let changes: Map<string, number>;

async function create(name: string): Promise<void> {
  changes.set(name, performance.now());
  await client.rebalancer(name, [deploymentIn('nowhere', 'web')]);
}

async function change(name: string, ttlSecondsAfterFinished: number): Promise<void> {
  changes.set(name, performance.now());
  await client.merge(`${REBALANCERS}/${name}`, { spec: { ttlSecondsAfterFinished } });
}

/** The existing objects whose last change was followed neither by an event of the object nor by a resync. */
async function missed(published: readonly PublishedEvent[]): Promise<readonly string[]> {
  const { items } = await client.get<{ items: readonly Rebalancer[] }>(REBALANCERS);
  const compared = Math.max(...published.filter(({ event }) => event.type === 'ResyncDue').map(({ at }) => at));
  const last = new Map(published.map(({ event, at }) => [(event.detail as { name?: string }).name ?? '', at]));
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => changes.has(name))
    .filter((name) => Math.max(last.get(name) ?? 0, compared) < (changes.get(name) ?? 0));
}

async function nothingMissed(...of: readonly Bridge[]): Promise<void> {
  await until('nothing is missed', async () => {
    const names = await missed(of.flatMap(({ published }) => published));
    return names.length === 0 ? true : undefined;
  });
}

beforeAll(async () => {
  hub = await startHub(rig);
  client = await HubClient.of(hub.adminKubeconfig);
});

beforeEach(async () => {
  proxy = await cuttableProxy({ host: ADDRESS, port: hub.port });
  bridges = [];
  changes = new Map();
});

afterEach(async () => {
  for (const bridge of bridges) await bridge.stop();
  await proxy.close();
});

afterAll(() => rig.down());

describe('the bridge on a real API server', () => {
  it('publishes a change that it watches, and no status updates', async () => {
    const bridge = await Bridge.start('a', `fast-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    const name = `fast-${run}`;
    await create(name);
    const events = () => bridge.published.filter(({ event }) => (event.detail as { name?: string }).name === name);
    await until('the creation is published', async () => events()[0]);
    console.log(`from a change to its event: ${Math.round((events()[0]?.at ?? 0) - (changes.get(name) ?? 0))} ms`);
    await client.merge(`${REBALANCERS}/${name}/status`, { status: { observedGeneration: 1 } });
    await change(name, 60);
    await until('the change is published', async () => events()[1]);
    expect(events().length).toBe(2);
    await client.send({ method: 'DELETE', path: `${REBALANCERS}/${name}` });
    await until('the deletion is published', async () => events()[2]);
  });

  it('publishes a change of a binding if our scheduler is used, and no updates of its status', async () => {
    const bridge = await Bridge.start('a', `bindings-${run}`, true);
    await until('it watches both kinds', async () =>
      bridge.watches('clusterresourcebindings') + bridge.watches('resourcebindings') > 1 ? true : undefined,
    );
    const namespace = `bridge-${run}`;
    await client.bindings(namespace, ['web']);
    const events = () => bridge.published.filter(({ event }) => event.type === 'BindingChanged');
    await until('the creation is published', async () => events()[0]);
    const path = `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/web-deployment`;
    await client.merge(`${path}/status`, { status: { lastScheduledTime: '2026-11-21T10:00:09Z' } });
    await client.merge(path, { spec: { replicas: 7 } });
    await until('the change is published', async () => events()[1]);
    const detail = { hub: 'karmada', namespace, name: 'web-deployment', version: 1 };
    expect(events().map(({ event }) => event.detail)).toEqual([detail, detail]);
  });

  it('publishes a change of a policy, and works on a hub that does not serve clusters', async () => {
    const bridge = await Bridge.start('a', `policies-${run}`);
    await until('it watches', async () => (bridge.watches('rebalancepolicies') > 0 ? true : undefined));
    const name = `policy-${run}`;
    const metadata = { name };
    const wish = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata };
    await client.create(POLICIES, { ...wish, spec: { suspend: true, triggers: { capacityFreed: {} } } });
    await client.merge(`${POLICIES}/${name}/status`, { status: { state: 'Suspended' } });
    await client.delete(`${POLICIES}/${name}`);
    const events = () => bridge.published.filter(({ event }) => event.type === 'RebalancePolicyChanged');
    await until('its deletion is published', async () => events()[1]);
    const detail = { hub: 'karmada', name, version: 1 };
    expect(events().map(({ event }) => event.detail)).toEqual([detail, detail]);
    const absent = bridge.lines.filter(({ code }) => code === 'EK404' || code === 'EK402');
    expect(absent).toEqual([{ code: 'EK404', fields: { hub: 'karmada', kind: 'clusters' } }]);
  });

  it('continues at its resourceVersion after its connection is dropped', async () => {
    const bridge = await Bridge.start('a', `dropped-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    await create(`before-${run}`);
    for (let round = 0; round < 3; round += 1) {
      proxy.cut();
      await create(`dropped-${round}-${run}`);
      await change(`before-${run}`, 100 + round);
      proxy.mend();
      await create(`mended-${round}-${run}`);
      await nothingMissed(bridge);
    }
    expect(bridge.watches()).toBe(1);
  });

  it('continues after a restart of the API server', async () => {
    const bridge = await Bridge.start('a', `restarted-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    await create(`old-${run}`);
    await rig.processes.stop('hub-apiserver', 'SIGKILL');
    await startHub(rig);
    await change(`old-${run}`, 30);
    await create(`new-${run}`);
    await nothingMissed(bridge);
  });

  it('requests a resync if its resourceVersion has expired', async () => {
    const bridge = await Bridge.start('a', `gone-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    proxy.cut();
    await create(`unseen-${run}`);
    await forgetVersions(rig, hub);
    await create(`after-${run}`);
    proxy.mend();
    await nothingMissed(bridge);
    // The resync may already have been requested because of another kind whose version expired.
    await until('it watches anew', async () => (bridge.watches() > 1 ? true : undefined));
  });

  it('hands over to another bridge, which misses nothing', async () => {
    const lease = `shared-${run}`;
    const first = await Bridge.start('first', lease);
    await until('the first watches', async () => (first.watches() > 0 ? true : undefined));
    const second = await Bridge.start('second', lease);
    await create(`one-${run}`);
    await nothingMissed(first);
    expect(second.published).toEqual([]);
    const path = `/apis/coordination.k8s.io/v1/namespaces/evenkeel/leases/${lease}`;
    await client.merge(path, { spec: { holderIdentity: 'second' } });
    await until('the second watches', async () => (second.watches() > 0 ? true : undefined));
    await until('the first has stopped', async () =>
      first.lines.some(({ code, fields }) => code === 'EK403' && fields.leader === '') ? true : undefined,
    );
    const published = first.published.length;
    await create(`two-${run}`);
    await nothingMissed(second);
    expect(first.published.length).toBe(published);
  });

  it('publishes each of 3,000 objects, with its connection dropped meanwhile', async () => {
    const bridge = await Bridge.start('a', `many-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    const names = Array.from({ length: 3000 }, (_, index) => `m${index}-${run}`);
    await inFlight(names.slice(0, 1500), create);
    proxy.cut();
    // Few, so that the connection is back before a leader that can't renew its Lease gives up (after 10 s), which would request a resync.
    await inFlight(names.slice(1500, 1520), create);
    proxy.mend();
    await inFlight(names.slice(1520), create);
    await nothingMissed(bridge);
    expect(bridge.lines.filter(({ code }) => code === 'EK403')).toHaveLength(1);
    const own = new Set(bridge.published.map(({ event }) => (event.detail as { name?: string }).name));
    expect(names.filter((name) => !own.has(name))).toEqual([]);
    expect(bridge.watches()).toBe(1);
  });
});
