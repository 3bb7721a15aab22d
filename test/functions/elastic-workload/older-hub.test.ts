/** A hub with Open Cluster Management 1.1 or older, whose ManifestWorks have no feedbackScrapeType. */
import { expect, it } from 'vitest';
import { errorStatusFault } from '../../../shared/kubernetes/client/error-status.ts';
import { ElasticWorld } from './scene.ts';

/** As kube-apiserver 1.35 rejects it, with the CRDs of Open Cluster Management 1.0. */
function rejection(namespace: string, name: string): string {
  return `failed to create typed patch object (${namespace}/${name}; work.open-cluster-management.io/v1, Kind=ManifestWork): .spec.manifestConfigs[0].feedbackScrapeType: field not declared in schema`;
}

/** `answer`: what the hub answers to a ManifestWork with the field. */
function olderHub(answer: typeof rejection): ElasticWorld {
  const world = new ElasticWorld();
  const { hub } = world;
  const apply = hub.apply.bind(hub);
  hub.apply = async (resource, object) => {
    const { namespace = '', name } = object.metadata;
    if (resource.plural === 'manifestworks' && JSON.stringify(object).includes('feedbackScrapeType'))
      throw errorStatusFault('hub karmada', { status: 500, body: { message: answer(namespace, name) } }, 'apply');
    return apply(resource, object);
  };
  return world;
}

it('an ElasticWorkload on an older hub gets its replicas, with agents that poll', async () => {
  // The Fault ends after 300 characters of the answer: with the longest names before it names the field.
  for (const name of ['web', 'w'.repeat(63)]) {
    const world = olderHub(rejection);
    await world.pass(5);
    world.run(name, { total: 12 });
    await world.pass(60);
    expect(world.shown(name)).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    for (const { spec } of world.works(name))
      expect(spec).toMatchObject({ manifestConfigs: [{ feedbackScrapeType: 'Poll' }] });
  }
});

it('another error of the hub does not write a ManifestWork without its field', async () => {
  const world = olderHub(() => 'etcdserver: request timed out');
  await world.pass(5);
  world.run('web', { total: 12 });
  await world.pass(60);
  expect(world.works('web')).toEqual([]);
});
