/** Two ElasticWorkloads of one target, of which the later one wrote before it knew of the first. */
import { expect, it } from 'vitest';
import { OWNER_LABEL, ownerLabel, workName } from '../../../shared/elastic-workload/elastic-workload.ts';
import { deployment, user } from '../../fakes/practice-fleet.ts';
import { borrowing, ElasticWorld } from './scene.ts';

/** Both have a ManifestWork on spoke2, where web has the object. */
async function rivals(): Promise<ElasticWorld> {
  const world = new ElasticWorld();
  await world.pass(5);
  world.run('web', { total: 12, balance: borrowing });
  await world.pass(40);
  world.run('rival', {
    total: 3,
    balance: borrowing,
    target: { type: 'Inline', inline: deployment('web', { replicas: 0 }) },
  });
  await world.pass(10);
  expect(world.condition('rival', 'Accepted')).toBe('Accepted=False TargetTaken');
  const rival = { group: 'workload.open-cluster-management.io', key: { namespace: 'shop', name: 'rival' } } as const;
  const { apiVersion, kind, spec } = world.works('web').find(({ metadata }) => metadata.namespace === 'spoke2') ?? {};
  const theirs = JSON.parse(JSON.stringify(spec)) as { workload: { manifests: { spec: { replicas: number } }[] } };
  for (const manifest of theirs.workload.manifests) manifest.spec.replicas = 1;
  const metadata = { namespace: 'spoke2', name: workName(rival), labels: { [OWNER_LABEL]: ownerLabel(rival) } };
  world.store.create('manifestworks', { apiVersion, kind, metadata, spec: theirs }, user);
  await world.pass(400);
  return world;
}

it('the reconciler resets what a rival wrote, and does not treat it as a manual scale', async () => {
  const world = await rivals();
  const works = world.works('web').map((work) => JSON.stringify(work.spec));
  expect(works.filter((text) => text.includes('"evenkeel.dev/put-back":"1"'))).toHaveLength(1);
  expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
});

it('an ElasticWorkload that gets the clusters of a deleted rival does not treat its replicas as a manual scale', async () => {
  const world = await rivals();
  world.store.delete('elasticworkloads', { namespace: 'shop', name: 'web' }, user);
  await world.pass(30);
  await world.resync();
  await world.pass(400);
  expect(world.condition('rival', 'Accepted')).toBe('Accepted=True Accepted');
  expect(
    world.works('rival').map(({ metadata }) => `${metadata.namespace} ${world.ready('web', metadata.namespace)}`),
  ).toEqual(['spoke1 1', 'spoke2 1', 'spoke3 1']);
  expect(JSON.stringify(world.elasticObject('rival')?.status)).not.toContain('ScaledManually');
});
