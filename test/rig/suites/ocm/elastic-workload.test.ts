/**
 * What people ask of an ElasticWorkload, on real Open Cluster Management, with Evenkeel under the account we ship and told by
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
/** Longer than any hesitation and any delivery in these stories. */
const AWHILE_MS = 10_000;
const SLOW = { timeout: 300_000 };
/** What was written less than half a minute ago is not put back. */
const PUT_BACK_MS = 60_000;
/** An outage is believed after 10 s; a control plane that is back needs half a minute for its nodes. */
const AFTER_OUTAGE_MS = 90_000;

/** More room on the third spoke, which has 4 places. */
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
}, 300_000);

afterAll(() => parts.disposeAsync(), 120_000);

/** On a rig that was kept there may be something left. */
async function startOver(): Promise<void> {
  await shop.end();
  if (!(await isKnown(fleet, 'spoke3'))) return;
  const { kubectl: spoke3 } = await addManagedCluster(fleet, 'spoke3');
  await leave(fleet, 'spoke3');
  await spoke3.run('delete', 'node', MORE, '--ignore-not-found');
  await fail(fleet, 'spoke3');
}

/** Audit events alone drive what is seen: compared with the hub is once a day, and when it starts. */
function runEvenkeel(): Promise<void> {
  return startEvenkeel(fleet.rig, fleet.hub, { resyncMinutes: 1440 });
}

function kubectl(managedCluster: 'spoke1' | 'spoke2' | 'spoke3', ...args: readonly string[]): Promise<string> {
  const found = fleet.managedClusters.get(managedCluster);
  if (found === undefined) throw new Error(`${managedCluster} is not up`);
  return found.kubectl.run(...args);
}

describe('an ElasticWorkload', () => {
  it('is divided among the clusters of its placement, and tells how it is', SLOW, async () => {
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

  it('moves to a cluster that joins, with never fewer ready than it wants', SLOW, async () => {
    const fewest = await shop.fewestReady(async () => {
      await addManagedCluster(fleet, 'spoke3');
      await eventually(() => shop.ready(), { spoke1: 2, spoke2: 2, spoke3: 2 });
    });
    expect(fewest).toBe(6);
    await eventually(() => shop.totals(), { desired: 6, replicas: 6, ready: 6 });
  });

  it('lends to others what a cluster has no room for', SLOW, async () => {
    await fleet.hub.kubectl.run('scale', shop.typed, '--replicas=18');
    await eventually(() => shop.written(), { spoke1: 6, spoke2: 6, spoke3: 6 });
    await eventually(() => shop.ready(), { spoke1: 7, spoke2: 7, spoke3: 4 });
    await eventually(async () => (await shop.conditions()).Balanced, 'False Lent');
    await eventually(async () => (await shop.events()).includes('ReplicasLent'), true);
  });

  it('keeps them there, ready, however often the room is tried again', SLOW, async () => {
    const fewest = await shop.fewestReady(async () => {
      await seenFor(3 * AWHILE_MS, async () => undefined);
    });
    expect(fewest).toBe(18);
  });

  it('moves nothing when Evenkeel comes back without its memory', SLOW, async () => {
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

  it('takes them back once there is room', SLOW, async () => {
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

  it('leaves alone what was scaled down on a cluster by hand, and lends what is missing', SLOW, async () => {
    await kubectl('spoke2', 'scale', 'deployment', 'shop', '--replicas=2');
    await eventually(() => shop.ready(), { spoke1: 8, spoke2: 2, spoke3: 8 });
    const onSpoke2 = async () => (await shop.onManagedClusters()).spoke2;
    expect(await seenFor(AWHILE_MS, onSpoke2)).toEqual([2]);
    expect(await shop.written()).toEqual({ spoke1: 8, spoke2: 2, spoke3: 8 });
    await eventually(async () => (await shop.events()).includes('ScaledOnSpoke'), true);
  });

  it('leaves it alone across an edit on the hub as well', SLOW, async () => {
    const onSpoke2 = seenFor(AWHILE_MS, async () => (await shop.onManagedClusters()).spoke2);
    await shop.edit({ target: { inline: shopOf('shop:2') } });
    await eventually(() => shop.images(), { spoke1: 'shop:2', spoke2: 'shop:2', spoke3: 'shop:2' });
    expect(await onSpoke2).toEqual([2]);
    await eventually(() => shop.ready(), { spoke1: 8, spoke2: 2, spoke3: 8 }, AFTER_OUTAGE_MS);
  });

  it('leaves a cluster that failed when the placement lets go of it', SLOW, async () => {
    await fail(fleet, 'spoke3');
    await eventually(() => shop.ready(), { spoke1: 16, spoke2: 2 }, AFTER_OUTAGE_MS);
  });

  it('is back on it when it recovers', SLOW, async () => {
    const fewest = await shop.fewestReady(async () => {
      await addManagedCluster(fleet, 'spoke3');
      await eventually(() => shop.ready(), { spoke1: 8, spoke2: 2, spoke3: 8 }, AFTER_OUTAGE_MS);
    });
    expect(fewest).toBe(18);
  });

  it('is edited and scaled while Evenkeel is away, and found so when it is back', SLOW, async () => {
    await stopEvenkeel(fleet.rig);
    await fleet.hub.kubectl.run('scale', shop.typed, '--replicas=12');
    await runEvenkeel();
    // A new total is a new wish for every cluster: what was scaled by hand counts no more.
    await eventually(() => shop.ready(), { spoke1: 4, spoke2: 4, spoke3: 4 }, AFTER_OUTAGE_MS);
  });

  it('puts back what was scaled above its limit, though the limit is what is written already', SLOW, async () => {
    await shop.edit({ balanceStrategy: { limitRange: { max: 4 } } });
    await eventually(() => shop.written(), { spoke1: 4, spoke2: 4, spoke3: 4 });
    await kubectl('spoke2', 'scale', 'deployment', 'shop', '--replicas=9');
    await eventually(() => shop.onManagedClusters(), { spoke1: 4, spoke2: 4, spoke3: 4 }, PUT_BACK_MS);
    await eventually(async () => (await shop.conditions()).Progressing, 'False Settled');
    await shop.edit({ balanceStrategy: { limitRange: { max: 20 } } });
  });

  it('leaves a cluster that leaves the hub, which waits for that', SLOW, async () => {
    await leave(fleet, 'spoke3');
    await eventually(() => shop.ready(), { spoke1: 6, spoke2: 6, spoke3: 0 });
    expect((await shop.onManagedClusters()).spoke3).toBeUndefined();
    await kubectl('spoke3', 'delete', 'node', MORE);
  });

  it('takes everything along when it is deleted', SLOW, async () => {
    await shop.end();
    await eventually(() => shop.onManagedClusters(), {});
  });

  it('asked the hub for nothing that it may not have', () => {
    const requests = ourRequests(fleet.hub);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(isDenied)).toEqual([]);
  });
});
