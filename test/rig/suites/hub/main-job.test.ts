/** The main job on a real API server: its own audit events drive it, and the account has the RBAC that we ship. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { isDenied, msUntilOurFirstRequest, ourRequests, patchesOf } from '../audit-log.ts';
import { deploymentIn, HubClient, REBALANCERS, type Rebalancer, until } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const rig = rigOfSuite();
let hub: Hub;
let client: HubClient;

/** Names of this run, so that a rig which stays up can be used again. */
const run = Date.now().toString(36);
const one = (word: string) => `${word}-${run}`;

/** The number of earlier requests, by other files of the suite. */
let before = 0;

/** Resync is an hour away, so that only the hook triggers functions. */
const HOOK_ALONE = { resyncMinutes: 60 };

beforeAll(async () => {
  hub = await startHub(rig);
  client = await HubClient.of(hub.adminKubeconfig);
  before = ourRequests(hub).length;
  await startEvenkeel(rig, hub, HOOK_ALONE);
});

/** A rebalancer, and a namespace, of that name with that many workloads. */
async function rebalancerOf(name: string, count: number): Promise<Rebalancer> {
  const workloads = Array.from({ length: count }, (_, index) => `w${String(index).padStart(4, '0')}`);
  await client.bindings(name, workloads);
  return client.rebalancer(
    name,
    workloads.map((workload) => deploymentIn(name, workload)),
  );
}

/** Resolves while the rebalancer is in progress. */
async function someTriggered(name: string): Promise<void> {
  await until('some bindings are triggered', async () => (patchesOf(hub, name).size > 50 ? true : undefined));
}

// The other files of the suite need the hub without Evenkeel.
afterAll(() => stopEvenkeel(rig));

describe('a WorkloadRebalancer on a real API server', () => {
  it('triggers every binding with its creationTimestamp, and reports each workload, the missing one too', async () => {
    await client.bindings(one('life'), ['web', 'api']);
    const workloads = ['web', 'gone', 'api'].map((name) => deploymentIn(one('life'), name));
    const { metadata } = await client.rebalancer(one('life'), workloads);
    const { status } = await client.finished(one('life'));
    expect(status?.observedWorkloads).toEqual([
      { workload: deploymentIn(one('life'), 'api'), result: 'Successful' },
      { workload: deploymentIn(one('life'), 'gone'), result: 'Failed', reason: 'ReferencedBindingNotFound' },
      { workload: deploymentIn(one('life'), 'web'), result: 'Successful' },
    ]);
    for (const name of ['web', 'api']) {
      const { spec } = await client.binding(one('life'), name);
      expect(spec.rescheduleTriggeredAt).toBe(metadata.creationTimestamp);
    }
  });

  // Resync is an hour away, so only an event through the hook, the bus and a queue can cause our request.
  it('is reported by the shipped audit policy and webhook', async () => {
    await rebalancerOf(one('prompt'), 1);
    await client.finished(one('prompt'));
    const elapsed = msUntilOurFirstRequest(hub, one('prompt'));
    console.log(`from the creation to our first request about it: ${elapsed} ms`);
    expect(elapsed).toBeGreaterThan(0);
  });

  it('triggers a workload that an edit adds, and leaves the others as they are', async () => {
    await client.bindings(one('edit'), ['web', 'late']);
    await client.rebalancer(one('edit'), [deploymentIn(one('edit'), 'web')]);
    await client.finished(one('edit'));
    const untouched = await client.binding(one('edit'), 'web');
    const workloads = [deploymentIn(one('edit'), 'web'), deploymentIn(one('edit'), 'late')];
    await client.merge(`${REBALANCERS}/${one('edit')}`, { spec: { workloads } });
    const { status } = await client.finished(one('edit'));
    expect(status?.observedWorkloads.map(({ workload, result }) => [workload.name, result])).toEqual([
      ['late', 'Successful'],
      ['web', 'Successful'],
    ]);
    expect(await client.binding(one('edit'), 'web')).toEqual(untouched);
    expect([...patchesOf(hub, one('edit'))]).toEqual([
      ['web-deployment', 1],
      ['late-deployment', 1],
    ]);
  });

  it('is deleted at its ttl, by its uid and resourceVersion', async () => {
    await client.bindings(one('expiry'), ['web']);
    await client.rebalancer(one('expiry'), [deploymentIn(one('expiry'), 'web')], { ttlSecondsAfterFinished: 2 });
    const { status } = await client.finished(one('expiry'));
    await until('the rebalancer is gone', async () => {
      const { status: code } = await client.send({ method: 'GET', path: `${REBALANCERS}/${one('expiry')}` });
      return code === 404 ? true : undefined;
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(status?.finishTime ?? '') + 2000);
    const deletes = ourRequests(hub).filter(
      ({ verb, objectRef }) => verb === 'delete' && objectRef?.name === one('expiry'),
    );
    expect(deletes.map(({ responseStatus }) => responseStatus?.code)).toEqual([200]);
  });

  it('of 1,000 workloads patches each binding once', async () => {
    await rebalancerOf(one('large'), 1000);
    const { status } = await client.finished(one('large'));
    expect(new Set(status?.observedWorkloads.map(({ result }) => result))).toEqual(new Set(['Successful']));
    const patches = patchesOf(hub, one('large'));
    expect(patches.size).toBe(1000);
    expect(new Set(patches.values())).toEqual(new Set([1]));
  });

  it('that was created while Evenkeel did not run is found by resync, once', async () => {
    await stopEvenkeel(rig);
    await client.bindings(one('missed'), ['web']);
    await client.rebalancer(one('missed'), [deploymentIn(one('missed'), 'web')]);
    await startEvenkeel(rig, hub, HOOK_ALONE);
    await client.finished(one('missed'));
    expect([...patchesOf(hub, one('missed'))]).toEqual([['web-deployment', 1]]);
  });

  it('finishes even if our process is killed meanwhile', async () => {
    const { metadata } = await rebalancerOf(one('killed'), 600);
    await someTriggered(one('killed'));
    await stopEvenkeel(rig, 'SIGKILL');
    expect(patchesOf(hub, one('killed')).size).toBeLessThan(600);
    await startEvenkeel(rig, hub, HOOK_ALONE);
    const { status } = await client.finished(one('killed'));
    expect(new Set(status?.observedWorkloads.map(({ result }) => result))).toEqual(new Set(['Successful']));
    expect(new Set((await client.triggers(one('killed'))).values())).toEqual(new Set([metadata.creationTimestamp]));
    // A patch whose response the killed process did not read was applied, and is not repeated.
    expect(new Set(patchesOf(hub, one('killed')).values())).toEqual(new Set([1]));
  });

  it('needs no request that the shipped RBAC denies', () => {
    const requests = ourRequests(hub).slice(before);
    expect(requests.length).toBeGreaterThan(1600);
    expect(requests.filter(isDenied)).toEqual([]);
  });

  // The API server's authorizer denies all requests shortly after a start, so this test comes after the one above.
  it('finishes even if the API server restarts meanwhile', async () => {
    const { metadata } = await rebalancerOf(one('restarted'), 600);
    await someTriggered(one('restarted'));
    await rig.processes.stop('hub-apiserver', 'SIGKILL');
    await startHub(rig);
    const { status } = await client.finished(one('restarted'));
    expect(new Set(status?.observedWorkloads.map(({ result }) => result))).toEqual(new Set(['Successful']));
    expect(new Set((await client.triggers(one('restarted'))).values())).toEqual(new Set([metadata.creationTimestamp]));
    expect(new Set(patchesOf(hub, one('restarted')).values())).toEqual(new Set([1]));
  });
});
