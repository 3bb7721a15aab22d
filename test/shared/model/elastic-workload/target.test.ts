import { describe, expect, it } from 'vitest';
import { elasticSpec } from '../../../../shared/model/elastic-workload/elastic-workload-schema.ts';
import { isBefore, manifestFrom, targetLabel } from '../../../../shared/model/elastic-workload/target.ts';

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

describe('what runs on the spokes', () => {
  it('is freed of what belongs to its place on the hub', () => {
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
        ownerReferences: [{ name: 'someone' }],
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

  it('is the same target however it is written down, and another in another namespace', () => {
    const label = targetLabel(specOf(inline));
    expect(label).toMatch(/^[0-9a-f]{32}$/);
    expect(targetLabel(specOf(imported))).toBe(label);
    expect(targetLabel(specOf(inline, 'back'))).not.toBe(label);
    const beta = { ...imported, import: { ...imported.import, apiVersion: 'apps/v1beta1' } };
    expect(targetLabel(specOf(beta))).toBe(label);
  });

  it('belongs to who came first; of one second to the lower uid', () => {
    const claim = (uid: string, creationTimestamp: number) => {
      const key = { namespace: 'shop', name: uid };
      return { group: 'workload.open-cluster-management.io', key, uid, creationTimestamp } as const;
    };
    expect(isBefore(claim('b', 1000), claim('a', 2000))).toBe(true);
    expect(isBefore(claim('b', 1000), claim('a', 1000))).toBe(false);
    expect(isBefore(claim('a', 1000), claim('b', 1000))).toBe(true);
  });
});
