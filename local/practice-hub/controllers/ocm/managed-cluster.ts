/** A ManagedCluster: as the hub's controllers read it, its registration, the reports of its agent, and the hub's condition for a stopped lease. */
import * as z from 'zod/mini';
import type { KubeObject, ObjectStore } from '../../store/objects.ts';
import { agentOf, registrationController } from '../actors.ts';
import type { MemberCluster } from '../member-cluster.ts';
import { readSimulation, SIMULATED } from '../members.ts';
import { condition, conditionsIn, type OcmCondition, withConditions } from './conditions.ts';
import type { ManagedClusterOptions } from './managed-cluster-simulator.ts';

const taint = z.object({
  key: z.string(),
  value: z._default(z.string(), ''),
  effect: z.enum(['NoSelect', 'PreferNoSelect', 'NoSelectIfNew']),
  timeAdded: z.nullish(z.string()),
});

const schema = z.object({
  metadata: z.object({ name: z.string(), labels: z._default(z.record(z.string(), z.string()), {}) }),
  spec: z._default(
    z.object({ hubAcceptsClient: z._default(z.boolean(), false), taints: z._default(z.array(taint), []) }),
    { hubAcceptsClient: false, taints: [] },
  ),
  status: z._default(
    z.object({
      clusterClaims: z._default(z.array(z.object({ name: z.string(), value: z._default(z.string(), '') })), []),
      conditions: z._default(z.array(z.object({ type: z.string(), status: z.string() })), []),
    }),
    { clusterClaims: [], conditions: [] },
  ),
});

export type ClusterTaint = z.output<typeof taint>;

export interface SimulatedCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly claims: Readonly<Record<string, string>>;
  readonly taints: readonly ClusterTaint[];
  readonly accepted: boolean;
  /** Undefined until its agent has reported. */
  readonly available: string | undefined;
}

const AVAILABLE = 'ManagedClusterConditionAvailable';

export function readManagedCluster(object: KubeObject): SimulatedCluster {
  const { metadata, spec, status } = z.parse(schema, object);
  return {
    name: metadata.name,
    labels: metadata.labels,
    claims: Object.fromEntries(status.clusterClaims.map(({ name, value }) => [name, value])),
    taints: spec.taints,
    accepted: spec.hubAcceptsClient,
    available: status.conditions.find(({ type }) => type === AVAILABLE)?.status,
  };
}

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
  const available = condition(AVAILABLE, 'True', 'ManagedClusterAvailable', 'Managed cluster is available');
  report(writing, name, available, reported);
}

export function reportUnreachable(writing: Writing, name: string): void {
  const message = 'Registration agent stopped updating its lease.';
  report(writing, name, condition(AVAILABLE, 'Unknown', 'ManagedClusterLeaseUpdateStopped', message));
}

function report({ store, now }: Writing, name: string, available: OcmCondition, reported?: object): void {
  const key = { namespace: '', name };
  const cluster = store.get(CLUSTERS, key);
  if (cluster === undefined) return;
  const conditions = withConditions(conditionsIn(cluster.status), [...admitted, available], now);
  const by = available.status === 'True' ? agentOf(name) : registrationController;
  const body = { status: { conditions, ...reported } };
  store.patch(CLUSTERS, key, { type: 'merge', body, subresource: 'status' }, by);
}

const admitted: readonly OcmCondition[] = [
  condition('HubAcceptedManagedCluster', 'True', 'HubClusterAdminAccepted', 'Accepted by hub cluster admin'),
  condition('ManagedClusterJoined', 'True', 'ManagedClusterJoined', 'Managed cluster joined'),
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
