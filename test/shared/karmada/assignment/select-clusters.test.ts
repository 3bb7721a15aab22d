/** Which clusters are candidates, and the reasons for the others. */
import { describe, expect, it } from 'vitest';
import { type Cluster, parseCluster } from '../../../../shared/karmada/assignment/cluster.ts';
import { matchesAffinity, tolerationsOf } from '../../../../shared/karmada/assignment/match-cluster.ts';
import type { ClusterAffinity, SpreadConstraint, Toleration } from '../../../../shared/karmada/assignment/placement.ts';
import { type Selection, selectClusters } from '../../../../shared/karmada/assignment/select-clusters.ts';

const cluster = (name: string, more: Partial<Cluster> = {}): Cluster => ({
  name,
  deleting: false,
  taints: [],
  apis: [{ groupVersion: 'apps/v1', kinds: ['StatefulSet', 'Deployment'] }],
  ...more,
});
const noSchedule = { key: 'maintenance', value: '', effect: 'NoSchedule' };
const noExecute = { key: 'cluster.karmada.io/not-ready', value: '', effect: 'NoExecute' };

interface Wish {
  readonly affinity?: ClusterAffinity;
  readonly overflow?: readonly ClusterAffinity[];
  readonly spread?: readonly SpreadConstraint[];
  readonly tolerations?: readonly Toleration[];
  readonly held?: readonly string[];
  readonly evicting?: readonly string[];
}

function select(
  clusters: readonly Cluster[],
  { affinity, overflow = [], spread = [], tolerations = [], held = [], evicting = [] }: Wish = {},
): Selection<Cluster> {
  return selectClusters({
    clusters,
    affinities: affinity ? [affinity, ...overflow] : [],
    spreadConstraints: spread,
    tolerations,
    resource: { apiVersion: 'apps/v1', kind: 'Deployment' },
    holds: (name) => held.includes(name),
    evicting: (name) => evicting.includes(name),
  });
}

function names(clusters: readonly Cluster[], wish?: Wish): string[] {
  return select(clusters, wish).candidates.map(({ name }) => name);
}

describe('selectClusters', () => {
  it('selects every cluster that is not being deleted, without constraints', () => {
    expect(names([cluster('m1'), cluster('m3', { deleting: true })])).toEqual(['m1']);
  });
  it('selects only the clusters that an affinity names', () => {
    expect(names([cluster('m1'), cluster('m2')], { affinity: { clusterNames: ['m2', 'm9'] } })).toEqual(['m2']);
  });
  it('selects also the clusters that an overflow affinity selects', () => {
    const wish = { affinity: { clusterNames: ['m2'] }, overflow: [{ clusterNames: ['m3'] }, { clusterNames: ['m9'] }] };
    expect(names([cluster('m1'), cluster('m2'), cluster('m3')], wish)).toEqual(['m2', 'm3']);
  });
  it.each([
    ['region', 'region', { provider: 'acme', zones: ['z1'] }],
    ['provider', 'provider', { region: 'north', zones: ['z1'] }],
    ['zone', 'zones', { provider: 'acme', region: 'north', zones: [] }],
  ])(
    'excludes a cluster without the property of a spread by %s, even one that holds the workload',
    (field, property, has) => {
      const all = { provider: 'acme', region: 'north', zones: ['z1'] };
      const wish = { spread: [{ spreadByField: 'cluster' }, { spreadByField: field }], held: ['m1'] };
      const { candidates, unfit } = select([cluster('m1', has), cluster('m2', all)], wish);
      expect(candidates.map(({ name }) => name)).toEqual(['m2']);
      expect([...unfit]).toEqual([['m1', `cluster(s) did not have ${property} property`]]);
    },
  );
  it('requires no property for a spread by cluster or by label', () => {
    const spread = [{ spreadByField: 'cluster' }, { spreadByLabel: 'tier' }, {}];
    expect(names([cluster('m1')], { spread })).toEqual(['m1']);
  });
  it('keeps a cluster with a taint that holds the workload, since taking it away is for the eviction', () => {
    for (const taint of [noSchedule, noExecute]) {
      const clusters = [cluster('m1', { taints: [taint] }), cluster('m2', { taints: [taint] })];
      expect(names(clusters, { held: ['m1'] })).toEqual(['m1']);
    }
  });
  it('selects a cluster with a PreferNoSchedule taint', () => {
    expect(names([cluster('m1', { taints: [{ ...noSchedule, effect: 'PreferNoSchedule' }] })])).toEqual(['m1']);
  });
  it('selects a cluster with a tolerated taint', () => {
    const tolerations = [{ key: noExecute.key, operator: 'Exists', effect: 'NoExecute' }];
    expect(names([cluster('m1', { taints: [noExecute] })], { tolerations })).toEqual(['m1']);
  });
  it('drops a cluster from which the workload is being evicted, even if it holds it', () => {
    expect(names([cluster('m1'), cluster('m2')], { held: ['m1'], evicting: ['m1'] })).toEqual(['m2']);
  });
  it('drops a cluster that does not serve the kind, unless it holds the workload', () => {
    const bare = { apis: [{ groupVersion: 'apps/v1beta1', kinds: ['Deployment'] }] };
    expect(names([cluster('m1', bare), cluster('m2', bare)], { held: ['m2'] })).toEqual(['m2']);
  });
  it('reports why no cluster fits, by count and by cluster', () => {
    const affinity = { clusterNames: ['m1', 'm2', 'm3'] };
    const clusters = [
      cluster('m1', { taints: [noExecute] }),
      cluster('m2', { taints: [{ ...noSchedule, value: 'today' }] }),
      cluster('m3', { apis: [] }),
      cluster('m4'),
      cluster('m5'),
    ];
    const { message, unfit } = select(clusters, { affinity });
    expect(message).toBe(
      '0/5 clusters are available: 1 cluster(s) did not have the API resource, ' +
        '1 cluster(s) had untolerated taint {cluster.karmada.io/not-ready:NoExecute}, ' +
        '1 cluster(s) had untolerated taint {maintenance=today:NoSchedule}, ' +
        '2 cluster(s) did not match the placement cluster affinity constraint.',
    );
    expect(unfit.get('m3')).toBe('cluster(s) did not have the API resource');
    expect(select([cluster('m1')], { held: ['m1'], evicting: ['m1'] }).message).toBe(
      '0/1 clusters are available: 1 cluster(s) is in the process of eviction.',
    );
    expect(select([]).message).toBe('0/0 clusters are available: no cluster exists.');
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
  it('treats a cluster without a report as one without APIs and resources', () => {
    const metadata = { name: 'm1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T00:00:00Z' };
    const parsed = parseCluster({ metadata, spec: {} });
    expect(parsed).toEqual({ name: 'm1', labels: {}, zones: [], apis: [], deleting: false, taints: [] });
  });
});
