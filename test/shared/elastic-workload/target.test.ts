import { describe, expect, it } from 'vitest';
import { elasticSpec } from '../../../shared/elastic-workload/elastic-workload-schema.ts';
import {
  isBefore,
  MANIFEST_LIMIT,
  manifestFrom,
  sizeOf,
  targetLabel,
  targetOf,
} from '../../../shared/elastic-workload/target.ts';

function specOf(target: object, spokeNamespace = 'front') {
  return elasticSpec.parse({
    spokeNamespace,
    target,
    placementRef: { name: 'all' },
    distributionStrategy: { totalReplicas: 1 },
  });
}

const inline = { type: 'Inline', inline: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } };
const imported = { type: 'Import', import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } };
/** Foreign keys that only contain the removed ones. */
const nearly = {
  'old.kubectl.kubernetes.io/last-applied-configuration': '{}',
  'deployment.kubernetes.io/revision-history': '1,2',
};

describe('the target on the managed clusters', () => {
  it('has no fields that belong to its object on the hub', () => {
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        namespace: 'shop',
        uid: 'u',
        resourceVersion: '1',
        generation: 4,
        managedFields: [],
        ownerReferences: [{ name: 'owner' }],
        finalizers: ['a/b'],
        labels: { tier: 'front' },
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          'deployment.kubernetes.io/revision': '3',
          team: 'web',
        },
      },
      spec: { replicas: 0 },
      status: { replicas: 0 },
    };
    expect(manifestFrom(object, { spokeNamespace: 'front' })).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'front', labels: { tier: 'front' }, annotations: { team: 'web' } },
      spec: { replicas: 0 },
    });
  });

  it.each([
    [{ name: 'web' }, {}],
    [{ name: 'web', labels: {}, annotations: {} }, { labels: {} }],
    [{ name: 'web', annotations: { 'deployment.kubernetes.io/revision': '3' } }, {}],
    [{ name: 'web', annotations: { team: 'web' } }, { annotations: { team: 'web' } }],
    [{ name: 'web', annotations: nearly }, { annotations: nearly }],
  ])('%# has only the labels and annotations that are left', (metadata, kept) => {
    expect(manifestFrom({ kind: 'Deployment', metadata }, { spokeNamespace: 'front' })).toStrictEqual({
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'front', ...kept },
    });
  });

  it.each([
    [{}, 2],
    [{ a: 'b' }, 9],
    [{ a: 'ä' }, 10],
    [{ a: '€' }, 11],
  ])('as %j has %i bytes', (manifest, bytes) => {
    expect(sizeOf(manifest)).toBe(bytes);
  });

  it('may have 500 KiB', () => {
    expect(MANIFEST_LIMIT).toBe(512_000);
  });

  it.each([
    [inline, { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    [imported, { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    [{ ...inline, type: 'Import' }, undefined],
    [{ ...imported, type: 'Inline' }, undefined],
  ])('%# is named by the block of its type, and has no label without it', (target, named) => {
    const spec = specOf(target);
    expect(targetOf(spec)).toEqual(named);
    expect(targetLabel(spec) === undefined).toBe(named === undefined);
  });

  it('is the same target however it is written down, and another in another namespace', () => {
    const label = targetLabel(specOf(inline));
    expect(label).toMatch(/^[0-9a-f]{32}$/);
    expect(targetLabel(specOf(imported))).toBe(label);
    expect(targetLabel(specOf(inline, 'back'))).not.toBe(label);
    const beta = { ...imported, import: { ...imported.import, apiVersion: 'apps/v1beta1' } };
    expect(targetLabel(specOf(beta))).toBe(label);
  });

  it('belongs to the oldest ElasticWorkload; at the same second to the lower uid', () => {
    const claim = (uid: string, creationTimestamp: number) => {
      const key = { namespace: 'shop', name: uid };
      return { group: 'workload.open-cluster-management.io', key, uid, creationTimestamp, finalizers: [] } as const;
    };
    expect(isBefore(claim('b', 1000), claim('a', 2000))).toBe(true);
    expect(isBefore(claim('a', 2000), claim('b', 1000))).toBe(false);
    expect(isBefore(claim('a', 1000), claim('a', 1000))).toBe(false);
    expect(isBefore(claim('b', 1000), claim('a', 1000))).toBe(false);
    expect(isBefore(claim('a', 1000), claim('b', 1000))).toBe(true);
  });
});
