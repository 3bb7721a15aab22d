/** The kinds that an ElasticWorkload lives by: where they are on a hub, and what is read of each. */
import { describe, expect, it } from 'vitest';
import {
  elasticClaims,
  elasticKind,
  elasticWorkloads,
  FINALIZER,
  OWNER_LABEL,
  ownerLabel,
  SCORE_LABEL,
  TARGET_LABEL,
} from '../../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../../shared/elastic-workload/managed-cluster.ts';
import {
  PLACEMENT_LABEL,
  placementDecisions,
  placements,
} from '../../../shared/elastic-workload/placement-decision.ts';
import { customKinds } from '../../../shared/elastic-workload/scale-paths.ts';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import { plain } from './elastic-cases.ts';

const metadata = { name: 'web', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-11-22T10:00:00Z' };
const CREATED = Date.parse(metadata.creationTimestamp);
const [workload] = elasticWorkloads;
const [claims] = elasticClaims;

describe('a kind', () => {
  it.each([
    [workload, 'ElasticWorkload', '/apis/workload.open-cluster-management.io/v1/namespaces/shop/elasticworkloads'],
    [claims, 'ElasticWorkload', '/apis/workload.open-cluster-management.io/v1/namespaces/shop/elasticworkloads'],
    [managedClusters, 'ManagedCluster', '/apis/cluster.open-cluster-management.io/v1/managedclusters'],
    [
      placementDecisions,
      'PlacementDecision',
      '/apis/cluster.open-cluster-management.io/v1beta1/namespaces/shop/placementdecisions',
    ],
    [placements, 'Placement', '/apis/cluster.open-cluster-management.io/v1beta1/namespaces/shop/placements'],
    [customKinds, 'CustomResourceDefinition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  ])('%# is where a hub has it', (resource, kind, path) => {
    expect([resource?.kind, resource && resourcePath(resource, { namespace: 'shop' })]).toEqual([kind, path]);
  });

  it.each([
    [claims, 'ElasticWorkload'],
    [managedClusters, 'ManagedCluster'],
    [placementDecisions, 'PlacementDecision'],
    [placements, 'Placement'],
    [customKinds, 'CustomResourceDefinition'],
  ])('%# that can not be read is named', (resource, kind) => {
    expect(() => resource?.parse({ metadata: { name: 'web' } })).toThrow(`${kind} web cannot be read: metadata.uid`);
  });
});

describe('names and labels of our objects', () => {
  it.each([
    [FINALIZER, 'evenkeel.dev/elastic-workload'],
    [OWNER_LABEL, 'evenkeel.dev/elastic-workload'],
    [TARGET_LABEL, 'evenkeel.dev/target'],
    [SCORE_LABEL, 'evenkeel.dev/score'],
    [PLACEMENT_LABEL, 'cluster.open-cluster-management.io/placement'],
  ])('%s has not changed', (name, always) => {
    expect(name).toBe(always);
  });

  it('belong to one ElasticWorkload each, in a label of 63 characters', () => {
    const key = { namespace: 'shop', name: 'w'.repeat(63) };
    const labels = elasticWorkloads.flatMap(({ group }) => [
      ownerLabel({ group, key }),
      ownerLabel({ group, key: { ...key, namespace: 'other' } }),
    ]);
    expect(new Set(labels).size).toBe(4);
    for (const label of labels) expect(label).toMatch(/^[a-z0-9]{1,63}$/);
  });
});

describe('an ElasticWorkload', () => {
  it('has its labels, finalizers, annotations and status, and its deletion timestamp', () => {
    const more = {
      labels: { a: 'b' },
      finalizers: ['x'],
      annotations: { c: 'd' },
      namespace: 'shop',
      generation: 3,
      deletionTimestamp: '2026-11-22T10:00:05Z',
    };
    const status = { replicas: 4, clusters: [{ name: 'm1', share: 2, replicas: 2 }] };
    expect(workload?.parse({ metadata: { ...metadata, ...more }, spec: plain, status })).toMatchObject({
      key: { namespace: 'shop', name: 'web' },
      ...{ uid: 'u', resourceVersion: '7', generation: 3, creationTimestamp: CREATED },
      ...{ deletionTimestamp: CREATED + 5000, labels: { a: 'b' }, finalizers: ['x'], annotations: { c: 'd' }, status },
    });
    expect(workload?.parse({ metadata, spec: plain })).not.toHaveProperty('deletionTimestamp');
  });

  it('is a claim by its metadata alone, asked for as that', () => {
    expect(claims?.metadataOnly).toBe(true);
    expect(claims?.parse({ metadata: { ...metadata, namespace: 'shop' } })).toEqual({
      group: 'workload.open-cluster-management.io',
      key: { namespace: 'shop', name: 'web' },
      uid: 'u',
      creationTimestamp: CREATED,
      finalizers: [],
    });
  });

  it('is of no other group', () => {
    expect(() => elasticKind('other' as 'workload.open-cluster-management.io')).toThrow(
      'No ElasticWorkload in the group other',
    );
  });
});

describe('a ManagedCluster', () => {
  const available = { type: 'ManagedClusterConditionAvailable', status: 'True' };

  it.each<[string, object | null | undefined, boolean]>([
    ['is True', { conditions: [{ type: 'HubAcceptedManagedCluster', status: 'False' }, available] }, true],
    ['is False', { conditions: [{ ...available, status: 'False' }] }, false],
    ['is not known to be', { conditions: [{ ...available, status: 'Unknown' }] }, false],
    ['is missing among other conditions', { conditions: [{ ...available, type: 'HubAcceptedManagedCluster' }] }, false],
    ['has no conditions', {}, false],
    ['has a status of nothing', null, false],
    ['has no status', undefined, false],
  ])('is available or not if its condition %s', (_, status, is) => {
    expect(managedClusters.parse({ metadata, status })).toEqual({ name: 'web', labels: {}, available: is });
  });

  it('has its labels', () => {
    const labelled = { ...metadata, labels: { region: 'eu' } };
    expect(managedClusters.parse({ metadata: labelled }).labels).toEqual({ region: 'eu' });
  });
});

describe('a PlacementDecision', () => {
  it('belongs to no Placement without the label, and has no cluster without a name', () => {
    const status = { decisions: [{ clusterName: '' }, { clusterName: 'a' }] };
    expect(placementDecisions.parse({ metadata: { ...metadata, namespace: 'shop' }, status })).toEqual({
      ...{ namespace: 'shop', name: 'web', placement: '' },
      clusters: ['a'],
    });
    expect(placementDecisions.parse({ metadata, status: null }).clusters).toEqual([]);
  });
});

describe('a Placement', () => {
  it.each([
    ['by its number', { numberOfSelectedClusters: 3, conditions: [] }, 3],
    ['none, after scheduling without a number', { conditions: [{}] }, 0],
    ['unknown, before scheduling', { conditions: [] }, undefined],
    ['unknown, without conditions', {}, undefined],
    ['unknown, without a status', undefined, undefined],
  ])('has this number of selected clusters: %s', (_, status, selected) => {
    expect(placements.parse({ metadata, status })).toStrictEqual({
      ...{ namespace: '', name: 'web' },
      ...(selected !== undefined && { selected }),
    });
  });
});

describe('a CustomResourceDefinition', () => {
  const names = { kind: 'Ring', plural: 'rings' };
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  const reporting = (properties: object) => ({ openAPIV3Schema: { properties: { status: { properties } } } });

  it.each<[string, object, object]>([
    ['nothing', {}, { reportsReady: false }],
    ['no schema', { schema: null, subresources: null }, { reportsReady: false }],
    ['a schema of anything', { schema: { openAPIV3Schema: null } }, { reportsReady: false }],
    ['a schema without fields', { schema: { openAPIV3Schema: {} } }, { reportsReady: false }],
    ['a scale', { subresources: { scale } }, { reportsReady: false, scale }],
    ['who is ready', { schema: reporting({ readyReplicas: {} }) }, { reportsReady: true }],
    ['other numbers', { schema: reporting({ replicas: {} }) }, { reportsReady: false }],
  ])('of a version has %s', (_, version, read) => {
    const spec = { group: 'example.org', names, versions: [{ name: 'v1', ...version }] };
    expect(customKinds.parse({ metadata: { ...metadata, name: 'rings.example.org' }, spec })).toStrictEqual({
      ...{ name: 'rings.example.org', group: 'example.org', kind: 'Ring', resource: 'rings' },
      versions: [{ name: 'v1', ...read }],
    });
  });
});
