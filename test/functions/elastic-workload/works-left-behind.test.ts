/** ManifestWorks of a deleted ElasticWorkload: created by a concurrent reconcile, or left behind when a user removed its finalizer. */
import { describe, expect, it } from 'vitest';
import { ManagedClusterChanged, ResyncDue } from '../../../shared/bus/catalogue.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { ElasticWorld } from './scene.ts';

const key = { namespace: 'shop', name: 'web' };

async function settled(): Promise<ElasticWorld> {
  const world = new ElasticWorld();
  await world.pass(5);
  world.run('web', { total: 12 });
  await world.pass(30);
  expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
  return world;
}

/** At once, with its works still there. */
function takeAway(world: ElasticWorld): void {
  world.store.patch('elasticworkloads', key, { type: 'merge', body: { metadata: { finalizers: null } } }, user);
  world.store.delete('elasticworkloads', key, user);
}

describe('the works of an ElasticWorkload that is gone', () => {
  it('are taken back by the look that wrote them behind its end', async () => {
    const world = await settled();
    world.hub.interference = {
      before({ verb, plural, subresource }) {
        if (verb !== 'patch' || plural !== 'elasticworkloads' || subresource !== 'status') return;
        // No event is published for what happens from here.
        world.hook = false;
        world.hub.interference = {};
        takeAway(world);
      },
    };
    world.editElastic('web', { distributionStrategy: { totalReplicas: 18 } });
    await world.pass(10);
    expect(world.elasticObject('web')).toBe(undefined);
    expect(world.works('web')).toEqual([]);
    expect(world.deadLetters).toEqual([]);
  });

  it('are found where resync comes in one batch behind a change of a cluster', async () => {
    const world = await settled();
    world.hook = false;
    takeAway(world);
    await world.pass(60);
    const hub = 'karmada';
    await world.bus.publish([ManagedClusterChanged.of({ hub, name: 'spoke1' }), ResyncDue.of({ hub })]);
    await world.pass(60);
    expect(world.works('web')).toEqual([]);
  });

  it('are found by resync, and those of one that is there stay', async () => {
    const world = await settled();
    world.run('api', { total: 3 });
    await world.pass(30);
    world.hook = false;
    takeAway(world);
    await world.pass(60);
    expect(world.works('web')).toHaveLength(3);
    await world.resync();
    await world.pass(60);
    expect(world.works('web')).toEqual([]);
    expect(world.shown('api')).toEqual(['spoke1 1/1', 'spoke2 1/1', 'spoke3 1/1']);
    expect(world.deadLetters).toEqual([]);
  });
});
