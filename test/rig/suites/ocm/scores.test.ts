/**
 * An ElasticWorkload whose weights are AddOnPlacementScores, with Open Cluster Management's own CustomResourceDefinition, triggered by the
 * hub's audit events. The tests are steps of one course of events, in order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { place } from '../../parts/ocm.ts';
import { isDenied, ourRequests } from '../audit-log.ts';
import { eventually, seenFor } from '../karmada/observed-state.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { ElasticOnFleet, inlined } from './elastic.ts';
import { addManagedCluster, FLEET, type OcmFleet, startOcmFleet } from './fleet.ts';

const COOL_DOWN_SECONDS = 60;
/** Events of scores wait in their queue for 30 s, and replicas start in 2 s. */
const APPLIED_MS = 60_000;

/** Longer than reports of started pods take. */
const QUIET_MS = 15_000;

const parts = new AsyncDisposableStack();
let fleet: OcmFleet;
let store: ElasticOnFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startOcmFleet(rigOfSuite()), (started) => started.close());
  await addManagedCluster(fleet, 'spoke1');
  await addManagedCluster(fleet, 'spoke2');
  await place(fleet.hub, 'scored', { ...FLEET, size: 'large' });
  // Resync once a day: only audit events trigger functions.
  await startEvenkeel(fleet.rig, fleet.hub, { resyncMinutes: 1440 });
  parts.defer(() => stopEvenkeel(fleet.rig));
  store = new ElasticOnFleet(fleet, 'store');
  await store.end();
});

afterAll(() => parts.disposeAsync());

const scoresIn = (cluster: string) =>
  `/apis/cluster.open-cluster-management.io/v1alpha1/namespaces/${cluster}/addonplacementscores`;

async function score(cluster: string, value: number): Promise<{ readonly status: number }> {
  const path = `${scoresIn(cluster)}/prices`;
  if ((await fleet.api.send({ method: 'GET', path })).status === 404)
    await fleet.api.create(scoresIn(cluster), {
      apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
      kind: 'AddOnPlacementScore',
      metadata: { name: 'prices' },
    });
  const body = { status: { scores: [{ name: 'cost', value }] } };
  return fleet.api.send({ method: 'PATCH', path: `${path}/status`, body, contentType: 'application/merge-patch+json' });
}

describe('an ElasticWorkload with weights by score', () => {
  it('is divided in proportion to 100 plus the scores', async () => {
    await score('spoke1', 0);
    await score('spoke2', 100);
    const image = inlined({ name: 'store', image: 'store:1', cpu: '1', annotations: { [READY_AFTER]: '2s' } });
    await store.create({
      target: { type: 'Inline', inline: image },
      placementRef: { name: 'scored' },
      distributionStrategy: {
        totalReplicas: 12,
        type: 'Weighted',
        weighted: {
          addOnScore: { resourceName: 'prices', scoreName: 'cost', minChange: 20, coolDownSeconds: COOL_DOWN_SECONDS },
        },
      },
    });
    await eventually(() => store.ready(), { spoke1: 4, spoke2: 8 });
    await eventually(async () => (await store.conditions()).ScoresMissing, 'False Valid');
  });

  it('moves after a change of a score, with never fewer ready replicas than its total', async () => {
    // Until nothing else is reported, so that only the event of the score can trigger a reconcile.
    await seenFor(QUIET_MS, () => store.written());
    const fewest = await store.fewestReady(async () => {
      await score('spoke1', 100);
      await eventually(() => store.ready(), { spoke1: 6, spoke2: 6 }, APPLIED_MS);
    });
    expect(fewest).toBe(12);
    expect((await store.status()).clusters?.map(({ name, score: used }) => [name, used])).toEqual([
      ['spoke1', 100],
      ['spoke2', 100],
    ]);
  });

  it('keeps its replicas after a change below minChange, and during the cool-down', async () => {
    await score('spoke1', 81);
    await score('spoke2', -100);
    // The events of these writes are handled after 30 s.
    const seen = await seenFor(COOL_DOWN_SECONDS * 750, () => store.written());
    expect(seen).toEqual([{ spoke1: 6, spoke2: 6 }]);
  });

  it('takes over the changes at the end of the cool-down without a further write, except for the one below minChange', async () => {
    await eventually(() => store.ready(), { spoke1: 12, spoke2: 0 }, COOL_DOWN_SECONDS * 1000 + APPLIED_MS);
    expect((await store.status()).clusters?.map(({ score: used }) => used)).toEqual([100, -100]);
  });

  it('keeps its replicas after the scores are deleted, and reports the clusters without one', async () => {
    await seenFor(QUIET_MS, () => store.written());
    await fleet.api.delete(`${scoresIn('spoke1')}/prices`);
    await fleet.api.delete(`${scoresIn('spoke2')}/prices`);
    await eventually(async () => (await store.conditions()).ScoresMissing, 'True NoValidScore', APPLIED_MS);
    expect(await store.written()).toEqual({ spoke1: 12, spoke2: 0 });
  });

  it('gets no score beyond -100 and 100, because the API server rejects them', async () => {
    await score('spoke1', 0);
    expect([(await score('spoke1', 101)).status, (await score('spoke1', -101)).status]).toEqual([422, 422]);
  });

  it('needs no request that was denied', async () => {
    await store.end();
    const requests = ourRequests(fleet.hub);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(isDenied)).toEqual([]);
  });
});
