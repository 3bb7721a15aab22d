/** A hub after an outage: its workloads are on two clusters, the third has been healthy again for an hour, and policies wait for that. */
import type { ObjectStore } from '../../local/practice-hub/store/objects.ts';
import { SECOND, toTimestamp } from '../../shared/core/time.ts';
import { APPLIED_PLACEMENT } from '../../shared/karmada/placed-binding.ts';
import { byCapacity } from '../bindings.ts';

const by = { username: 'bench', manager: 'bench' };
const HOUR = 3600 * SECOND;
const { replicaScheduling } = byCapacity;

export function fillHub(store: ObjectStore, { workloads, policies }: { workloads: number; policies: number }): void {
  store.create('namespaces', { metadata: { name: 'shop' } }, by);
  for (const name of ['member1', 'member2', 'member3']) addCluster(store, name, workloads);
  for (let i = 0; i < workloads; i++) addWorkload(store, `web-${i}`);
  for (let i = 0; i < policies; i++) addPolicy(store, i, policies);
}

function addCluster(store: ObjectStore, name: string, workloads: number): void {
  const kind = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };
  store.create('clusters', { ...kind, metadata: { name }, spec: { syncMode: 'Push' } }, by);
  // After the creation of the policies, from their point of view.
  const lastTransitionTime = toTimestamp(Date.now() + HOUR);
  const conditions = [{ type: 'Ready', status: 'True', reason: 'ClusterReady', message: '', lastTransitionTime }];
  const apiEnablements = [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }];
  const resourceSummary = { allocatable: { pods: String(workloads * 10), cpu: String(workloads * 10) } };
  const body = { status: { conditions, apiEnablements, resourceSummary } };
  store.patch('clusters', { namespace: '', name }, { type: 'merge', body, subresource: 'status' }, by);
}

function addWorkload(store: ObjectStore, name: string): void {
  const selector = { matchLabels: { app: name } };
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  const metadata = { name, namespace: 'shop', labels: { app: name } };
  store.create(
    'deployments',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 6, selector, template } },
    by,
  );
  const placement = { replicaScheduling };
  const key = { namespace: 'shop', name: `${name}-deployment` };
  const spec = {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    replicas: 6,
    clusters: ['member2', 'member3'].map((cluster) => ({ name: cluster, replicas: 3 })),
    placement,
  };
  const annotations = { [APPLIED_PLACEMENT]: JSON.stringify(placement) };
  const kind = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' };
  store.create('resourcebindings', { ...kind, metadata: { ...key, annotations }, spec }, by);
  const body = { status: { lastScheduledTime: toTimestamp(Date.now()), schedulerObservedGeneration: 1 } };
  store.patch('resourcebindings', key, { type: 'merge', body, subresource: 'status' }, by);
}

/** Each selects its share of the workloads. */
function addPolicy(store: ObjectStore, index: number, policies: number): void {
  const selector = { exclude: { names: [`web-${index}`] } };
  const spec = {
    dryRun: true,
    selector,
    triggers: { clusterRecovered: { stableFor: '0s' } },
    strategy: { waves: { size: 500 } },
  };
  const kind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };
  store.create('rebalancepolicies', { ...kind, metadata: { name: `policy-${index}-of-${policies}` }, spec }, by);
}
