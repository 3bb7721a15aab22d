/** Two ElasticWorkloads of one object: each cluster belongs to the one that came first of those that select it. */
import { describe, expect, it } from 'vitest';
import { deployment, placementOf, threeManagedClusters, user } from '../../fakes/practice-fleet.ts';
import { passing } from '../../fakes/store-hub.ts';
import { borrowing, ElasticWorld } from './scene.ts';

const target = { type: 'Inline', inline: deployment('web', { replicas: 0 }) };

/** A Placement for each list of clusters. */
async function worldWith(placements: Readonly<Record<string, readonly string[]>>): Promise<ElasticWorld> {
  const world = new ElasticWorld(
    threeManagedClusters.map((managedCluster) => ({ ...managedCluster, labels: { cluster: managedCluster.name } })),
  );
  for (const [name, clusters] of Object.entries(placements))
    world.store.create('placements', placing(name, clusters), user);
  await world.pass(5);
  return world;
}

function placing(name: string, clusters: readonly string[]): object {
  const matchExpressions = [{ key: 'cluster', operator: 'In', values: clusters }];
  const predicates = [{ requiredClusterSelector: { claimSelector: {}, labelSelector: { matchExpressions } } }];
  return { ...placementOf(name), spec: { clusterSets: ['global'], predicates } };
}

describe('two ElasticWorkloads of one object', () => {
  it('both run where their clusters are disjoint', async () => {
    const world = await worldWith({ left: ['spoke1'], right: ['spoke2', 'spoke3'] });
    world.run('first', { total: 4, target, placement: 'left', balance: borrowing });
    await world.pass(20);
    world.run('second', { total: 6, target, placement: 'right', balance: borrowing });
    await world.pass(60);
    expect(['first', 'second'].map((name) => world.condition(name, 'Accepted'))).toEqual([
      'Accepted=True Accepted',
      'Accepted=True Accepted',
    ]);
    expect([works(world, 'first'), works(world, 'second')]).toEqual([['spoke1 4'], ['spoke2 3', 'spoke3 3']]);
  });

  it('leave clusters that both select to the older one; the younger one runs on its others and names them', async () => {
    const world = await worldWith({ left: ['spoke1', 'spoke2'], right: ['spoke2', 'spoke3'] });
    world.run('first', { total: 4, target, placement: 'left', balance: borrowing });
    await world.pass(20);
    world.run('second', { total: 6, target, placement: 'right', balance: borrowing });
    await world.pass(60);
    expect(world.condition('second', 'Accepted')).toBe('Accepted=True PartlyTaken');
    expect(world.message('second', 'Accepted')).toContain('ElasticWorkload shop/first has the target on spoke2');
    expect([works(world, 'first'), works(world, 'second')]).toEqual([['spoke1 2', 'spoke2 2'], ['spoke3 6']]);
    world.deleteElastic('first');
    await world.pass(30);
    await world.resync();
    await world.pass(60);
    expect(world.condition('second', 'Accepted')).toBe('Accepted=True Accepted');
    expect(works(world, 'second')).toEqual(['spoke2 3', 'spoke3 3']);
  });

  it('leave clusters that both select to the older one also while the hub takes no ManifestWork of it', async () => {
    const world = await worldWith({ left: ['spoke1', 'spoke2'], right: ['spoke2', 'spoke3'] });
    world.hub.interference.before = ({ verb, plural, name }) => {
      if (verb === 'apply' && plural === 'manifestworks' && name.endsWith('.shop.first')) throw passing();
    };
    world.run('first', { total: 4, target, placement: 'left', balance: borrowing });
    await world.pass(20);
    world.run('second', { total: 6, target, placement: 'right', balance: borrowing });
    await world.pass(60);
    expect(world.condition('second', 'Accepted')).toBe('Accepted=True PartlyTaken');
    expect([works(world, 'first'), works(world, 'second')]).toEqual([[], ['spoke3 6']]);
    world.hub.interference = {};
    await world.pass(600);
    expect([works(world, 'first'), works(world, 'second')]).toEqual([['spoke1 2', 'spoke2 2'], ['spoke3 6']]);
  });

  it('have the younger one rejected where the older one has all its clusters', async () => {
    const world = await worldWith({ left: ['spoke1', 'spoke2'], right: ['spoke2'] });
    world.run('first', { total: 4, target, placement: 'left', balance: borrowing });
    await world.pass(20);
    world.run('second', { total: 6, target, placement: 'right', balance: borrowing });
    await world.pass(60);
    expect(world.condition('second', 'Accepted')).toBe('Accepted=False TargetTaken');
    expect(works(world, 'second')).toEqual([]);
  });
});

/** "spoke1 4": what is written, by cluster. */
function works(world: ElasticWorld, name: string): readonly string[] {
  return world
    .works(name)
    .map(({ metadata, spec }) => {
      const [manifest] = (spec?.workload as { manifests: { spec: { replicas: number } }[] }).manifests;
      return `${metadata.namespace} ${manifest?.spec.replicas}`;
    })
    .toSorted();
}
