/** An ElasticWorkload whose target becomes another one: rejected by its CRD, and not carried out where a hub has no such rule. */
import { afterEach, describe, expect, it } from 'vitest';
import { kindOf } from '../../../local/practice-hub/store/kinds.ts';
import { deployment } from '../../fakes/practice-fleet.ts';
import { borrowing, ElasticWorld } from './scene.ts';

const kind = kindOf('elasticworkloads') as { rules?: unknown };
const { rules } = kind;
afterEach(() => {
  kind.rules = rules;
});

async function running(): Promise<ElasticWorld> {
  const world = new ElasticWorld();
  await world.pass(5);
  world.run('web', { total: 12, balance: borrowing });
  await world.pass(40);
  expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
  return world;
}

describe('a hub with the rule', () => {
  it('rejects another namespace on the managed clusters, and nothing moves', async () => {
    const world = await running();
    expect(() => world.editElastic('web', { spokeNamespace: 'other' })).toThrow(
      'spec.spokeNamespace: Invalid value: field is immutable; create another ElasticWorkload',
    );
    await world.pass(60);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
  });
});

describe('a hub without the rule', () => {
  it.each([
    ['namespace', { spokeNamespace: 'other' }, 'apps/Deployment/other/web'],
    ['name', { target: { inline: deployment('shop', { replicas: 0 }) } }, 'apps/Deployment/default/shop'],
  ])('reports another %s in the conditions, and changes nothing on a managed cluster', async (_, spec, after) => {
    const world = await running();
    delete kind.rules;
    world.editElastic('web', spec);
    const before = world.applied.length;
    await world.pass(600);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False TargetChanged');
    expect(world.message('web', 'Accepted')).toContain(`the clusters run apps/Deployment/default/web, and `);
    expect(world.message('web', 'Accepted')).toContain(after);
    expect([world.applied.length, world.shown('web')]).toEqual([before, ['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']]);
  });

  it('goes on once the target is written back', async () => {
    const world = await running();
    delete kind.rules;
    world.editElastic('web', { spokeNamespace: 'other' });
    await world.pass(30);
    world.editElastic('web', { spokeNamespace: 'default', distributionStrategy: { totalReplicas: 15 } });
    await world.pass(60);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=True Accepted');
    expect(world.shown('web')).toEqual(['spoke1 5/5', 'spoke2 5/5', 'spoke3 5/5']);
  });

  it('takes another target as long as no cluster runs the first', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 12, placement: 'none' });
    await world.pass(20);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False PlacementNotFound');
    delete kind.rules;
    world.editElastic('web', { spokeNamespace: 'other', placementRef: { name: 'all' } });
    await world.pass(60);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=True Accepted');
  });
});
