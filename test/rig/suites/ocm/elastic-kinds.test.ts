/** ElasticWorkloads with other targets and options than an inline Deployment, on real Open Cluster Management. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { place } from '../../parts/ocm.ts';
import { eventually } from '../karmada/observed-state.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { ElasticOnFleet, inlined } from './elastic.ts';
import { addManagedCluster, FLEET, type OcmFleet, paths, startOcmFleet } from './fleet.ts';

const LARGE = { name: 'large' };

const parts = new AsyncDisposableStack();
let fleet: OcmFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startOcmFleet(rigOfSuite()), (started) => started.close());
  await addManagedCluster(fleet, 'spoke1');
  await addManagedCluster(fleet, 'spoke2');
  await place(fleet.hub, LARGE.name, { ...FLEET, size: 'large' });
  await startEvenkeel(fleet.rig, fleet.hub, { resyncMinutes: 1440 });
  parts.defer(() => stopEvenkeel(fleet.rig));
});

afterAll(() => parts.disposeAsync());

describe('an imported object of the hub, in the group of the proposal, polled every two seconds', () => {
  const template = inlined({ name: 'books', image: 'books:1', cpu: '100m' });
  let books: ElasticOnFleet;

  beforeAll(async () => {
    books = new ElasticOnFleet(fleet, 'books', 'scheduling.open-cluster-management.io');
    await books.end();
    await fleet.hub.kubectl.apply({
      ...template,
      metadata: { ...template.metadata, namespace: 'default' },
      spec: { ...(template.spec as object), replicas: 0 },
    });
    await books.create({
      target: { type: 'Import', import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'books' } },
      placementRef: LARGE,
      distributionStrategy: {
        totalReplicas: 8,
        type: 'Weighted',
        weighted: { overrides: [{ clusterName: 'spoke1', weight: 3 }] },
      },
      balanceStrategy: { transfer: 'Conservative' },
      statusCollection: { type: 'PollingGet', intervalSeconds: 2 },
    });
    return async () => {
      await books.end();
      await fleet.api.delete(`${paths.deployments}/books`);
    };
  });

  it('runs on the managed clusters by weight, and has no replicas on the hub', async () => {
    await eventually(() => books.ready(), { spoke1: 6, spoke2: 2 });
    await eventually(() => books.totals(), { desired: 8, replicas: 8, ready: 8 });
    const { spec } = await fleet.api.get<{ spec: { replicas: number } }>(`${paths.deployments}/books`);
    expect(spec.replicas).toBe(0);
  });

  it('moves after a change of weights, and never requests more than its total', async () => {
    const most = await books.mostOnManagedClusters(async () => {
      await books.edit({ distributionStrategy: { type: 'Even', weighted: null } });
      await eventually(() => books.ready(), { spoke1: 4, spoke2: 4 });
    });
    expect(most).toBe(8);
  });

  it('is scaled by kubectl scale', async () => {
    await fleet.hub.kubectl.run('scale', books.typed, '--replicas=2');
    await eventually(() => books.ready(), { spoke1: 1, spoke2: 1 });
    await eventually(() => books.totals(), { desired: 2, replicas: 2, ready: 2 });
  });
});

const TOYS = '/apis/shop.example/v1/namespaces/default/toys';

const toyKind = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'toys.shop.example' },
  spec: {
    group: 'shop.example',
    scope: 'Namespaced',
    names: { kind: 'Toy', plural: 'toys', singular: 'toy', listKind: 'ToyList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
      },
    ],
  },
};

describe('a custom kind with a CRD on the hub', () => {
  const names = ['spoke1', 'spoke2'] as const;
  let toys: ElasticOnFleet;

  const managedClusterOf = (name: (typeof names)[number]) => {
    const managedCluster = fleet.managedClusters.get(name);
    if (managedCluster === undefined) throw new Error(`${name} is not up`);
    return managedCluster;
  };
  const sizes = () =>
    Promise.all(
      names.map(async (name) =>
        (await managedClusterOf(name).api.list<{ spec: { size: number } }>(TOYS)).map(({ spec }) => spec.size),
      ),
    );

  beforeAll(async () => {
    toys = new ElasticOnFleet(fleet, 'bear');
    await toys.end();
    for (const { kubectl } of [fleet.hub, ...names.map(managedClusterOf)]) {
      await kubectl.apply(toyKind);
      await kubectl.run('wait', '--for=condition=Established', 'crd/toys.shop.example', '--timeout=30s');
    }
    const inline = {
      apiVersion: 'shop.example/v1',
      kind: 'Toy',
      metadata: { name: 'bear' },
      spec: { colour: 'brown' },
    };
    await toys.create({
      target: { type: 'Inline', inline },
      placementRef: LARGE,
      distributionStrategy: { totalReplicas: 6 },
      balanceStrategy: { type: 'Classful', classful: { assured: 1, softLimit: 2, hardLimit: 4 } },
    });
    return () => toys.end();
  });

  it('gets its replicas at the specReplicasPath, and is counted at the statusReplicasPath', async () => {
    await eventually(sizes, [[3], [3]]);
    const body = { status: { size: 3 } };
    for (const name of names) await managedClusterOf(name).api.merge(`${TOYS}/bear/status`, body);
    await eventually(() => toys.totals(), { desired: 6, replicas: 6, ready: 6 });
    expect(await toys.conditions()).toMatchObject({ Accepted: 'True Accepted', Balanced: 'True Balanced' });
  });
});

describe('an unknown kind', () => {
  it('is not accepted, with reason UnknownKind, and no ManifestWork is written', async () => {
    const ghost = new ElasticOnFleet(fleet, 'ghost');
    await ghost.end();
    const inline = { apiVersion: 'attic.example/v1', kind: 'Ghost', metadata: { name: 'ghost' } };
    await ghost.create({
      target: { type: 'Inline', inline },
      placementRef: LARGE,
      distributionStrategy: { totalReplicas: 6 },
    });
    await eventually(async () => (await ghost.conditions()).Accepted, 'False UnknownKind');
    expect(await ghost.written()).toEqual({});
    await ghost.end();
  });
});
