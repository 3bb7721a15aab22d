/** The hub's controllers for clusters: their namespaces, the default sets, and the taints of unavailable clusters. */
import { toTimestamp } from '../../../../shared/core/time.ts';
import type { ObjectStore } from '../../store/objects.ts';
import { registrationController as by } from '../actors.ts';
import type { Controller, ControllerContext } from '../work-loop.ts';
import { readManagedCluster } from './managed-cluster.ts';

const GROUP = 'cluster.open-cluster-management.io';
const UNAVAILABLE = `${GROUP}/unavailable`;
const UNREACHABLE = `${GROUP}/unreachable`;

export function createHubRegistration({ store, loop, now }: ControllerContext): Controller {
  const queue = loop.queue(reconcile);

  function reconcile(name: string): void {
    const object = store.get('managedclusters', { namespace: '', name });
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    const cluster = readManagedCluster(object);
    if (cluster.accepted && store.get('namespaces', { namespace: '', name }) === undefined) {
      store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, by);
    }
    const wanted = taintFor(cluster.available);
    const others = cluster.taints.filter(({ key }) => key !== UNAVAILABLE && key !== UNREACHABLE);
    const present = cluster.taints.filter(({ key }) => key === UNAVAILABLE || key === UNREACHABLE);
    if (present.length === (wanted === undefined ? 0 : 1) && present.every(({ key }) => key === wanted)) return;
    const added = wanted === undefined ? [] : [{ key: wanted, effect: 'NoSelect', timeAdded: toTimestamp(now()) }];
    const body = { spec: { taints: [...others, ...added] } };
    store.patch('managedclusters', { namespace: '', name }, { type: 'merge', body }, by);
  }

  return {
    onChange({ type, plural, object }) {
      if (plural === 'managedclusters' && type !== 'DELETED') queue.add(object.metadata.name);
    },
  };
}

function taintFor(available: string | undefined): string | undefined {
  if (available === 'False') return UNAVAILABLE;
  return available === 'Unknown' ? UNREACHABLE : undefined;
}

const sets = [
  { name: 'default', clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
  { name: 'global', clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } },
];

/** Sets that every hub has. */
export function makeSets(store: ObjectStore): void {
  for (const { name, clusterSelector } of sets) {
    if (store.get('managedclustersets', { namespace: '', name }) !== undefined) continue;
    const header = { apiVersion: `${GROUP}/v1beta2`, kind: 'ManagedClusterSet' };
    store.create('managedclustersets', { ...header, metadata: { name }, spec: { clusterSelector } }, by);
  }
}
