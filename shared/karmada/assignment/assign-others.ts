/** Assigns the replicas of a binding that do not stay where they are: those that no node takes, or those of a cluster that is drained. */
import type { ClusterReplicas } from './assign-replicas.ts';
import { type Scheduling, type SchedulingRequest, scheduleBinding } from './plan-scheduling.ts';

/** Which replicas stay. */
export interface StayingReplicas {
  readonly clusters: readonly ClusterReplicas[];
  /** A cluster that gets none of the others, also if its taints are tolerated. */
  readonly drained?: string;
}

/** One assignment of all replicas, or none: clusters that lose some get none of the others. */
export function assignOthers(
  { binding, clusters, available }: Pick<SchedulingRequest, 'binding' | 'clusters' | 'available'>,
  { clusters: staying, drained }: StayingReplicas,
): Scheduling {
  const { spec } = binding;
  const kept = new Map(staying.map(({ name, replicas }) => [name, replicas]));
  const losing = new Set(
    spec.clusters.flatMap(({ name, replicas }) => (replicas > (kept.get(name) ?? 0) ? [name] : [])),
  );
  const scheduling = scheduleBinding({
    binding: { ...binding, spec: { ...spec, clusters: [...staying] } },
    clusters: clusters.filter(({ name }) => name !== drained),
    available: (cluster) => (losing.has(cluster.name) ? 0 : available(cluster)),
    mode: 'Steady',
  });
  if (scheduling.outcome !== 'Success') return scheduling;
  const assigned = new Map(scheduling.clusters.map(({ name, replicas }) => [name, replicas]));
  const gone = staying.find(({ name, replicas }) => (assigned.get(name) ?? 0) < replicas);
  if (gone === undefined) return scheduling;
  const message = `its placement no longer allows the ${gone.replicas} replicas on cluster ${gone.name}`;
  return { outcome: 'Unschedulable', message, reason: message, unfit: scheduling.unfit };
}
