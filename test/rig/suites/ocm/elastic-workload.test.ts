/**
 * An ElasticWorkload on real Open Cluster Management, with Evenkeel under the shipped account and triggered by
 * the hub's own audit events. The tests are steps of one course of events, in order.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { addNamedNodes } from '../../parts/member.ts';
import { place } from '../../parts/ocm.ts';
import { isDenied, ourRequests } from '../audit-log.ts';
import { eventually, seenFor } from '../karmada/observed-state.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { ElasticOnFleet, inlined } from './elastic.ts';
import { addManagedCluster, FLEET, fail, isKnown, leave, type OcmFleet, startOcmFleet } from './fleet.ts';

const HESITATION_SECONDS = 6;
/** Longer than any hesitationSeconds and any delivery in these stories. */
const AWHILE_MS = 10_000;
/** Drift is not corrected within half a minute after a write. */
const DRIFT_CORRECTED_MS = 60_000;
/** An outage is detected after 10 s; a restarted control plane needs half a minute until its nodes are Ready. */
const AFTER_OUTAGE_MS = 90_000;

/** A node that adds capacity to the third managed cluster, which has capacity for 4 pods. */
const MORE = 'spoke3-more';
const shopOf = (image: string) => inlined({ name: 'shop', image, cpu: '1', annotations: { [READY_AFTER]: '2s' } });

const parts = new AsyncDisposableStack();
let fleet: OcmFleet;
let shop: ElasticOnFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startOcmFleet(rigOfSuite()), (started) => started.close());
  await addManagedCluster(fleet, 'spoke1');
  await addManagedCluster(fleet, 'spoke2');
  await place(fleet.hub, 'everywhere', FLEET);
  await runEvenkeel();
  parts.defer(() => stopEvenkeel(fleet.rig));
  shop = new ElasticOnFleet(fleet, 'shop');
  await startOver();
});

afterAll(() => parts.disposeAsync());

/** Removes what an earlier run on the same rig left. */
async function startOver(): Promise<void> {
  await shop.end();
  if (!(await isKnown(fleet, 'spoke3'))) return;
  const { kubectl: spoke3 } = await addManagedCluster(fleet, 'spoke3');
  await leave(fleet, 'spoke3');
  await spoke3.run('delete', 'node', MORE, '--ignore-not-found');
  await fail(fleet, 'spoke3');
}

/** Resync runs once a day and at the start, so that only audit events trigger functions. */
function runEvenkeel(): Promise<void> {
  return startEvenkeel(fleet.rig, fleet.hub, { resyncMinutes: 1440 });
}

function kubectl(managedCluster: 'spoke1' | 'spoke2' | 'spoke3', ...args: readonly string[]): Promise<string> {
  const found = fleet.managedClusters.get(managedCluster);
  if (found === undefined) throw new Error(`${managedCluster} is not up`);
  return found.kubectl.run(...args);
}

describe('an ElasticWorkload', () => {
  it('is divided among the clusters of its placement, and reports its status', async () => {
    await shop.create({
      target: { type: 'Inline', inline: shopOf('shop:1') },
      placementRef: { name: 'everywhere' },
      distributionStrategy: { totalReplicas: 6 },
      balanceStrategy: { type: 'LimitRange', limitRange: { max: 20 }, hesitationSeconds: HESITATION_SECONDS },
    });
    await eventually(() => shop.ready(), { spoke1: 3, spoke2: 3 });
    await eventually(() => shop.totals(), { desired: 6, replicas: 6, ready: 6 });
    const { manifestWorks, observedGeneration } = await shop.status();
    expect({ manifestWorks, observedGeneration }).toEqual({
      manifestWorks: [
        { namespace: 'spoke1', name: 'elasticworkload.default.shop' },
        { namespace: 'spoke2', name: 'elasticworkload.default.shop' },
      ],
      observedGeneration: 1,
    });
    expect(await shop.conditions()).toMatchObject({ Accepted: 'True Accepted', Balanced: 'True Balanced' });
    const [, line = ''] = (await fleet.hub.kubectl.run('get', 'ew', 'shop')).split('\n');
    expect(line.split(/\s+/).slice(0, 5)).toEqual(['shop', '6', '6', '2', 'True']);
  });

  it('moves to a cluster that joins, with never fewer ready replicas than its total', async () => {
    const fewest = await shop.fewestReady(async () => {
      await addManagedCluster(fleet, 'spoke3');
      await eventually(() => shop.ready(), { spoke1: 2, spoke2: 2, spoke3: 2 });
    });
    expect(fewest).toBe(6);
    await eventually(() => shop.totals(), { desired: 6, replicas: 6, ready: 6 });
  });

  it('lets other clusters borrow the replicas for which one has no capacity', async () => {
    await fleet.hub.kubectl.run('scale', shop.typed, '--replicas=18');
    await eventually(() => shop.written(), { spoke1: 6, spoke2: 6, spoke3: 6 });
    await eventually(() => shop.ready(), { spoke1: 7, spoke2: 7, spoke3: 4 });
    await eventually(async () => (await shop.conditions()).Balanced, 'False Borrowed');
    await eventually(async () => (await shop.events()).includes('ReplicasBorrowed'), true);
  });

  it('keeps the borrowed replicas ready during all capacity probes', async () => {
    const fewest = await shop.fewestReady(async () => {
      await seenFor(3 * AWHILE_MS, async () => undefined);
    });
    expect(fewest).toBe(18);
  });

  it('moves nothing after Evenkeel restarts without its reconciler state', async () => {
    const numbers = async () => (await shop.written()).spoke3;
    await eventually(numbers, 4);
    await stopEvenkeel(fleet.rig);
    rmSync(join(fleet.hub.hook.folder, 'table'), { recursive: true });
    const fewest = await shop.fewestReady(async () => {
      await runEvenkeel();
      expect(await seenFor(HESITATION_SECONDS * 500, numbers)).toEqual([4]);
      await seenFor(AWHILE_MS, async () => undefined);
    });
    expect(fewest).toBe(18);
  });

  it('returns the borrowed replicas once there is capacity', async () => {
    const spoke3 = fleet.managedClusters.get('spoke3');
    if (spoke3 === undefined) throw new Error('spoke3 has joined');
    const fewest = await shop.fewestReady(async () => {
      await addNamedNodes(spoke3, [MORE], { cpu: 10 });
      await eventually(() => shop.ready(), { spoke1: 6, spoke2: 6, spoke3: 6 }, AFTER_OUTAGE_MS);
    });
    expect(fewest).toBe(18);
    await eventually(async () => (await shop.conditions()).Balanced, 'True Balanced');
    await eventually(() => shop.totals(), { desired: 18, replicas: 18, ready: 18 });
  });

  it('keeps a manual scale-down on a managed cluster, and lets others borrow the missing replicas', async () => {
    await kubectl('spoke2', 'scale', 'deployment', 'shop', '--replicas=2');
    await eventually(() => shop.ready(), { spoke1: 8, spoke2: 2, spoke3: 8 });
    const onCluster2 = async () => (await shop.onManagedClusters()).spoke2;
    expect(await seenFor(AWHILE_MS, onCluster2)).toEqual([2]);
    expect(await shop.written()).toEqual({ spoke1: 8, spoke2: 2, spoke3: 8 });
    await eventually(async () => (await shop.events()).includes('ScaledOnManagedCluster'), true);
  });

  it('keeps the manual scale-down across an edit on the hub', async () => {
    const onCluster2 = seenFor(AWHILE_MS, async () => (await shop.onManagedClusters()).spoke2);
    await shop.edit({ target: { inline: shopOf('shop:2') } });
    await eventually(() => shop.images(), { spoke1: 'shop:2', spoke2: 'shop:2', spoke3: 'shop:2' });
    expect(await onCluster2).toEqual([2]);
    await eventually(() => shop.ready(), { spoke1: 8, spoke2: 2, spoke3: 8 }, AFTER_OUTAGE_MS);
  });

  it('leaves a failed cluster when the placement no longer selects it', async () => {
    await fail(fleet, 'spoke3');
    await eventually(() => shop.ready(), { spoke1: 16, spoke2: 2 }, AFTER_OUTAGE_MS);
  });

  it('returns to the cluster when it recovers', async () => {
    const fewest = await shop.fewestReady(async () => {
      await addManagedCluster(fleet, 'spoke3');
      await eventually(() => shop.ready(), { spoke1: 8, spoke2: 2, spoke3: 8 }, AFTER_OUTAGE_MS);
    });
    expect(fewest).toBe(18);
  });

  it('applies changes that are made while Evenkeel is down, after its start', async () => {
    await stopEvenkeel(fleet.rig);
    await fleet.hub.kubectl.run('scale', shop.typed, '--replicas=12');
    await runEvenkeel();
    // A new total replaces the manual scale-down.
    await eventually(() => shop.ready(), { spoke1: 4, spoke2: 4, spoke3: 4 }, AFTER_OUTAGE_MS);
  });

  it('resets a manual scale-up above the limit, even if the ManifestWork already has the limit', async () => {
    await shop.edit({ balanceStrategy: { limitRange: { max: 4 } } });
    await eventually(() => shop.written(), { spoke1: 4, spoke2: 4, spoke3: 4 });
    await kubectl('spoke2', 'scale', 'deployment', 'shop', '--replicas=9');
    await eventually(() => shop.onManagedClusters(), { spoke1: 4, spoke2: 4, spoke3: 4 }, DRIFT_CORRECTED_MS);
    await eventually(async () => (await shop.conditions()).Progressing, 'False Settled');
    await shop.edit({ balanceStrategy: { limitRange: { max: 20 } } });
  });

  it('is removed from a cluster that leaves the hub, before the cluster is deleted', async () => {
    await leave(fleet, 'spoke3');
    await eventually(() => shop.ready(), { spoke1: 6, spoke2: 6, spoke3: 0 });
    expect((await shop.onManagedClusters()).spoke3).toBeUndefined();
    await kubectl('spoke3', 'delete', 'node', MORE);
  });

  it('is deleted together with its workloads', async () => {
    await shop.end();
    await eventually(() => shop.onManagedClusters(), {});
  });

  it('needs no request that was denied', () => {
    const requests = ourRequests(fleet.hub);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(isDenied)).toEqual([]);
  });
});
