/** Whether the descheduler may remove a binding's replicas from clusters: for the sweep that finds candidates, and again before each decision. */

import { queueOf } from '../graceful-reduction/replica-reduction.ts';
import { strategyOf } from '../karmada/assignment/placement.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { podOwnerOf } from '../kubernetes/pods.ts';

/** A cluster with its assigned and ready replicas. */
export interface AssignedCluster {
  readonly name: string;
  readonly assigned: number;
  /** Absent if the cluster reported no status of the workload. */
  readonly ready?: number;
}

/** The clusters of a binding in the order of spec.clusters. The API omits readyReplicas, instead of 0, if none is ready. */
export function assignedClusters({ spec, status }: PlacedBinding): readonly AssignedCluster[] {
  const reported = new Map(status.aggregatedStatus.map((item) => [item.clusterName, item.status]));
  return spec.clusters.map(({ name, replicas }) => {
    const own = reported.get(name);
    return { name, assigned: replicas, ...(own != null && { ready: own.readyReplicas ?? 0 }) };
  });
}

/** Clusters that report fewer ready replicas than assigned. */
export function undesiredClusters(binding: PlacedBinding): readonly AssignedCluster[] {
  return assignedClusters(binding).filter(({ assigned, ready }) => ready !== undefined && ready < assigned);
}

/** Why a binding is no candidate; undefined if it is one. */
export function whyNoCandidate(binding: PlacedBinding): string | undefined {
  const why = whyNotMovable(binding) ?? whyMoving(binding);
  return why ?? (undesiredClusters(binding).length === 0 ? 'all it has is ready' : undefined);
}

/** Why a binding's last move is not over; undefined if it is. */
export function whyMoving(binding: PlacedBinding): string | undefined {
  if (queueOf(binding).size === 0) return undefined;
  return 'its last move is not over: a cluster keeps its replicas until the others are ready';
}

/**
 * Why a binding's replicas can't be moved one by one; undefined if they can. Only kinds whose pods are counted: of others it is not known
 * which pods a smaller number of replicas removes. Only bindings divided by capacity: under static
 * weights, or duplicated, the scheduler would assign the same replicas again.
 */
export function whyNotMovable({ metadata, spec }: PlacedBinding): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (podOwnerOf(spec.resource) === undefined) return 'it is no Deployment, StatefulSet or Job';
  const { scheduling, dispatching } = spec.suspension ?? {};
  if (scheduling === true || dispatching === true) return 'it is suspended';
  const { kind } = strategyOf(spec.placement ?? {});
  return kind === 'Aggregated' || kind === 'DynamicWeight' ? undefined : `it is divided by ${kind}`;
}
