/** A spec that cannot be carried out ends in a condition with the remedy, and no managed cluster is changed. */
import { describe, expect, it } from 'vitest';
import { deployment, placementOf, user } from '../../fakes/practice-fleet.ts';
import { type ElasticOptions, ElasticWorld } from './scene.ts';

const SCHEDULING = 'scheduling.open-cluster-management.io';

function inline(apiVersion: string, kind: string, extra: object = {}): object {
  return { type: 'Inline', inline: { apiVersion, kind, metadata: { name: 'web' }, ...extra } };
}

async function rejected(options: ElasticOptions): Promise<ElasticWorld> {
  const world = new ElasticWorld();
  await world.pass(5);
  world.run('web', options);
  await world.pass(10);
  expect(world.works('web')).toEqual([]);
  expect(world.deadLetters).toEqual([]);
  return world;
}

function definition(kind: string, subresources: object, status: object = {}): object {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', properties: status } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, subresources, schema }],
    },
  };
}

describe('an ElasticWorkload that cannot be carried out', () => {
  it('has a kind that the hub does not serve', async () => {
    const world = await rejected({ total: 6, target: inline('example.org/v1', 'Widget') });
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False UnknownKind');
    expect(world.message('web', 'Accepted')).toBe(
      'the hub does not know the kind Widget (example.org/v1); apply its CustomResourceDefinition to the hub, or set spec.target.scale',
    );
    expect(world.condition('web', 'Balanced')).toBe('Balanced=False UnknownKind');
  });

  it('of a kind without a scale subresource', async () => {
    const world = new ElasticWorld();
    world.store.create('customresourcedefinitions', definition('Widget', { status: {} }), user);
    world.run('web', { total: 6, target: inline('example.org/v1', 'Widget') });
    await world.pass(10);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False NoScalePath');
    expect(world.works('web')).toEqual([]);
  });

  it('with a manifest of more than 500 KiB', async () => {
    const huge = deployment('web', { replicas: 0 }) as Record<string, unknown>;
    const metadata = { name: 'web', annotations: { note: 'x'.repeat(512 * 1024) } };
    const world = await rejected({ total: 6, target: { type: 'Inline', inline: { ...huge, metadata } } });
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False ManifestTooLarge');
    expect(world.message('web', 'Accepted')).toContain(
      'the manifest has 513 KiB, and a ManifestWork holds at most 500',
    );
  });

  it('with a Placement that is not there, and is carried out once it is', async () => {
    const world = await rejected({ total: 6, placement: 'elsewhere' });
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False PlacementNotFound');
    world.store.create('placements', placementOf('elsewhere'), user);
    await world.pass(20);
    expect(world.shown('web')).toEqual(['spoke1 2/2', 'spoke2 2/2', 'spoke3 2/2']);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=True Accepted');
  });

  it('with an import that is not there, nor one of another namespace', async () => {
    const target = { type: 'Import', import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } };
    const world = new ElasticWorld();
    const elsewhere = deployment('web', { replicas: 0 }) as { metadata: object };
    const metadata = { ...elsewhere.metadata, namespace: 'default' };
    world.store.create('deployments', { ...elsewhere, metadata }, user);
    world.run('web', { total: 6, target });
    await world.pass(10);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False ImportNotFound');
    expect(world.message('web', 'Accepted')).toContain('there is no Deployment shop/web on the hub');
    expect(world.works('web')).toEqual([]);
  });

  it('whose target another one has already, whichever group that is of', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('first', { total: 6, target: inline('apps/v1', 'Deployment', { spec: deploymentSpec() }) });
    await world.pass(10);
    world.run('second', { total: 9, target: inline('apps/v1', 'Deployment'), group: SCHEDULING });
    await world.pass(20);
    expect(world.condition('second', 'Accepted', SCHEDULING)).toBe('Accepted=False TargetTaken');
    expect(world.shown('second')).toEqual([]);
    expect(world.condition('first', 'Accepted')).toBe('Accepted=True Accepted');
    world.deleteElastic('first');
    await world.pass(10);
    await world.resync();
    await world.pass(20);
    expect(world.condition('second', 'Accepted', SCHEDULING)).toBe('Accepted=True Accepted');
    expect(world.works('second')).toHaveLength(3);
  });

  it('is left as it was where it was carried out before', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 6 });
    await world.pass(20);
    world.editElastic('web', { placementRef: { name: 'elsewhere' } });
    await world.pass(20);
    expect(world.condition('web', 'Accepted')).toBe('Accepted=False PlacementNotFound');
    expect(world.shown('web')).toEqual(['spoke1 2/2', 'spoke2 2/2', 'spoke3 2/2']);
  });

  it('shows what an agent could not apply, and goes on with the others', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 6, target: { ...inline('example.org/v1', 'Widget'), scale: { resource: 'widgets' } } });
    await world.pass(20);
    expect(world.status('web').clusters?.map(({ reason }) => reason)).toEqual(['Rejected', 'Rejected', 'Rejected']);
    expect(world.status('web').clusters?.[0]?.message).toContain('Widget');
    expect(world.condition('web', 'Balanced')).toBe('Balanced=False Starting');
  });
});

function deploymentSpec(): unknown {
  return (deployment('web', { replicas: 0 }) as { spec: unknown }).spec;
}

describe('what an ElasticWorkload runs', () => {
  it('is imported from the hub, where its replicas stay 0', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.store.create('deployments', deployment('web', { replicas: 0, labels: { tier: 'front' } }), user);
    const target = { type: 'Import', import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } };
    world.run('web', { total: 6, target, spokeNamespace: 'front' });
    await world.pass(20);
    expect(world.ready('web', 'spoke1', 'front')).toBe(2);
    expect(world.store.get('deployments', { namespace: 'shop', name: 'web' })?.spec?.replicas).toBe(0);
    const [work] = world.works('web');
    const { manifests } = work?.spec?.workload as { manifests: Record<string, unknown>[] };
    expect(manifests[0]).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'front', labels: { tier: 'front' } },
      spec: { replicas: 2 },
    });
    expect(Object.keys(manifests[0] ?? {}).toSorted()).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(Object.keys(manifests[0]?.metadata as object).toSorted()).toEqual(['labels', 'name', 'namespace']);
  });

  it('may be of any kind that is scaled: the replica count is written to the path that its CustomResourceDefinition states', async () => {
    const world = new ElasticWorld();
    const scale = { specReplicasPath: '.spec.size.wanted', statusReplicasPath: '.status.size' };
    world.store.create('customresourcedefinitions', definition('Ring', { scale }), user);
    await world.pass(5);
    world.run('web', { total: 6, target: inline('example.org/v1', 'Ring', { spec: { size: { least: 1 } } }) });
    await world.pass(20);
    const [work] = world.works('web');
    expect(work?.spec).toMatchObject({
      workload: { manifests: [{ kind: 'Ring', spec: { size: { least: 1, wanted: 2 } } }] },
      manifestConfigs: [
        {
          resourceIdentifier: { group: 'example.org', resource: 'rings', namespace: 'default', name: 'web' },
          feedbackRules: [
            {
              jsonPaths: [
                { name: 'replicas', path: '.spec.size.wanted' },
                { name: 'ready', path: '.status.size' },
              ],
            },
          ],
        },
      ],
    });
  });

  it('is reconciled at an interval if its status is polled', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 6, statusCollection: { type: 'PollingGet', intervalSeconds: 30 } });
    await world.pass(10);
    const [work] = world.works('web');
    expect(work?.spec).toMatchObject({ manifestConfigs: [{ feedbackScrapeType: 'Poll' }] });
    world.hook = false;
    world.fleet.managedClusters.scale('spoke1', { namespace: 'default', name: 'web' }, 1);
    await world.pass(40);
    expect(world.status('web').clusters?.[0]).toMatchObject({ observedReplicas: 1, reason: 'ScaledManually' });
  });

  it('is served under the group of the example too, with works of its own', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 6, group: SCHEDULING });
    await world.pass(20);
    expect(world.shown('web')).toEqual(['spoke1 2/2', 'spoke2 2/2', 'spoke3 2/2']);
    expect(world.works('web')[0]?.metadata.name).toBe('elasticworkload-scheduling.shop.web');
    expect(world.condition('web', 'Balanced', SCHEDULING)).toBe('Balanced=True Balanced');
  });
});

describe('conditions of an ElasticWorkload', () => {
  async function placed(options: ElasticOptions): Promise<ElasticWorld> {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', options);
    await world.pass(30);
    return world;
  }

  it('report that the floors add up to more than the total', async () => {
    const world = await placed({ total: 6, balance: { type: 'LimitRange', limitRange: { min: 5, max: 10 } } });
    expect(world.shown('web')).toEqual(['spoke1 5/5', 'spoke2 5/5', 'spoke3 5/5']);
    expect(world.condition('web', 'Overcommitted')).toBe('Overcommitted=True FloorsAboveTotal');
  });

  it('report that the limits leave replicas unplaced', async () => {
    const world = await placed({ total: 6, balance: { type: 'LimitRange', limitRange: { min: 0, max: 1 } } });
    expect(world.shown('web')).toEqual(['spoke1 1/1', 'spoke2 1/1', 'spoke3 1/1']);
    expect(world.condition('web', 'Unplaced')).toBe('Unplaced=True LimitsReached');
    expect(world.message('web', 'Unplaced')).toContain('3 of 6 find no cluster');
  });

  it('report that no cluster has a weight', async () => {
    const world = await placed({ total: 6, distribution: { type: 'Weighted', weighted: { defaultWeight: 0 } } });
    expect(world.shown('web')).toEqual(['spoke1 0/0', 'spoke2 0/0', 'spoke3 0/0']);
    expect(world.condition('web', 'InvalidWeights')).toBe('InvalidWeights=True AllZero');
  });

  it('report that no cluster is selected', async () => {
    const world = new ElasticWorld();
    world.store.create(
      'placements',
      placementOf('none', {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { no: 'body' } } } }],
      }),
      user,
    );
    await world.pass(5);
    world.run('web', { total: 6, placement: 'none' });
    await world.pass(20);
    expect(world.works('web')).toEqual([]);
    expect(world.condition('web', 'NoClusters')).toBe('NoClusters=True NoneSelected');
  });

  it('weigh clusters by name and by label', async () => {
    const world = await placed({
      total: 12,
      distribution: {
        type: 'Weighted',
        weighted: { defaultWeight: 1, overrides: [{ clusterName: 'spoke2', weight: 2 }] },
      },
    });
    expect(world.shown('web')).toEqual(['spoke1 3/3', 'spoke2 6/6', 'spoke3 3/3']);
  });
});
