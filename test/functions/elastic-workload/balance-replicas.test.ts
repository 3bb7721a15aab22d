/** An ElasticWorkload on a fleet of managed clusters, as users see it: placement, borrowing, deletion. */
import { describe, expect, it } from 'vitest';
import { user } from '../../fakes/practice-fleet.ts';
import { borrowing, ElasticWorld } from './scene.ts';

async function settled(balance: object = borrowing): Promise<ElasticWorld> {
  const world = new ElasticWorld();
  await world.pass(5);
  world.run('web', { total: 12, balance });
  await world.pass(30);
  expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
  return world;
}

describe('an ElasticWorkload', () => {
  it('is spread over the clusters of its placement, and reports it in its status', async () => {
    const world = await settled();
    expect(world.status('web')).toMatchObject({
      observedGeneration: 1,
      replicas: 12,
      readyReplicas: 12,
      desiredReplicas: 12,
      numberOfClusters: 3,
      clusters: [
        { name: 'spoke1', share: 4, replicas: 4, observedReplicas: 4, readyReplicas: 4, reason: 'Ready' },
        { name: 'spoke2', share: 4, replicas: 4, observedReplicas: 4, readyReplicas: 4, reason: 'Ready' },
        { name: 'spoke3', share: 4, replicas: 4, observedReplicas: 4, readyReplicas: 4, reason: 'Ready' },
      ],
      manifestWorks: ['spoke1', 'spoke2', 'spoke3'].map((namespace) => ({
        namespace,
        name: 'elasticworkload.shop.web',
      })),
    });
    expect(world.condition('web', 'Accepted')).toBe('Accepted=True Accepted');
    expect(world.condition('web', 'Balanced')).toBe('Balanced=True Balanced');
    expect(world.condition('web', 'Progressing')).toBe('Progressing=False Settled');
    expect(world.deadLetters).toEqual([]);
  });

  it('writes each ManifestWork once, and nothing at the next reconcile', async () => {
    const world = await settled();
    expect(world.applied.toSorted()).toEqual(['spoke1', 'spoke2', 'spoke3']);
    const { length } = world.hub.calls;
    await world.resync();
    await world.pass(20);
    const later = world.hub.calls.slice(length).filter(({ verb }) => verb !== 'get' && verb !== 'list');
    expect(later).toEqual([]);
  });

  it('touches only the ManifestWorks that change when a cluster joins, and is never below its total', async () => {
    const world = await settled();
    const before = world.applied.length;
    world.fleet.managedClusters.join({ name: 'spoke4', capacity: 20, readyDelayMs: 2000 });
    for (let second = 0; second < 30; second++) {
      await world.pass(1);
      expect(
        ['spoke1', 'spoke2', 'spoke3', 'spoke4'].reduce((sum, name) => sum + world.ready('web', name), 0),
      ).toBeGreaterThanOrEqual(12);
    }
    expect(world.shown('web')).toEqual(['spoke1 3/3', 'spoke2 3/3', 'spoke3 3/3', 'spoke4 3/3']);
    expect(world.applied.slice(before).filter((cluster) => cluster === 'spoke4')).toEqual(['spoke4']);
  });

  it('borrows from other clusters what one cannot provision, reports why, and returns it when there is capacity', async () => {
    const world = await settled();
    world.fleet.managedClusters.setCapacity('spoke2', 2);
    await world.pass(330);
    expect(world.shown('web')).toEqual(['spoke1 5/5', 'spoke2 2/2', 'spoke3 5/5']);
    expect(world.condition('web', 'Balanced')).toBe('Balanced=False Borrowed');
    expect(world.status('web').clusters?.[1]).toMatchObject({ reason: 'Short' });
    const events = world.store.list('events').map((event) => (event as unknown as { reason: string }).reason);
    expect(events).toContain('ReplicasBorrowed');
    world.fleet.managedClusters.setCapacity('spoke2', 20);
    await world.pass(360);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    expect(world.condition('web', 'Balanced')).toBe('Balanced=True Balanced');
  });

  it('keeps a manual scale on a managed cluster, also across an edit of the manifest on the hub', async () => {
    const world = await settled();
    world.fleet.managedClusters.scale('spoke2', { namespace: 'default', name: 'web' }, 1);
    await world.pass(20);
    expect(world.shown('web')).toEqual(['spoke1 6/6', 'spoke2 1/1', 'spoke3 5/5']);
    const inline = world.elasticObject('web')?.spec?.target as { inline: { metadata: object } };
    world.editElastic('web', {
      target: { inline: { ...inline.inline, metadata: { ...inline.inline.metadata, labels: { edition: '2' } } } },
    });
    await world.pass(20);
    expect(world.fleet.managedClusters.replicas('spoke2', { namespace: 'default', name: 'web' })).toEqual({
      replicas: 1,
      ready: 1,
    });
    const editions = world.works('web').map(({ spec }) => /"edition":"(\d)"/.exec(JSON.stringify(spec))?.[1]);
    expect(editions).toEqual(['2', '2', '2']);
  });

  it('follows the PlacementDecision when a cluster fails and is tainted away, and when it is back', async () => {
    const world = await settled();
    world.fleet.managedClusters.fail('spoke3');
    await world.pass(30);
    expect(world.shown('web').filter((text) => !text.startsWith('spoke3'))).toEqual(['spoke1 6/6', 'spoke2 6/6']);
    world.fleet.managedClusters.recover('spoke3');
    await world.pass(60);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
  });

  it('is scaled by its scale subresource, and off with 0', async () => {
    const world = await settled();
    world.editElastic('web', { distributionStrategy: { totalReplicas: 6 } });
    await world.pass(20);
    expect(world.shown('web')).toEqual(['spoke1 2/2', 'spoke2 2/2', 'spoke3 2/2']);
    world.editElastic('web', { distributionStrategy: { totalReplicas: 0 } });
    await world.pass(20);
    expect(world.shown('web')).toEqual(['spoke1 0/0', 'spoke2 0/0', 'spoke3 0/0']);
  });

  it('takes its ManifestWorks with it when it is deleted', async () => {
    const world = await settled();
    world.deleteElastic('web');
    await world.pass(20);
    expect(world.elasticObject('web')).toBe(undefined);
    expect(world.works('web')).toEqual([]);
    expect(world.ready('web', 'spoke1')).toBe(0);
  });

  it('keeps a manual scale on a managed cluster after the table was lost', async () => {
    const world = await settled();
    world.fleet.managedClusters.scale('spoke2', { namespace: 'default', name: 'web' }, 1);
    await world.pass(20);
    const before = world.applied.length;
    world.loseTable();
    await world.resync();
    await world.pass(900);
    expect(world.shown('web')).toEqual(['spoke1 6/6', 'spoke2 1/1', 'spoke3 5/5']);
    expect(world.applied.length).toBe(before);
  });

  it('goes on where its table was lost, without moving anything', async () => {
    const world = await settled();
    world.fleet.managedClusters.setCapacity('spoke2', 2);
    await world.pass(330);
    const before = world.applied.length;
    world.loseTable();
    await world.resync();
    await world.pass(60);
    expect(world.shown('web')).toEqual(['spoke1 5/5', 'spoke2 2/2', 'spoke3 5/5']);
    expect(world.applied.length).toBe(before);
  });

  it('resets a ManifestWork that another user changed or deleted', async () => {
    const world = await settled();
    const key = { namespace: 'spoke1', name: 'elasticworkload.shop.web' };
    const body = { spec: { manifestConfigs: [] } };
    world.store.patch('manifestworks', key, { type: 'merge', body }, user);
    await world.pass(20);
    expect(world.store.get('manifestworks', key)?.spec?.manifestConfigs).toHaveLength(1);
    world.store.delete('manifestworks', key, user);
    await world.pass(30);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
  });

  it('converges by resync alone, with every event lost', async () => {
    const world = new ElasticWorld(undefined, { hook: false });
    await world.pass(5);
    world.run('web', { total: 12, balance: borrowing });
    await world.resync();
    await world.pass(30);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    world.fleet.managedClusters.fail('spoke3');
    for (let look = 0; look < 3; look++) {
      await world.pass(30);
      await world.resync();
    }
    await world.pass(30);
    expect(world.shown('web').filter((text) => !text.startsWith('spoke3'))).toEqual(['spoke1 6/6', 'spoke2 6/6']);
  });
});
