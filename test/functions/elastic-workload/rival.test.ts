/** Two ElasticWorkloads of one target, of which the later one wrote before it knew of the first. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { elasticKind, OWNER_LABEL, ownerLabel, workName } from '../../../shared/elastic-workload/elastic-workload.ts';
import { readElastic } from '../../../shared/elastic-workload/read-elastic.ts';
import type { Hub, ListOptions } from '../../../shared/kubernetes/hub.ts';
import type { Resource } from '../../../shared/kubernetes/resource.ts';
import { deployment, user } from '../../fakes/practice-fleet.ts';
import { borrowing, ElasticWorld } from './scene.ts';

const group = 'workload.open-cluster-management.io';

/** rival is rejected, because web has the object on all clusters. */
async function rejected(): Promise<ElasticWorld> {
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
  return world;
}

/** A ManifestWork of rival on spoke2. */
function leaveWork(world: ElasticWorld): void {
  const rival = { group, key: { namespace: 'shop', name: 'rival' } } as const;
  const { apiVersion, kind, spec } = world.works('web').find(({ metadata }) => metadata.namespace === 'spoke2') ?? {};
  const theirs = JSON.parse(JSON.stringify(spec)) as { workload: { manifests: { spec: { replicas: number } }[] } };
  for (const manifest of theirs.workload.manifests) manifest.spec.replicas = 1;
  const metadata = { namespace: 'spoke2', name: workName(rival), labels: { [OWNER_LABEL]: ownerLabel(rival) } };
  world.store.create('manifestworks', { apiVersion, kind, metadata, spec: theirs }, user);
}

/** Both have a ManifestWork on spoke2, where web has the object. */
async function rivals(): Promise<ElasticWorld> {
  const world = await rejected();
  leaveWork(world);
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
    world
      .works('rival')
      .map(({ metadata }) => `${metadata.namespace} ${world.ready('web', String(metadata.namespace))}`),
  ).toEqual(['spoke1 1', 'spoke2 1', 'spoke3 1']);
  expect(JSON.stringify(world.elasticObject('rival')?.status)).not.toContain('ScaledManually');
});

it('a reconcile that reads what a rival has set reads its ManifestWork too, however slow its lists are', async () => {
  const world = await rejected();
  const elastic = await world.hub.get(elasticKind(group), { namespace: 'shop', name: 'web' });
  if (elastic === undefined) throw new Error('there is no web');
  const own = `${OWNER_LABEL}=${ownerLabel(elastic)}`;
  const list = async function* <T>(kind: Resource<T>, options: ListOptions = {}) {
    if (options.labelSelector === own) {
      // Long enough for all that is read beside it.
      await setImmediate();
      leaveWork(world);
    }
    yield* world.hub.list(kind, options);
  };
  const get: Hub['get'] = (kind, key) => world.hub.get(kind, key);
  const getMany: Hub['getMany'] = (kind, keys) => world.hub.getMany(kind, keys);
  const hub = { name: 'karmada', list, get, getMany } as Partial<Hub> as Hub;
  const read = await readElastic(hub, elastic);
  expect('known' in read && [...read.known.contested]).toEqual(['spoke2']);
});
