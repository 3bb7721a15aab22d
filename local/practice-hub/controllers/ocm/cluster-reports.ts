/** The ManagedCluster of a managed cluster: its registration, the reports of its agent, and the hub's condition for a stopped lease. */
import type { KubeObject, ObjectStore } from '../../store/objects.ts';
import { agentOf, registrationController } from '../actors.ts';
import type { MemberCluster } from '../member-cluster.ts';
import { readSimulation, SIMULATED } from '../registration.ts';
import { conditionsIn, type OcmCondition, withConditions } from './conditions.ts';
import { AVAILABLE } from './managed-cluster.ts';
import type { ManagedClusterOptions } from './managed-cluster-simulator.ts';

const CLUSTERS = 'managedclusters';
const SET_LABEL = 'cluster.open-cluster-management.io/clusterset';

interface Writing {
  readonly store: ObjectStore;
  readonly now: number;
}

export function reportAvailable(
  writing: Writing,
  member: MemberCluster,
  claims?: ManagedClusterOptions['claims'],
): void {
  const { name } = member.options;
  const { allocatable } = member.summary();
  const all = Object.entries({ id: name, ...claims }).map(([claim, value]) => ({ name: claim, value }));
  const version = { kubernetes: 'v1.35.0' };
  const reported = { capacity: allocatable, allocatable, version, ...(claims && { clusterClaims: all }) };
  const message = 'Managed cluster is available';
  const condition = { type: AVAILABLE, status: 'True', reason: 'ManagedClusterAvailable', message } as const;
  report(writing, name, { condition, reported });
}

export function reportUnreachable(writing: Writing, name: string): void {
  const message = 'Registration agent stopped updating its lease.';
  const reason = 'ManagedClusterLeaseUpdateStopped';
  report(writing, name, { condition: { type: AVAILABLE, status: 'Unknown', reason, message } });
}

function report(
  { store, now }: Writing,
  name: string,
  { condition, reported }: { readonly condition: OcmCondition; readonly reported?: object },
): void {
  const key = { namespace: '', name };
  const cluster = store.get(CLUSTERS, key);
  if (cluster === undefined) return;
  const conditions = withConditions(conditionsIn(cluster.status), [...admitted, condition], now);
  const by = condition.status === 'True' ? agentOf(name) : registrationController;
  store.patch(
    CLUSTERS,
    key,
    { type: 'merge', body: { status: { conditions, ...reported } }, subresource: 'status' },
    by,
  );
}

const admitted: readonly OcmCondition[] = [
  {
    type: 'HubAcceptedManagedCluster',
    status: 'True',
    reason: 'HubClusterAdminAccepted',
    message: 'Accepted by hub cluster admin',
  },
  { type: 'ManagedClusterJoined', status: 'True', reason: 'ManagedClusterJoined', message: 'Managed cluster joined' },
];

/** The managed clusters that joined before the hub's restart, by their ManagedClusters. */
export function joinedManagedClusters(store: ObjectStore): readonly ManagedClusterOptions[] {
  return store.list(CLUSTERS).flatMap(({ metadata: { name, annotations = {} } }) => {
    const simulated = readSimulation(annotations[SIMULATED]);
    return simulated === undefined ? [] : [{ name, ...simulated }];
  });
}

/** The ManagedCluster; created if the hub has none. */
export function registered(
  store: ObjectStore,
  { name, labels, capacity, readyDelayMs }: ManagedClusterOptions,
): KubeObject {
  const existing = store.get(CLUSTERS, { namespace: '', name });
  if (existing !== undefined) return existing;
  const metadata = {
    name,
    labels: { [SET_LABEL]: 'default', ...labels },
    annotations: { [SIMULATED]: JSON.stringify({ capacity, readyDelayMs }) },
  };
  const header = { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster' };
  const spec = { hubAcceptsClient: true, leaseDurationSeconds: 60 };
  return store.create(CLUSTERS, { ...header, metadata, spec }, registrationController);
}
