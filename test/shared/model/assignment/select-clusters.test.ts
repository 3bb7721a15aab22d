/** Which clusters are candidates, and what is said of the others. */
import { describe, expect, it } from 'vitest';
import { type Cluster, parseCluster } from '../../../../shared/model/assignment/cluster.ts';
import { matchesAffinity, tolerationsOf } from '../../../../shared/model/assignment/match-cluster.ts';
import type { Placement } from '../../../../shared/model/assignment/placement.ts';
import { selectClusters } from '../../../../shared/model/assignment/select-clusters.ts';

const cluster = (name: string, more: Partial<Cluster> = {}): Cluster => ({
  name,
  ready: true,
  deleting: false,
  taints: [],
  ...more,
});
const noSchedule = { key: 'maintenance', value: '', effect: 'NoSchedule' };
const noExecute = { key: 'cluster.karmada.io/not-ready', value: '', effect: 'NoExecute' };

function names(placement: Placement, clusters: readonly Cluster[], held: readonly string[] = []): string[] {
  return selectClusters(placement, clusters, (name) => held.includes(name)).candidates.map(({ name }) => name);
}

describe('selectClusters', () => {
  it('takes every ready cluster without taints where the placement names none', () => {
    expect(names({}, [cluster('m1'), cluster('m2', { ready: false }), cluster('m3', { deleting: true })])).toEqual([
      'm1',
    ]);
  });
  it('takes only the clusters an affinity names', () => {
    const placement = { clusterAffinity: { clusterNames: ['m2', 'm9'] } };
    expect(names(placement, [cluster('m1'), cluster('m2')])).toEqual(['m2']);
  });
  it('keeps a cluster with a NoSchedule taint that holds the workload, and takes no new one', () => {
    const clusters = [cluster('m1', { taints: [noSchedule] }), cluster('m2', { taints: [noSchedule] })];
    expect(names({}, clusters, ['m1'])).toEqual(['m1']);
  });
  it('drops a cluster with a NoExecute taint, though it holds the workload', () => {
    expect(names({}, [cluster('m1', { taints: [noExecute], ready: false })], ['m1'])).toEqual([]);
  });
  it('keeps a failed cluster that holds the workload where the placement tolerates the failure', () => {
    const placement = { clusterTolerations: [{ key: noExecute.key, operator: 'Exists', effect: 'NoExecute' }] };
    expect(names(placement, [cluster('m1', { taints: [noExecute], ready: false })], ['m1'])).toEqual(['m1']);
  });
  it('says why nobody fits, by count', () => {
    const placement = { clusterAffinity: { clusterNames: ['m1', 'm2', 'm3'] } };
    const clusters = [
      cluster('m1', { taints: [noExecute] }),
      cluster('m2', { taints: [{ ...noSchedule, value: 'today' }] }),
      cluster('m3', { ready: false }),
      cluster('m4'),
      cluster('m5'),
    ];
    expect(selectClusters(placement, clusters, () => false).message).toBe(
      '0/5 clusters are available: 1 cluster(s) had untolerated taint {cluster.karmada.io/not-ready:NoExecute}, ' +
        '1 cluster(s) had untolerated taint {maintenance=today:NoSchedule}, 1 cluster(s) were not ready, ' +
        '2 cluster(s) did not match the placement cluster affinity constraint.',
    );
    expect(selectClusters({}, [], () => false).message).toBe('0/0 clusters are available: no cluster exists.');
  });
});

describe('matchesAffinity', () => {
  const m1 = { name: 'm1', labels: { tier: 'prod' }, region: 'eu', zones: ['eu-1', 'eu-2'] };
  it('lets exclude win over names', () => {
    expect(matchesAffinity({ clusterNames: ['m1'], exclude: ['m1'] }, m1)).toBe(false);
  });
  it.each([
    ['In', ['prod', 'test'], true],
    ['NotIn', ['prod'], false],
    ['Exists', undefined, true],
    ['DoesNotExist', undefined, false],
    ['Near', ['prod'], false],
  ])('reads the label operator %s', (operator, values, matches) => {
    expect(matchesAffinity({ labelSelector: { matchExpressions: [{ key: 'tier', operator, values }] } }, m1)).toBe(
      matches,
    );
  });
  it.each([
    ['zone', 'In', ['eu-2'], true],
    ['zone', 'NotIn', ['eu-2'], false],
    ['zone', 'NotIn', ['us-1'], true],
    ['zone', 'Exists', [], true],
    ['zone', 'DoesNotExist', [], false],
    ['region', 'In', ['eu'], true],
    ['provider', 'Exists', [], false],
    ['planet', 'Exists', [], false],
  ])('reads the field %s %s %s', (key, operator, values, matches) => {
    expect(matchesAffinity({ fieldSelector: { matchExpressions: [{ key, operator, values }] } }, m1)).toBe(matches);
  });
});

describe('tolerationsOf', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoExecute' };
  it.each([
    [{ operator: 'Exists' }, 1],
    [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }, 0],
    [{ key: 'k', value: 'v' }, 1],
    [{ key: 'k', value: 'w' }, 0],
    [{}, 0],
  ])('%j tolerates %d times', (toleration, count) => {
    expect(tolerationsOf(taint, [toleration])).toHaveLength(count);
  });
});

describe('parseCluster', () => {
  it('reads a cluster that has reported nothing as not ready and without resources', () => {
    const metadata = { name: 'm1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T00:00:00Z' };
    const parsed = parseCluster({ metadata, spec: {} });
    expect(parsed).toEqual({ name: 'm1', labels: {}, zones: [], ready: false, deleting: false, taints: [] });
  });
});
