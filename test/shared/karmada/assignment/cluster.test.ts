/** How a member cluster is read. */
import { describe, expect, it } from 'vitest';
import { clusters, parseCluster } from '../../../../shared/karmada/assignment/cluster.ts';

const metadata = { name: 'm1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T00:00:00Z' };

describe('a Cluster', () => {
  it('is parsed with the fields that affinities, taints and capacity checks need', () => {
    const resourceSummary = { allocatable: { cpu: '4', pods: 110 }, allocated: { cpu: '1' } };
    const object = {
      metadata: { ...metadata, labels: { tier: 'prod' }, deletionTimestamp: '2026-11-21T01:00:00Z' },
      spec: {
        provider: 'aws',
        region: 'eu',
        zones: ['a', 'b'],
        taints: [{ key: 'k', effect: 'NoSchedule' }],
      },
      status: {
        resourceSummary,
        apiEnablements: [
          { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }, { kind: 'StatefulSet' }] },
          { groupVersion: 'v1' },
        ],
      },
    };
    expect(parseCluster(object)).toEqual({
      ...{ name: 'm1', labels: { tier: 'prod' }, provider: 'aws', region: 'eu', zones: ['a', 'b'], deleting: true },
      taints: [{ key: 'k', value: '', effect: 'NoSchedule' }],
      apis: [
        { groupVersion: 'apps/v1', kinds: ['Deployment', 'StatefulSet'] },
        { groupVersion: 'v1', kinds: [] },
      ],
      resourceSummary: { allocatable: { cpu: '4', pods: '110' }, allocated: { cpu: '1' } },
    });
  });

  it('without a spec or a status has no properties', () => {
    const bare = { name: 'm1', labels: {}, zones: [], apis: [], deleting: false, taints: [] };
    expect(parseCluster({ metadata })).toEqual(bare);
    expect(parseCluster({ metadata, spec: { provider: '', region: '' }, status: {} })).toEqual(bare);
  });

  it('that is unreadable is reported by its kind', () => {
    expect(() => parseCluster({ metadata, spec: { zones: 5 } })).toThrow(/^Cluster m1 cannot be read: spec.zones/);
  });

  it('is listed of the whole hub, some at a time', () => {
    const { parse: _, ...kind } = clusters;
    expect(kind).toEqual({
      ...{ group: 'cluster.karmada.io', version: 'v1alpha1', kind: 'Cluster', plural: 'clusters' },
      namespaced: false,
      pageSize: 100,
    });
  });
});
