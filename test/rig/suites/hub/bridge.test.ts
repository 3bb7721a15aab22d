/** The bridge on a real API server, through everything that interrupts it: measured against what the hub has in the end. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runBridge } from '../../../../bridge/run-bridge.ts';
import { connectionFromKubeconfig } from '../../../../shared/adapters/kubernetes/kubeconfig.ts';
import type { EvenkeelEvent } from '../../../../shared/events/event.ts';
import { rebalancePolicies } from '../../../../shared/model/rebalance-policy/rebalance-policy.ts';
import { resourcePath } from '../../../../shared/model/resource.ts';
import { type Line, recording } from '../../../fakes/telemetry.ts';
import { ADDRESS } from '../../parts/certificates.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { forgetVersions } from '../../parts/hub-versions.ts';
import { inFlight } from '../api.ts';
import { deploymentIn, HubClient, REBALANCERS, type Rebalancer, until } from '../hub-client.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { type CuttableProxy, cuttableProxy } from './cuttable-proxy.ts';

const POLICIES = resourcePath(rebalancePolicies);

/** With 10,000 objects, whose events would be long in coming to whoever is next. */
const rig = rigBeside('bridge');
const run = Date.now().toString(36);
let hub: Hub;
let client: HubClient;
let way: CuttableProxy;
let bridges: Bridge[];

interface Said {
  readonly event: EvenkeelEvent;
  readonly at: number;
}

class Bridge {
  readonly said: Said[] = [];
  readonly lines: Line[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  private constructor(
    identity: string,
    connection: Awaited<ReturnType<typeof connectionFromKubeconfig>>,
    { lease, scheduler = false }: { lease: string; scheduler?: boolean },
  ) {
    const publish = async (events: readonly EvenkeelEvent[]) => {
      this.said.push(...events.map((event) => ({ event, at: performance.now() })));
    };
    const options = { hub: 'karmada', connection, bus: { publish }, identity, telemetry: recording(this.lines) };
    const where = { namespace: 'evenkeel', name: lease };
    this.#ended = runBridge({ ...options, scheduler, policies: true, lease: where }, this.#stop.signal);
  }

  /** On the way that can be cut. */
  static async start(identity: string, lease: string, scheduler = false): Promise<Bridge> {
    const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
    const bridge = new Bridge(
      identity,
      { ...connection, server: `https://127.0.0.1:${way.port}` },
      { lease, scheduler },
    );
    bridges.push(bridge);
    return bridge;
  }

  /** How often it began to watch a kind, each time with a comparison of the whole hub. */
  watches(kind = 'workloadrebalancers'): number {
    return this.lines.filter(({ code, fields }) => code === 'EK401' && fields.kind === kind).length;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

/** When each object's last change was asked for. */
let changes: Map<string, number>;

async function create(name: string): Promise<void> {
  changes.set(name, performance.now());
  await client.rebalancer(name, [deploymentIn('nowhere', 'web')]);
}

async function change(name: string, ttlSecondsAfterFinished: number): Promise<void> {
  changes.set(name, performance.now());
  await client.merge(`${REBALANCERS}/${name}`, { spec: { ttlSecondsAfterFinished } });
}

/** Of the objects that the hub has, those whose last change no hint came after: neither one of its own nor one of the whole hub. */
async function missed(said: readonly Said[]): Promise<readonly string[]> {
  const { items } = await client.get<{ items: readonly Rebalancer[] }>(REBALANCERS);
  const compared = Math.max(...said.filter(({ event }) => event.type === 'ResyncDue').map(({ at }) => at));
  const last = new Map(said.map(({ event, at }) => [(event.detail as { name?: string }).name ?? '', at]));
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => changes.has(name))
    .filter((name) => Math.max(last.get(name) ?? 0, compared) < (changes.get(name) ?? 0));
}

async function nothingMissed(...of: readonly Bridge[]): Promise<void> {
  await until('nothing is missed', async () => {
    const names = await missed(of.flatMap(({ said }) => said));
    return names.length === 0 ? true : undefined;
  });
}

beforeAll(async () => {
  hub = await startHub(rig);
  client = await HubClient.of(hub.adminKubeconfig);
});

beforeEach(async () => {
  way = await cuttableProxy({ host: ADDRESS, port: hub.port });
  bridges = [];
  changes = new Map();
});

afterEach(async () => {
  for (const bridge of bridges) await bridge.stop();
  await way.close();
});

afterAll(() => rig.down());

describe('the bridge on a real API server', () => {
  it('says a change when it is watched, and no echo of a status', async () => {
    const bridge = await Bridge.start('a', `fast-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    const name = `fast-${run}`;
    await create(name);
    const hints = () => bridge.said.filter(({ event }) => (event.detail as { name?: string }).name === name);
    await until('it is said', async () => hints()[0]);
    console.log(`from a change to its hint: ${Math.round((hints()[0]?.at ?? 0) - (changes.get(name) ?? 0))} ms`);
    await client.merge(`${REBALANCERS}/${name}/status`, { status: { observedGeneration: 1 } });
    await change(name, 60);
    await until('the change is said', async () => hints()[1]);
    expect(hints().length).toBe(2);
    await client.send({ method: 'DELETE', path: `${REBALANCERS}/${name}` });
    await until('the deletion is said', async () => hints()[2]);
  });

  it('says a change of a binding where our scheduler is used, and no echo of its status', async () => {
    const bridge = await Bridge.start('a', `bindings-${run}`, true);
    await until('it watches both kinds', async () =>
      bridge.watches('clusterresourcebindings') + bridge.watches('resourcebindings') > 1 ? true : undefined,
    );
    const namespace = `bridge-${run}`;
    await client.bindings(namespace, ['web']);
    const hints = () => bridge.said.filter(({ event }) => event.type === 'BindingChanged');
    await until('it is said', async () => hints()[0]);
    const path = `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/web-deployment`;
    await client.merge(`${path}/status`, { status: { lastScheduledTime: '2026-11-21T10:00:09Z' } });
    await client.merge(path, { spec: { replicas: 7 } });
    await until('the change is said', async () => hints()[1]);
    const detail = { hub: 'karmada', namespace, name: 'web-deployment', version: 1 };
    expect(hints().map(({ event }) => event.detail)).toEqual([detail, detail]);
  });

  it('says a change of a policy, and does without clusters on a hub that has none', async () => {
    const bridge = await Bridge.start('a', `policies-${run}`);
    await until('it watches', async () => (bridge.watches('rebalancepolicies') > 0 ? true : undefined));
    const name = `policy-${run}`;
    const metadata = { name };
    const wish = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata };
    await client.create(POLICIES, { ...wish, spec: { suspend: true, triggers: { capacityFreed: {} } } });
    await client.merge(`${POLICIES}/${name}/status`, { status: { state: 'Suspended' } });
    await client.delete(`${POLICIES}/${name}`);
    const hints = () => bridge.said.filter(({ event }) => event.type === 'RebalancePolicyChanged');
    await until('its end is said', async () => hints()[1]);
    const detail = { hub: 'karmada', name, version: 1 };
    expect(hints().map(({ event }) => event.detail)).toEqual([detail, detail]);
    const absent = bridge.lines.filter(({ code }) => code === 'EK404' || code === 'EK402');
    expect(absent).toEqual([{ code: 'EK404', fields: { hub: 'karmada', kind: 'clusters' } }]);
  });

  it('goes on from where it was when its connection is dropped', async () => {
    const bridge = await Bridge.start('a', `dropped-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    await create(`before-${run}`);
    for (let round = 0; round < 3; round += 1) {
      way.cut();
      await create(`dropped-${round}-${run}`);
      await change(`before-${run}`, 100 + round);
      way.mend();
      await create(`mended-${round}-${run}`);
      await nothingMissed(bridge);
    }
    expect(bridge.watches()).toBe(1);
  });

  it('goes on when the API server is started again', async () => {
    const bridge = await Bridge.start('a', `restarted-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    await create(`old-${run}`);
    await rig.processes.stop('hub-apiserver', 'SIGKILL');
    await startHub(rig);
    await change(`old-${run}`, 30);
    await create(`new-${run}`);
    await nothingMissed(bridge);
  });

  it('has the hub compared where the version it was at is gone', async () => {
    const bridge = await Bridge.start('a', `gone-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    way.cut();
    await create(`unseen-${run}`);
    await forgetVersions(rig, hub);
    await create(`after-${run}`);
    way.mend();
    await nothingMissed(bridge);
    // Of another kind it may have heard first that the version is gone, and had the hub compared for that.
    await until('it watches anew', async () => (bridge.watches() > 1 ? true : undefined));
  });

  it('hands over to another one, which misses nothing', async () => {
    const lease = `shared-${run}`;
    const first = await Bridge.start('first', lease);
    await until('the first watches', async () => (first.watches() > 0 ? true : undefined));
    const second = await Bridge.start('second', lease);
    await create(`one-${run}`);
    await nothingMissed(first);
    expect(second.said).toEqual([]);
    const path = `/apis/coordination.k8s.io/v1/namespaces/evenkeel/leases/${lease}`;
    await client.merge(path, { spec: { holderIdentity: 'second' } });
    await until('the second watches', async () => (second.watches() > 0 ? true : undefined));
    await until('the first has stopped', async () =>
      first.lines.some(({ code, fields }) => code === 'EK403' && fields.leader === '') ? true : undefined,
    );
    const said = first.said.length;
    await create(`two-${run}`);
    await nothingMissed(second);
    expect(first.said.length).toBe(said);
  });

  it('says each of 10,000 objects, with its connection dropped among them', { timeout: 300_000 }, async () => {
    const bridge = await Bridge.start('a', `many-${run}`);
    await until('it watches', async () => (bridge.watches() > 0 ? true : undefined));
    const names = Array.from({ length: 10_000 }, (_, index) => `m${index}-${run}`);
    await inFlight(names.slice(0, 5000), create);
    way.cut();
    await inFlight(names.slice(5000, 5500), create);
    way.mend();
    await inFlight(names.slice(5500), create);
    await nothingMissed(bridge);
    const own = new Set(bridge.said.map(({ event }) => (event.detail as { name?: string }).name));
    expect(names.filter((name) => !own.has(name))).toEqual([]);
    expect(bridge.watches()).toBe(1);
  });
});
