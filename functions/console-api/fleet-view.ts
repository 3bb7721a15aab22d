/** The view of a hub: clusters, workloads, and the replicas of each workload in each cluster. */
import type { FleetAnswer, FleetCluster, FleetWorkload } from '../../shared/console-api/operations/fleet.ts';
import type { ElasticWorkload } from '../../shared/elastic-workload/elastic-workload.ts';
import type { ManagedCluster } from '../../shared/elastic-workload/managed-cluster.ts';
import { targetOf } from '../../shared/elastic-workload/target.ts';
import { queueOf } from '../../shared/graceful-reduction/replica-reduction.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { quantityValue } from '../../shared/karmada/assignment/quantity.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { readyIn, reportsOf } from '../../shared/karmada/readiness.ts';
import type { RebalancePolicy } from '../../shared/rebalance-policy/rebalance-policy.ts';

interface FleetSeen {
  /** Absent: the hub is registered without them. */
  readonly drains?: readonly RebalancePolicy[] | undefined;
  readonly members: readonly Member[];
  readonly bindings: readonly PlacedBinding[];
  readonly managedClusters: readonly ManagedCluster[];
  readonly elastic: readonly ElasticWorkload[];
}

export function fleetAnswer({ drains, members, bindings, managedClusters, elastic }: FleetSeen): FleetAnswer {
  const ofMembers = members.map((member) => memberView(member, drains));
  const clusters = [...ofMembers, ...managedClusters.map(managedView)].sort(byName);
  const places = new Map(clusters.map(({ name }, place) => [name, place]));
  return {
    clusters,
    workloads: [
      ...bindings.map((binding) => bindingView(binding, places)),
      ...elastic.map((each) => elasticView(each, places)),
    ].sort(byKey),
  };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function byKey(a: FleetWorkload, b: FleetWorkload): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return byName(a, b);
}

function memberView({ cluster, healthy, ready }: Member, drains: FleetSeen['drains']): FleetCluster {
  const { name } = cluster;
  const pods = podsOf(cluster);
  const taints = cluster.taints.map(({ key, effect }) => `${key}:${effect}`);
  const drain = drains?.find((each) => each.drains === name && each.status.state !== 'Over');
  return {
    ...{ name, healthy, ready, taints, drainable: drains !== undefined },
    ...(pods && { pods }),
    ...(drain && { drain: drainView(drain) }),
  };
}

/** The condition has the reason why a drain that does nothing is not complete. */
function drainView({ name, status }: RebalancePolicy): NonNullable<FleetCluster['drain']> {
  const { state = 'Pending', message = 'the functions have not evaluated it yet', conditions = [] } = status;
  const drained = conditions.find(({ type }) => type === 'Drained');
  const isOver = drained !== undefined && state === 'Idle';
  if (!isOver) return { name, state, message };
  return { name, state: drained.status === 'True' ? 'Drained' : drained.reason, message: drained.message };
}

function podsOf({ resourceSummary }: Cluster): FleetCluster['pods'] {
  const allocatable = quantityValue(resourceSummary?.allocatable?.pods ?? '');
  if (allocatable === undefined) return undefined;
  return { allocatable, allocated: quantityValue(resourceSummary?.allocated?.pods ?? '') ?? 0 };
}

function managedView({ name, available }: ManagedCluster): FleetCluster {
  return { name, healthy: available, ready: available, taints: [], drainable: false };
}

function bindingView(binding: PlacedBinding, places: ReadonlyMap<string, number>): FleetWorkload {
  const { spec, metadata } = binding;
  const reports = reportsOf(binding);
  const held = queueOf(binding);
  const assigned = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const names = new Set([...assigned.keys(), ...held.keys()]);
  const shares = [...names].map((name): FleetWorkload['shares'][number] => {
    const replicas = assigned.get(name) ?? 0;
    const keeps = Math.max((held.get(name)?.replicas ?? 0) - replicas, 0);
    return [places.get(name) ?? -1, replicas, readyIn(reports.get(name), replicas), keeps];
  });
  const { kind, namespace, name } = spec.resource;
  const key = { namespace: metadata.namespace, name: metadata.name };
  return { kind, namespace, name, key, replicas: spec.replicas, shares: known(shares) };
}

function elasticView(elastic: ElasticWorkload, places: ReadonlyMap<string, number>): FleetWorkload {
  const { namespace, name } = elastic.key;
  const { clusters = [] } = elastic.status;
  const shares = clusters.map((cluster): FleetWorkload['shares'][number] => {
    const { replicas, readyReplicas = 0 } = cluster;
    return [places.get(cluster.name) ?? -1, replicas, readyReplicas, 0];
  });
  return {
    kind: `ElasticWorkload of ${targetOf(elastic.spec)?.kind ?? 'nothing'}`,
    ...{ namespace, name, key: { namespace, name } },
    replicas: elastic.spec.distributionStrategy.totalReplicas,
    shares: known(shares),
  };
}

/** A cluster that was removed between two lists is omitted. */
function known(shares: FleetWorkload['shares']): FleetWorkload['shares'] {
  return shares.filter(([place]) => place >= 0).sort(([a], [b]) => a - b);
}
