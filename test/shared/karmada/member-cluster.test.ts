import { describe, expect, it } from 'vitest';
import { memberClusters, parseMember } from '../../../shared/karmada/member-cluster.ts';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import { at } from '../../builders.ts';
import { type ClusterParts, clusterObject } from '../../placed-objects.ts';

const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-21T10:00:05Z' };

/** With a status that has no conditions for 'none', and without one for undefined. */
function member(conditions: readonly object[] | 'none' | undefined, parts: ClusterParts = {}) {
  const status = conditions === 'none' ? {} : conditions && { conditions };
  return parseMember({ ...clusterObject('m1', parts), status });
}

describe('a member cluster', () => {
  it('is ready and healthy since the transition of its condition', () => {
    const {
      uid,
      createdAt,
      ready: isReady,
      healthy,
      readySince,
      cluster,
    } = member([{ type: 'Other', status: 'False' }, ready]);
    expect({ uid, createdAt, isReady, healthy, readySince, name: cluster.name }).toEqual({
      uid: 'uid-m1',
      createdAt: Date.parse('2026-11-20T09:00:00Z'),
      isReady: true,
      healthy: true,
      readySince: at(5),
      name: 'm1',
    });
  });

  it.each<[string, readonly object[] | 'none' | undefined]>([
    ['is False', [{ ...ready, status: 'False' }]],
    ['does not know', [{ ...ready, status: 'Unknown' }]],
    ['is missing', [{ ...ready, type: 'Complete' }]],
    ['has no conditions', []],
    ['has no status', undefined],
    ['has a status of nothing', 'none'],
  ])('is neither ready nor healthy if its condition %s', (_what, conditions) => {
    const { ready: isReady, healthy } = member(conditions);
    expect([isReady, healthy]).toEqual([false, false]);
  });

  it('has no time of its readiness where the hub keeps none', () => {
    expect(member([{ type: 'Ready', status: 'True', lastTransitionTime: null }])).not.toHaveProperty('readySince');
  });

  it.each<[string, ClusterParts, boolean]>([
    ['leaving', { deleting: true }, false],
    ["with Karmada's taint", { taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }] }, false],
    ['cordoned', { taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }] }, false],
    ['with a taint that evicts', { taints: [{ key: 'repair', effect: 'NoExecute' }] }, false],
    ['kept for some by a taint', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }, true],
    ['with a key that is only similar', { taints: [{ key: 'my.cluster.karmada.io/x', effect: 'NoSchedule' }] }, true],
  ])('is ready, and %s is healthy or not', (_what, parts, healthy) => {
    expect(member([ready], parts)).toMatchObject({ ready: true, healthy });
  });

  it('is read from where clusters are', () => {
    expect(resourcePath(memberClusters)).toBe('/apis/cluster.karmada.io/v1alpha1/clusters');
    expect(() => memberClusters.parse({})).toThrow('Cluster (no name) cannot be read');
  });
});
