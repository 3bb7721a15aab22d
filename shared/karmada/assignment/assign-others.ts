/** Assigns the replicas of a binding that are not settled: those that no node takes, or those of a cluster that is drained. */
import { DRAIN_TAINT } from '../member-cluster.ts';
import { byName, type ClusterReplicas } from './assign-replicas.ts';
import { knownStrategy } from './placement.ts';
import { possibleClusters, type Scheduling, type SchedulingRequest, scheduleBinding } from './plan-scheduling.ts';

/** Which replicas are settled: those that stay where they are, and those that a cluster is to get. */
export interface StayingReplicas {
  readonly clusters: readonly ClusterReplicas[];
  /** A cluster that gets none of the others, also if its taints are tolerated. */
  readonly drained?: string;
}

/** One assignment of all replicas, or none: clusters that lose some, or are drained, get none of the others. */
export function assignOthers(
  input: Pick<SchedulingRequest, 'binding' | 'clusters' | 'available'>,
  { clusters: staying, drained }: StayingReplicas,
): Scheduling {
  const { binding, clusters, available } = input;
  const { spec } = binding;
  const unfit = whyUnfit(input, staying);
  if (unfit !== undefined) return { outcome: 'Unschedulable', message: unfit, reason: unfit, unfit: new Map() };
  const closed = closedClusters(input, staying);
  // Static weights do not regard capacity: what stays on closed clusters is left out, if others are to be divided.
  const isStatic = knownStrategy(spec.placement ?? {})?.kind === 'StaticWeight' && replicasIn(staying) < spec.replicas;
  const fixed = isStatic ? staying.filter(({ name }) => closed.has(name)) : [];
  const divided = staying.filter((each) => !fixed.includes(each));
  const replicas = spec.replicas - replicasIn(fixed);
  const scheduling = scheduleBinding({
    binding: { ...binding, spec: { ...spec, replicas, clusters: divided } },
    clusters: clusters.filter(({ name }) => name !== drained && !(isStatic && closed.has(name))),
    available: (cluster) => (closed.has(cluster.name) ? 0 : available(cluster)),
    mode: 'Steady',
  });
  if (scheduling.outcome !== 'Success') return scheduling;
  const assigned = new Map(scheduling.clusters.map((each) => [each.name, each.replicas]));
  const gone = divided.find((each) => (assigned.get(each.name) ?? 0) < each.replicas);
  if (gone === undefined) return { ...scheduling, clusters: byName([...scheduling.clusters, ...fixed]) };
  const message = `its placement no longer allows the ${gone.replicas} replicas on cluster ${gone.name}`;
  return { outcome: 'Unschedulable', message, reason: message, unfit: scheduling.unfit };
}

function replicasIn(clusters: readonly ClusterReplicas[]): number {
  return clusters.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Those that lose replicas, and those that are drained: a scheduler lets a binding keep a tainted cluster, and gives it more. */
function closedClusters(
  { binding, clusters }: Pick<SchedulingRequest, 'binding' | 'clusters'>,
  staying: readonly ClusterReplicas[],
): ReadonlySet<string> {
  const kept = new Map(staying.map(({ name, replicas }) => [name, replicas]));
  const losing = binding.spec.clusters.filter(({ name, replicas }) => replicas > (kept.get(name) ?? 0));
  const drained = clusters.filter(({ taints }) => taints.some(({ key }) => key === DRAIN_TAINT));
  return new Set([...losing, ...drained].map(({ name }) => name));
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
