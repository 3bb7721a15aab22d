import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { followedKinds } from '../../bridge/run-bridge.ts';
import { catalogue } from '../../shared/bus/catalogue.ts';
import { eventOfChange, kindsToReport, watchedKinds, watchedVerbs } from '../../shared/bus/watched-kinds.ts';
import type { HubFeatures } from '../../shared/kubernetes/hub-features.ts';
import { auditPolicy } from '../../shared/manifests/audit.ts';

interface Rule {
  readonly level: string;
  readonly verbs?: readonly string[];
  readonly resources?: readonly { readonly group: string; readonly resources: readonly string[] }[];
}

interface Policy {
  readonly omitStages: readonly string[];
  readonly rules: readonly Rule[];
}

const POLICIES = ['cluster.karmada.io/clusters', 'evenkeel.dev/rebalancepolicies'];
const REBALANCERS = ['apps.karmada.io/workloadrebalancers'];
const BINDINGS = ['work.karmada.io/clusterresourcebindings', 'work.karmada.io/resourcebindings'];
const STATUSES = BINDINGS.map((kind) => `${kind}/status`);
const PROPAGATION = ['policy.karmada.io/clusterpropagationpolicies', 'policy.karmada.io/propagationpolicies'];
const ELASTIC = [
  'cluster.open-cluster-management.io/addonplacementscores',
  'cluster.open-cluster-management.io/managedclusters',
  'cluster.open-cluster-management.io/placementdecisions',
  'scheduling.open-cluster-management.io/elasticworkloads',
  'work.open-cluster-management.io/manifestworks',
  'workload.open-cluster-management.io/elasticworkloads',
];
/** Subresources that users edit, and subresources that our functions wait for. */
const ELASTIC_PARTS = [
  'cluster.open-cluster-management.io/addonplacementscores/status',
  'cluster.open-cluster-management.io/placementdecisions/status',
  'scheduling.open-cluster-management.io/elasticworkloads/scale',
  'work.open-cluster-management.io/manifestworks/status',
  'workload.open-cluster-management.io/elasticworkloads/scale',
];
const shipped = parse(readFileSync('examples/audit-policy.yaml', 'utf8')) as Policy;
const policyFor = (used: HubFeatures) => parse(auditPolicy(used)) as Policy;

function reported({ rules: [watched] }: Policy): readonly string[] {
  return (watched?.resources ?? [])
    .flatMap(({ group, resources }) => resources.map((name) => `${group}/${name}`))
    .toSorted();
}

describe.each([
  ['the shipped audit policy', shipped, REBALANCERS],
  ['the audit policy for our scheduler', policyFor({ scheduler: true }), [...REBALANCERS, ...BINDINGS]],
  ['the audit policy for RebalancePolicies', policyFor({ policies: true }), [...REBALANCERS, ...POLICIES]],
  [
    'the audit policy for held reductions',
    policyFor({ gracefulReduction: true }),
    [...REBALANCERS, ...PROPAGATION, ...BINDINGS, ...STATUSES].toSorted(),
  ],
  [
    'the audit policy for ElasticWorkloads',
    policyFor({ elasticWorkloads: true }),
    [...REBALANCERS, ...ELASTIC, ...ELASTIC_PARTS].toSorted(),
  ],
  [
    'the audit policy for all of them',
    policyFor({ scheduler: true, policies: true, drains: true, gracefulReduction: true, elasticWorkloads: true }),
    [...watchedKinds.map(({ group, resource }) => `${group}/${resource}`), ...STATUSES, ...ELASTIC_PARTS].toSorted(),
  ],
] as const)('%s', (_, policy, kinds) => {
  const [watched, rest, ...others] = policy.rules;

  it('has the changes of these kinds reported, and of no other: a status only if a function waits for it', () => {
    expect(reported(policy)).toEqual(kinds);
    expect(watched?.verbs?.toSorted()).toEqual([...watchedVerbs].toSorted());
  });

  it('has keys reported, once, and nothing of the rest', () => {
    expect([watched?.level, rest, others]).toEqual(['Metadata', { level: 'None' }, []]);
    expect(policy.omitStages).toEqual(['RequestReceived']);
  });
});

describe('the bridge', () => {
  it.each<HubFeatures>([
    {},
    { scheduler: true },
    { policies: true },
    { gracefulReduction: true },
    { history: true },
    { elasticWorkloads: true },
    { scheduler: true, policies: true, drains: true, gracefulReduction: true, elasticWorkloads: true },
  ])('watches what is to be reported where this is used: %j', (used) => {
    const named = followedKinds(used).map(({ group, plural }) => `${group}/${plural}`);
    expect(named).toEqual(kindsToReport(used).map(({ group, resource }) => `${group}/${resource}`));
  });
});

describe('events that hubs report', () => {
  it('are those of the watched kinds, and a resync', () => {
    const fromHub = Object.values(catalogue).flatMap((definition) =>
      'fromHub' in definition ? [definition.type] : [],
    );
    const published = watchedKinds.flatMap(({ publishes, status }) => [
      publishes,
      ...(status ? [status.publishes] : []),
    ]);
    expect(fromHub.toSorted()).toEqual([...new Set([...published, 'ResyncDue'])].toSorted());
  });
});

describe('a change', () => {
  const kind = { group: 'apps.karmada.io', resource: 'workloadrebalancers' };

  it('of a watched kind is published by name', () => {
    expect(eventOfChange('edge', { ...kind, name: 'a.b-1' })).toEqual({
      type: 'WorkloadRebalancerChanged',
      detail: { hub: 'edge', name: 'a.b-1', version: 1 },
    });
  });

  it.each([
    ['resourcebindings', 'shop'],
    ['clusterresourcebindings', ''],
  ])('of %s is published by namespace and name', (resource, namespace) => {
    expect(eventOfChange('edge', { group: 'work.karmada.io', resource, namespace, name: 'web-deployment' })).toEqual({
      type: 'BindingChanged',
      detail: { hub: 'edge', namespace, name: 'web-deployment', version: 1 },
    });
  });

  it.each([
    ['resourcebindings', ''],
    ['resourcebindings', 'a/b'],
    ['clusterresourcebindings', 'shop'],
  ])('of %s in namespace %j is none, for no hub has such a one', (resource, namespace) => {
    expect(eventOfChange('edge', { group: 'work.karmada.io', resource, namespace, name: 'web-deployment' })).toBe(
      undefined,
    );
  });

  it.each([[undefined], ['']])('without a name (%j) is a resync', (name) => {
    expect(eventOfChange('edge', { ...kind, name })).toEqual({
      type: 'ResyncDue',
      detail: { hub: 'edge', version: 1 },
    });
  });

  it.each([
    [{ group: 'apps', resource: 'workloadrebalancers', name: 'a' }],
    [{ group: 'apps.karmada.io', resource: 'deployments', name: 'a' }],
    [{ group: '__proto__', resource: 'constructor', name: 'a' }],
  ])('of another kind is none: %j', (change) => {
    expect(eventOfChange('edge', change)).toBe(undefined);
  });

  it.each(['a/b', '..', '.', 'a..b', '-a', 'a-', 'A', 'a b', 'a\0', 'ä', '名', '%2e', 'a\n', 'x'.repeat(254)])(
    'of %j is none, for no hub has an object of that name',
    (name) => {
      expect(eventOfChange('edge', { ...kind, name })).toBe(undefined);
    },
  );

  it('of a name of 253 characters is one', () => {
    expect(eventOfChange('edge', { ...kind, name: 'x'.repeat(253) })?.detail.name).toBe('x'.repeat(253));
  });
});
