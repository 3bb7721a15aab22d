/** Assigns the replicas of a binding that are not settled: those that no node takes, or those of a cluster that is drained. */
import type { ClusterReplicas } from './assign-replicas.ts';
import { possibleClusters, type Scheduling, type SchedulingRequest, scheduleBinding } from './plan-scheduling.ts';

/** Which replicas are settled: those that stay where they are, and those that a cluster is to get. */
export interface StayingReplicas {
  readonly clusters: readonly ClusterReplicas[];
  /** A cluster that gets none of the others, also if its taints are tolerated. */
  readonly drained?: string;
}

/** One assignment of all replicas, or none: clusters that lose some get none of the others. */
export function assignOthers(
  input: Pick<SchedulingRequest, 'binding' | 'clusters' | 'available'>,
  { clusters: staying, drained }: StayingReplicas,
): Scheduling {
  const { binding, clusters, available } = input;
  const { spec } = binding;
  const unfit = whyUnfit(input, staying);
  if (unfit !== undefined) return { outcome: 'Unschedulable', message: unfit, reason: unfit, unfit: new Map() };
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

/** Why a cluster can't get the replicas that it does not have yet: undefined if each can. */
function whyUnfit(
  { binding, clusters, available }: Pick<SchedulingRequest, 'binding' | 'clusters' | 'available'>,
  settled: readonly ClusterReplicas[],
): string | undefined {
  const present = new Map(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const gains = settled.flatMap(({ name, replicas }) => {
    const gain = replicas - (present.get(name) ?? 0);
    return gain > 0 ? [{ name, gain }] : [];
  });
  if (gains.length === 0) return undefined;
  const possible = new Map(possibleClusters(binding, clusters).map((cluster) => [cluster.name, cluster]));
  for (const { name, gain } of gains) {
    const cluster = possible.get(name);
    if (cluster === undefined) return `cluster ${name} does not fit its placement now`;
    const capacity = available(cluster);
    if (capacity < gain)
      return `cluster ${name} has capacity for ${capacity} of the ${gain} replicas that it is to get`;
  }
  return undefined;
}
