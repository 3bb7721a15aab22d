/** Whether a binding is one whose replicas the descheduler may take out of clusters, for the sweep that looks for candidates and again before each is decided. */
import { strategyOf } from './assignment/placement.ts';
import { queueOf } from './graceful-reduction/replica-reduction.ts';
import type { PlacedBinding } from './placed-binding.ts';

/** A cluster with what it was given and what of it is ready. */
export interface AssignedCluster {
  readonly name: string;
  readonly assigned: number;
  /** Absent where the cluster reported no status of the workload. */
  readonly ready?: number;
}

/** The clusters of a binding in the order of spec.clusters. readyReplicas is absent, not 0, where none is ready. */
export function assignedClusters({ spec, status }: PlacedBinding): readonly AssignedCluster[] {
  const reported = new Map(status.aggregatedStatus.map((item) => [item.clusterName, item.status]));
  return spec.clusters.map(({ name, replicas }) => {
    const own = reported.get(name);
    return { name, assigned: replicas, ...(own != null && { ready: own.readyReplicas ?? 0 }) };
  });
}

/** Those that were given more than is ready, and said so. */
export function undesiredClusters(binding: PlacedBinding): readonly AssignedCluster[] {
  return assignedClusters(binding).filter(({ assigned, ready }) => ready !== undefined && ready < assigned);
}

/**
 * Why it is no candidate; undefined where it is one. Only Deployments: their pending pods are the ones that go when replicas
 * are taken, while a StatefulSet gives up its last pod, pending or not. Only what is divided by room: under static
 * weights, or duplicated, the scheduler would put the replicas back where they were.
 */
export function whyNoCandidate(binding: PlacedBinding): string | undefined {
  const { metadata, spec } = binding;
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (spec.resource.apiVersion !== 'apps/v1' || spec.resource.kind !== 'Deployment') return 'it is no Deployment';
  const { scheduling, dispatching } = spec.suspension ?? {};
  if (scheduling === true || dispatching === true) return 'it is suspended';
  if (queueOf(binding).size > 0)
    return 'its last move is not over: a cluster keeps its replicas until the others are ready';
  const { kind } = strategyOf(spec.placement ?? {});
  if (kind !== 'Aggregated' && kind !== 'DynamicWeight') return `it is divided by ${kind}`;
  return undesiredClusters(binding).length === 0 ? 'all it has is ready' : undefined;
}
