/** The practice hub as an Open Cluster Management hub: placement, registration and the work agents of simulated managed clusters. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';
import {
  deployment,
  memoryChangeLog,
  type PracticeFleet,
  type PracticeFleetOptions,
  placementOf,
  startPracticeFleet,
  threeManagedClusters,
  user,
} from '../fakes/practice-fleet.ts';

const web = { namespace: 'shop', name: 'web' };
const REPLICAS = '.spec.replicas';

/** The configuration of the ManifestWorks of an ElasticWorkload. */
const watched = {
  resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'web' },
  updateStrategy: {
    type: 'ServerSideApply',
    serverSideApply: { force: true, ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: [REPLICAS] }] },
  },
  feedbackScrapeType: 'Watch',
  feedbackRules: [
    {
      type: 'JSONPaths',
      jsonPaths: [
        { name: 'replicas', path: REPLICAS },
        { name: 'ready', path: '.status.readyReplicas' },
      ],
    },
  ],
};

function workIn(namespace: string, manifests: readonly object[], config: object = watched): object {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name: 'web', namespace },
    spec: { workload: { manifests }, manifestConfigs: [config] },
  };
}

class Scene {
  readonly world: PracticeFleet;

  constructor(options: Partial<PracticeFleetOptions> = {}) {
    this.world = startPracticeFleet({ managedClusters: threeManagedClusters, ...options });
  }

  get managedClusters() {
    return this.world.fleet.managedClusters;
  }

  apply(plural: string, object: object): KubeObject {
    const { metadata } = object as KubeObject;
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    const { object: applied } = this.world.store.apply(plural, key, { config: object, force: true }, user);
    this.world.clock.advance(0);
    return applied;
  }

  /** Advances the clock. */
  pass(ms: number): void {
    this.world.clock.advance(ms);
  }

  decision(placement: string, slice = 1): readonly string[] {
    const key = { namespace: 'shop', name: `${placement}-decision-${slice}` };
    const status = this.world.store.get('placementdecisions', key)?.status;
    return ((status?.decisions ?? []) as { clusterName: string }[]).map(({ clusterName }) => clusterName);
  }

  placed(name: string): Record<string, unknown> {
    const { status = {} } = this.world.store.get('placements', { namespace: 'shop', name }) ?? {};
    const satisfied = (status.conditions as { type: string; status: string; reason: string }[]).find(
      ({ type }) => type === 'PlacementSatisfied',
    );
    return { selected: status.numberOfSelectedClusters, satisfied: satisfied?.status, reason: satisfied?.reason };
  }

  taint(name: string, taints: readonly object[]): void {
    const patch = { type: 'merge', body: { spec: { taints } } } as const;
    this.world.store.patch('managedclusters', { namespace: '', name }, patch, user);
    this.world.clock.advance(0);
  }

  taints(name: string): readonly string[] {
    const spec = this.world.store.get('managedclusters', { namespace: '', name })?.spec;
    return ((spec?.taints ?? []) as { key: string; effect: string }[]).map(({ key, effect }) => `${key}:${effect}`);
  }

  work(namespace: string): KubeObject | undefined {
    return this.world.store.get('manifestworks', { namespace, name: 'web' });
  }

  /** The feedback values of the first manifest, by name. */
  feedback(namespace: string): Record<string, unknown> {
    const values = this.manifest(namespace).statusFeedback?.values ?? [];
    return Object.fromEntries(values.map(({ name, fieldValue }) => [name, fieldValue.integer]));
  }

  /** "Applied True AppliedManifestComplete", for the first manifest. */
  conditions(namespace: string): readonly string[] {
    return this.manifest(namespace).conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  }

  manifest(namespace: string): Manifest {
    const { manifests } = this.work(namespace)?.status?.resourceStatus as { manifests: Manifest[] };
    const [first] = manifests;
    if (first === undefined) throw new Error(`nothing is reported of the work in ${namespace}`);
    return first;
  }
}

interface Manifest {
  readonly resourceMeta: object;
  readonly conditions: readonly { type: string; status: string; reason: string; message: string }[];
  readonly statusFeedback?: { values?: { name: string; fieldValue: { type: string; integer?: number } }[] };
}

const web3 = deployment('web', { replicas: 3 });

describe('a managed cluster', () => {
  it('joins as an available ManagedCluster, with a namespace and in the default set', () => {
    const { world } = new Scene();
    const cluster = world.store.get('managedclusters', { namespace: '', name: 'spoke1' });
    expect(cluster?.metadata.labels).toEqual({ 'cluster.open-cluster-management.io/clusterset': 'default' });
    expect(cluster?.status?.conditions).toMatchObject([
      { type: 'HubAcceptedManagedCluster', status: 'True' },
      { type: 'ManagedClusterJoined', status: 'True' },
      { type: 'ManagedClusterConditionAvailable', status: 'True', reason: 'ManagedClusterAvailable' },
    ]);
    expect(world.store.get('namespaces', { namespace: '', name: 'spoke1' })?.status).toEqual({ phase: 'Active' });
    expect(world.faults).toEqual([]);
  });

  it('is unreachable a moment after it fails, and tainted until it recovers', () => {
    const scene = new Scene();
    scene.managedClusters.fail('spoke2');
    scene.pass(900);
    expect(scene.taints('spoke2')).toEqual([]);
    scene.pass(200);
    expect(scene.taints('spoke2')).toEqual(['cluster.open-cluster-management.io/unreachable:NoSelect']);
    scene.managedClusters.recover('spoke2');
    scene.pass(0);
    expect(scene.taints('spoke2')).toEqual([]);
  });

  it('is tainted if it reports itself unavailable, beside the taints of users', () => {
    const scene = new Scene();
    scene.taint('spoke2', [{ key: 'team', effect: 'PreferNoSelect' }]);
    const condition = { type: 'ManagedClusterConditionAvailable', status: 'False', reason: 'Ill', message: 'no' };
    const status = { conditions: [{ ...condition, lastTransitionTime: '2026-11-21T10:00:00Z' }] };
    const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
    scene.world.store.patch('managedclusters', { namespace: '', name: 'spoke2' }, patch, user);
    scene.pass(0);
    expect(scene.taints('spoke2')).toEqual([
      'team:PreferNoSelect',
      'cluster.open-cluster-management.io/unavailable:NoSelect',
    ]);
  });

  it('exists after a restart of the hub, and is failed if it was', () => {
    const changeLog = memoryChangeLog();
    const first = new Scene({ changeLog });
    first.managedClusters.join({ name: 'spoke4', capacity: 5, readyDelayMs: 100 });
    first.managedClusters.fail('spoke1');
    first.pass(2000);
    first.world.fleet.close();
    const second = new Scene({ changeLog });
    expect(second.managedClusters.names).toEqual(['spoke1', 'spoke2', 'spoke3', 'spoke4']);
    second.pass(2000);
    expect(second.taints('spoke1')).toEqual(['cluster.open-cluster-management.io/unreachable:NoSelect']);
  });
});

describe('a Placement', () => {
  it('selects every cluster of the sets that its namespace may use', () => {
    const scene = new Scene();
    scene.apply('placements', placementOf('all'));
    expect(scene.decision('all')).toEqual(['spoke1', 'spoke2', 'spoke3']);
    expect(scene.placed('all')).toEqual({ selected: 3, satisfied: 'True', reason: 'AllDecisionsScheduled' });
    const decision = scene.world.store.get('placementdecisions', { namespace: 'shop', name: 'all-decision-1' });
    expect(decision?.metadata.labels).toEqual({
      'cluster.open-cluster-management.io/placement': 'all',
      'cluster.open-cluster-management.io/decision-group-index': '0',
      'cluster.open-cluster-management.io/decision-group-name': '',
    });
    scene.managedClusters.join({ name: 'spoke0', capacity: 1, readyDelayMs: 0 });
    scene.pass(0);
    expect(scene.decision('all')).toEqual(['spoke0', 'spoke1', 'spoke2', 'spoke3']);
  });

  it('selects none in a namespace without bound sets', () => {
    const scene = new Scene();
    scene.apply('placements', { ...placementOf('none'), metadata: { name: 'none', namespace: 'default' } });
    const found = scene.world.store.get('placements', { namespace: 'default', name: 'none' });
    expect(found?.status?.conditions).toMatchObject([{ reason: 'NoManagedClusterSetBindings' }, {}]);
  });

  it('selects from the bound sets that it names, and reports sets that are not bound', () => {
    const scene = new Scene();
    scene.apply('placements', placementOf('global', { clusterSets: ['global'] }));
    expect(scene.decision('global')).toHaveLength(3);
    scene.apply('placements', placementOf('unbound', { clusterSets: ['default'] }));
    expect(scene.placed('unbound')).toEqual({ selected: undefined, satisfied: 'False', reason: 'NoIntersection' });
    const header = { apiVersion: 'cluster.open-cluster-management.io/v1beta2' };
    const empty = { ...header, kind: 'ManagedClusterSet', metadata: { name: 'empty' } };
    scene.apply('managedclustersets', empty);
    const metadata = { name: 'empty', namespace: 'shop' };
    scene.apply('managedclustersetbindings', {
      ...header,
      kind: 'ManagedClusterSetBinding',
      metadata,
      spec: { clusterSet: 'empty' },
    });
    scene.apply('placements', placementOf('empty', { clusterSets: ['empty'] }));
    expect(scene.placed('empty')).toMatchObject({ reason: 'AllManagedClusterSetsEmpty' });
  });

  it('selects clusters that match any predicate, by labels and by claims', () => {
    const managedClusters = threeManagedClusters.map((managedCluster, i) => ({
      ...managedCluster,
      labels: { zone: `z${i}` },
      claims: { platform: i === 2 ? 'metal' : 'cloud' },
    }));
    const scene = new Scene({ managedClusters });
    const byLabel = { labelSelector: { matchLabels: { zone: 'z0' } } };
    const byClaim = { claimSelector: { matchExpressions: [{ key: 'platform', operator: 'In', values: ['metal'] }] } };
    const predicates = [byLabel, byClaim].map((requiredClusterSelector) => ({ requiredClusterSelector }));
    scene.apply('placements', placementOf('any', { predicates }));
    expect(scene.decision('any')).toEqual(['spoke1', 'spoke3']);
    scene.apply(
      'placements',
      placementOf('both', { predicates: [{ requiredClusterSelector: { ...byLabel, ...byClaim } }] }),
    );
    expect(scene.decision('both')).toEqual([]);
    expect(scene.placed('both')).toEqual({
      selected: undefined,
      satisfied: 'False',
      reason: 'NoManagedClusterMatched',
    });
  });

  it('keeps its clusters while numberOfClusters is met, and replaces one that leaves', () => {
    const scene = new Scene();
    scene.apply('placements', placementOf('two', { numberOfClusters: 2 }));
    expect(scene.decision('two')).toEqual(['spoke1', 'spoke2']);
    scene.taint('spoke1', [{ key: 'x', effect: 'NoSelect' }]);
    expect(scene.decision('two')).toEqual(['spoke2', 'spoke3']);
    scene.taint('spoke1', []);
    expect(scene.decision('two')).toEqual(['spoke2', 'spoke3']);
    scene.taint('spoke2', [{ key: 'x', effect: 'NoSelect' }]);
    scene.taint('spoke3', [{ key: 'x', effect: 'NoSelect' }]);
    expect(scene.placed('two')).toEqual({ selected: 1, satisfied: 'False', reason: 'NotAllDecisionsScheduled' });
  });

  it('deselects a cluster with a NoSelect taint at once, selects it again at once, and keeps one with NoSelectIfNew', () => {
    const scene = new Scene();
    scene.apply('placements', placementOf('all'));
    scene.taint('spoke2', [{ key: 'x', effect: 'NoSelectIfNew' }]);
    expect(scene.decision('all')).toEqual(['spoke1', 'spoke2', 'spoke3']);
    scene.taint('spoke2', [{ key: 'x', effect: 'NoSelect' }]);
    expect(scene.decision('all')).toEqual(['spoke1', 'spoke3']);
    scene.taint('spoke2', [{ key: 'x', effect: 'NoSelectIfNew' }]);
    expect(scene.decision('all')).toEqual(['spoke1', 'spoke3']);
    scene.taint('spoke2', []);
    expect(scene.decision('all')).toEqual(['spoke1', 'spoke2', 'spoke3']);
  });

  it('tolerates a taint for tolerationSeconds after it was added', () => {
    const scene = new Scene();
    const tolerations = [
      { key: 'cluster.open-cluster-management.io/unreachable', operator: 'Exists', tolerationSeconds: 4 },
    ];
    scene.apply('placements', placementOf('patient', { tolerations }));
    scene.managedClusters.fail('spoke3');
    scene.pass(4500);
    expect(scene.decision('patient')).toEqual(['spoke1', 'spoke2', 'spoke3']);
    scene.pass(1000);
    expect(scene.decision('patient')).toEqual(['spoke1', 'spoke2']);
  });

  it('has one PlacementDecision per hundred clusters, and an empty one without clusters', () => {
    const names = Array.from({ length: 232 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const scene = new Scene({ managedClusters: names.map((name) => ({ name, capacity: 1, readyDelayMs: 0 })) });
    scene.apply('placements', placementOf('many'));
    expect([1, 2, 3, 4].map((slice) => scene.decision('many', slice).length)).toEqual([100, 100, 32, 0]);
    scene.apply(
      'placements',
      placementOf('many', {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { a: 'b' } } } }],
      }),
    );
    const left = scene.world.store
      .list('placementdecisions', 'shop')
      .map(({ metadata, status }) => [metadata.name, status]);
    expect(left).toEqual([['many-decision-1', { decisions: [] }]]);
    scene.world.store.delete('placements', { namespace: 'shop', name: 'many' }, user);
    scene.pass(0);
    expect(scene.world.store.list('placementdecisions', 'shop')).toEqual([]);
  });
});

describe('a ManifestWork', () => {
  it('runs its Deployment on the managed cluster, and reports ready replicas by watch', () => {
    const scene = new Scene();
    scene.apply('manifestworks', workIn('spoke1', [web3]));
    expect(scene.managedClusters.replicas('spoke1', web)).toEqual({ replicas: 3, ready: 0 });
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3 });
    scene.pass(2000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 3 });
    expect(scene.conditions('spoke1')).toEqual([
      'Applied True AppliedManifestComplete',
      'Available True ResourceAvailable',
      'StatusFeedbackSynced True StatusFeedbackSynced',
    ]);
    expect(scene.manifest('spoke1').resourceMeta).toEqual({
      ordinal: 0,
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      resource: 'deployments',
      name: 'web',
      namespace: 'shop',
    });
    expect(scene.work('spoke1')?.metadata.finalizers).toEqual([
      'cluster.open-cluster-management.io/manifest-work-cleanup',
    ]);
    expect(scene.work('spoke1')?.status?.conditions).toMatchObject([
      { type: 'Applied', status: 'True', reason: 'AppliedManifestWorkComplete', observedGeneration: 1 },
      { type: 'Available', status: 'True', reason: 'ResourcesAvailable', observedGeneration: 1 },
    ]);
    expect(scene.world.faults).toEqual([]);
  });

  it('reports a change later if its feedback is polled', () => {
    const scene = new Scene();
    scene.apply('manifestworks', workIn('spoke1', [web3], { ...watched, feedbackScrapeType: 'Poll' }));
    expect(scene.feedback('spoke1')).toEqual({});
    scene.pass(1000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3 });
    scene.pass(1500);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3 });
    scene.pass(500);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 3 });
  });

  it('reports unschedulable pods until there is capacity', () => {
    const scene = new Scene();
    scene.managedClusters.setCapacity('spoke1', 2);
    scene.apply('manifestworks', workIn('spoke1', [web3]));
    scene.pass(10_000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 2 });
    scene.managedClusters.setCapacity('spoke1', 5);
    scene.pass(2000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 3 });
    scene.managedClusters.setCapacity('spoke1', 1);
    scene.pass(0);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 1 });
  });

  it('keeps replicas that were scaled on the managed cluster, until its manifest is edited', () => {
    const scene = new Scene();
    scene.apply('manifestworks', workIn('spoke1', [web3]));
    scene.managedClusters.scale('spoke1', web, 5);
    scene.pass(2000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 5, ready: 5 });
    const labelled = workIn('spoke1', [web3]) as { metadata: object };
    scene.apply('manifestworks', { ...labelled, metadata: { ...labelled.metadata, labels: { a: 'b' } } });
    scene.pass(0);
    expect(scene.feedback('spoke1').replicas).toBe(5);
    const edited = deployment('web', { replicas: 3, labels: { version: '2' } });
    scene.apply('manifestworks', workIn('spoke1', [edited]));
    scene.pass(2000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 3 });
  });

  it('without ignored fields resets the replicas with the next reconcile', () => {
    const scene = new Scene();
    const update = { ...watched, updateStrategy: { type: 'Update' } };
    scene.apply('manifestworks', workIn('spoke1', [web3], update));
    scene.managedClusters.scale('spoke1', web, 5);
    const labelled = workIn('spoke1', [web3], update) as { metadata: object };
    scene.apply('manifestworks', { ...labelled, metadata: { ...labelled.metadata, labels: { a: 'b' } } });
    scene.pass(0);
    expect(scene.feedback('spoke1').replicas).toBe(3);
  });

  it('without replicas starts with one, and keeps a scaled number', () => {
    const scene = new Scene();
    const { spec, ...rest } = web3 as { spec: { replicas?: number } };
    const { replicas: _, ...without } = spec;
    scene.apply('manifestworks', workIn('spoke1', [{ ...rest, spec: without }]));
    expect(scene.feedback('spoke1')).toEqual({ replicas: 1 });
    scene.managedClusters.scale('spoke1', web, 6);
    scene.apply('manifestworks', workIn('spoke1', [{ ...rest, spec: { ...without, paused: false } }]));
    expect(scene.feedback('spoke1').replicas).toBe(6);
  });

  it('is not applied if the managed cluster does not know its kind, and reports it; its other manifests are applied', () => {
    const scene = new Scene();
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'shop' } };
    scene.apply('manifestworks', workIn('spoke1', [widget, web3]));
    expect(scene.manifest('spoke1')).toMatchObject({
      resourceMeta: { resource: '', kind: 'Widget' },
      conditions: [
        {
          type: 'Applied',
          status: 'False',
          message: `Failed to apply manifest: the server doesn't have a resource type "Widget"`,
        },
        { type: 'Available', status: 'Unknown' },
      ],
    });
    expect(scene.work('spoke1')?.status?.conditions).toMatchObject([
      { type: 'Applied', status: 'False', reason: 'AppliedManifestWorkFailed' },
      { type: 'Available', status: 'Unknown' },
    ]);
    expect(scene.managedClusters.replicas('spoke1', web).replicas).toBe(3);
  });

  it('may contain any kind that the managed cluster serves, and scales it by its scale paths', () => {
    const scale = { specReplicasPath: '.spec.size', readyReplicasPath: '.status.up' };
    const kinds = [{ apiVersion: 'example.com/v1', kind: 'Widget', resource: 'widgets', scale }];
    const scene = new Scene({ managedClusters: [{ name: 'spoke1', capacity: 20, readyDelayMs: 0, kinds }] });
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { size: 4 },
    };
    const config = {
      ...watched,
      resourceIdentifier: { group: 'example.com', resource: 'widgets', namespace: 'shop', name: 'web' },
      feedbackRules: [
        {
          type: 'JSONPaths',
          jsonPaths: [
            { name: 'replicas', path: '.spec.size' },
            { name: 'ready', path: '.status.up' },
          ],
        },
      ],
    };
    scene.apply('manifestworks', workIn('spoke1', [widget], config));
    scene.pass(0);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 4, ready: 4 });
    scene.managedClusters.scale('spoke1', { ...web, group: 'example.com', kind: 'Widget' }, 2);
    scene.pass(0);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 2, ready: 2 });
  });

  it('reports the feedback values that are no integer, string or boolean as failed', () => {
    const scene = new Scene();
    const jsonPaths = [
      { name: 'all', path: '.spec' },
      { name: 'replicas', path: REPLICAS },
    ];
    scene.apply(
      'manifestworks',
      workIn('spoke1', [web3], { ...watched, feedbackRules: [{ type: 'JSONPaths', jsonPaths }] }),
    );
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3 });
    expect(scene.conditions('spoke1')).toContain('StatusFeedbackSynced False StatusFeedbackSyncFailed');
  });

  it('deletes its objects when it is deleted, and an object that it no longer contains', () => {
    const scene = new Scene();
    const api = deployment('api', { replicas: 2 });
    scene.apply('manifestworks', workIn('spoke1', [web3, api]));
    scene.apply('manifestworks', workIn('spoke1', [web3]));
    expect(scene.managedClusters.replicas('spoke1', { namespace: 'shop', name: 'api' })).toEqual({
      replicas: 0,
      ready: 0,
    });
    scene.world.store.delete('manifestworks', { namespace: 'spoke1', name: 'web' }, user);
    scene.pass(0);
    expect(scene.work('spoke1')).toBeUndefined();
    expect(scene.managedClusters.replicas('spoke1', web)).toEqual({ replicas: 0, ready: 0 });
  });

  it('keeps edits, deletion and feedback pending on a failed managed cluster until it recovers', () => {
    const scene = new Scene();
    scene.apply('manifestworks', workIn('spoke1', [web3]));
    scene.apply('manifestworks', workIn('spoke2', [web3]));
    scene.pass(2000);
    for (const name of ['spoke1', 'spoke2']) scene.managedClusters.fail(name);
    expect(scene.managedClusters.replicas('spoke1', web)).toEqual({ replicas: 3, ready: 0 });
    scene.apply('manifestworks', workIn('spoke1', [deployment('web', { replicas: 4 })]));
    scene.world.store.delete('manifestworks', { namespace: 'spoke2', name: 'web' }, user);
    scene.pass(5000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 3, ready: 3 });
    expect(scene.work('spoke1')?.metadata.generation).toBe(2);
    expect(scene.work('spoke1')?.status?.conditions).toMatchObject([{ observedGeneration: 1 }, {}]);
    expect(scene.work('spoke2')?.metadata.deletionTimestamp).toMatch(/^2026/);
    for (const name of ['spoke1', 'spoke2']) scene.managedClusters.recover(name);
    scene.pass(2000);
    expect(scene.feedback('spoke1')).toEqual({ replicas: 4, ready: 4 });
    expect(scene.work('spoke2')).toBeUndefined();
  });

  it('finds its pods and the scaled replicas after a restart of the hub, as last reported', () => {
    const changeLog = memoryChangeLog();
    const clock = createVirtualClock('2026-11-21T10:00:00Z');
    const first = new Scene({ changeLog, clock });
    first.apply('manifestworks', workIn('spoke1', [web3]));
    first.managedClusters.scale('spoke1', web, 5);
    first.pass(2000);
    first.world.fleet.close();
    const second = new Scene({ changeLog, clock });
    expect(second.managedClusters.replicas('spoke1', web)).toEqual({ replicas: 5, ready: 5 });
    expect(second.feedback('spoke1')).toEqual({ replicas: 5, ready: 5 });
  });
});
