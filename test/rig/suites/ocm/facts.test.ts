/** The assumptions of ElasticWorkloads about the work agent, checked with ManifestWorks as we write and read them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { startWorkAgent, stopWorkAgent } from '../../parts/managed-cluster.ts';
import { eventually, seenFor } from '../karmada/observed-state.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { addManagedCluster, type ManagedClusterFixture, type OcmFleet, startOcmFleet } from './fleet.ts';
import { Trial } from './trial.ts';

/** The agent syncs each ManifestWork once a second, or up to a second later. */
const INERT_MS = 4000;

const run = Date.now().toString(36);
let count = 0;
let fleet: OcmFleet;
let managedCluster: ManagedClusterFixture;
let trial: Trial;

beforeAll(async () => {
  fleet = await startOcmFleet(rigOfSuite());
  managedCluster = await addManagedCluster(fleet, 'spoke1');
});

afterAll(() => fleet.close());

beforeEach(async () => {
  count += 1;
  trial = await Trial.on(fleet, managedCluster, `shop-${run}-${count}`);
  return async () => {
    await trial.deleteWork().catch(() => undefined);
  };
});

const numbers = async () => {
  const { written, replicasOnCluster, ready } = await trial.work();
  return { written, replicasOnCluster, ready };
};

/** Writes the replicas, and waits until they exist and are reported. */
async function settled(replicas: number): Promise<void> {
  await trial.write({ replicas });
  await eventually(numbers, { written: replicas, replicasOnCluster: replicas, ready: replicas });
}

describe('a ManifestWork of ours', () => {
  it('creates the workload on its managed cluster, and gets its status', async () => {
    await settled(3);
    expect(await trial.replicasOnCluster()).toEqual({ replicas: 3, image: 'shop:1' });
    expect(await trial.work()).toMatchObject({ upToDate: true, rejected: undefined, edited: false });
    await trial.write({ replicas: 4 });
    await eventually(numbers, { written: 4, replicasOnCluster: 4, ready: 4 });
  });

  it('keeps and reports a manual scale on the managed cluster', async () => {
    await settled(3);
    await trial.scaleOnManagedCluster(1);
    await eventually(numbers, { written: 3, replicasOnCluster: 1, ready: 1 });
    expect(await seenFor(INERT_MS, numbers)).toEqual([{ written: 3, replicasOnCluster: 1, ready: 1 }]);
  });

  it('keeps a manual scale across an edit with the reported replicas', async () => {
    await settled(3);
    await trial.scaleOnManagedCluster(1);
    await eventually(numbers, { written: 3, replicasOnCluster: 1, ready: 1 });
    const replicas = async () => (await trial.replicasOnCluster())?.replicas;
    const seen = seenFor(INERT_MS, replicas);
    await trial.write({ replicas: 1, image: 'shop:2' });
    await eventually(() => trial.replicasOnCluster(), { replicas: 1, image: 'shop:2' });
    expect(await seen).toEqual([1]);
  });

  it('resets a manual scale with any other edit, so an edit must first adopt the reported replicas', async () => {
    await settled(3);
    await trial.scaleOnManagedCluster(1);
    await eventually(numbers, { written: 3, replicasOnCluster: 1, ready: 1 });
    await trial.write({ replicas: 3, image: 'shop:2' });
    await eventually(() => trial.replicasOnCluster(), { replicas: 3, image: 'shop:2' });
  });

  it('without ready pods has no feedback value for them, which is read as 0', async () => {
    await trial.write({ replicas: 2, annotations: { [READY_AFTER]: '1h' } });
    await eventually(numbers, { written: 2, replicasOnCluster: 2, ready: 0 });
    expect(await trial.feedback()).toEqual({ replicas: 2 });
  });

  it('whose workload was deleted on the managed cluster keeps the old feedback, which is not read', async () => {
    await settled(2);
    await trial.deleteOnManagedCluster();
    await eventually(numbers, { written: 2, replicasOnCluster: undefined, ready: 0 });
    expect(await trial.feedback()).toEqual({ replicas: 2, ready: 2 });
  });

  it('that the agent cannot apply has the reason, for its current generation', async () => {
    await trial.write({ replicas: 1, apiVersion: 'shop.example/v1' });
    const rejection = async () => {
      const { upToDate, rejected } = await trial.work();
      return { upToDate, names: rejected?.includes('Deployment') };
    };
    await eventually(rejection, { upToDate: true, names: true });
    await trial.write({ replicas: 1 });
    await eventually(rejection, { upToDate: true, names: undefined });
  });

  it('is deleted after its workload', async () => {
    await settled(2);
    await trial.deleteWork();
    await eventually(() => trial.isWorkGone(), true);
    expect(await trial.replicasOnCluster()).toBeUndefined();
  });

  describe('while its agent is down', () => {
    beforeEach(() => () => startWorkAgent(fleet.rig, fleet.hub, managedCluster));

    it('reports nothing of the last write', async () => {
      await settled(2);
      await stopWorkAgent(fleet.rig, managedCluster.name);
      await trial.write({ replicas: 5 });
      const read = async () => ({ ...(await numbers()), upToDate: (await trial.work()).upToDate });
      expect(await seenFor(INERT_MS, read)).toEqual([{ written: 5, replicasOnCluster: 2, ready: 2, upToDate: false }]);
      await startWorkAgent(fleet.rig, fleet.hub, managedCluster);
      await eventually(read, { written: 5, replicasOnCluster: 5, ready: 5, upToDate: true });
    });

    it('is not deleted until the agent is back', async () => {
      await settled(2);
      await stopWorkAgent(fleet.rig, managedCluster.name);
      await trial.deleteWork();
      expect(await seenFor(INERT_MS, async () => (await trial.work()).deleting)).toEqual([true]);
      expect(await trial.replicasOnCluster()).toMatchObject({ replicas: 2 });
      await startWorkAgent(fleet.rig, fleet.hub, managedCluster);
      await eventually(() => trial.isWorkGone(), true, 90_000);
      expect(await trial.replicasOnCluster()).toBeUndefined();
    });
  });
});
