/** Decides which clusters may run a workload, and reports why the others may not: the step before replicas are assigned. */
import { groupBy } from '../../core/group-by.ts';
import type { Cluster } from './cluster.ts';
import { matchesAffinity, taintText, tolerationsOf } from './match-cluster.ts';
import type { ClusterAffinity, SpreadConstraint, Toleration } from './placement.ts';

export interface SelectionRequest<C extends Cluster> {
  readonly clusters: readonly C[];
  /** One of them must select a cluster; empty: any cluster. */
  readonly affinities: readonly ClusterAffinity[];
  readonly spreadConstraints: readonly SpreadConstraint[];
  readonly tolerations: readonly Toleration[];
  /** What is propagated; a cluster must serve it. */
  readonly resource: { readonly apiVersion: string; readonly kind: string };
  /** Whether the cluster holds the workload already. */
  readonly holds: (name: string) => boolean;
  /** Whether the workload is being evicted from the cluster. */
  readonly evicting: (name: string) => boolean;
}

export interface Selection<C extends Cluster> {
  readonly candidates: readonly C[];
  /** Why a cluster is no candidate, with the scheduler's text, by name. */
  readonly unfit: ReadonlyMap<string, string>;
  /** Summary of the counts; the message of NoClusterFit if there are no candidates. */
  readonly message: string;
}

/**
 * A cluster that runs the workload stays a candidate regardless of its taints and APIs: removing replicas
 * is the job of eviction, after the toleration. Dropping the cluster here would move them at the next scaling,
 * before an eviction was decided. A cluster that is being deleted is not a candidate and gets no reason.
 */
export function selectClusters<C extends Cluster>(request: SelectionRequest<C>): Selection<C> {
  const { clusters } = request;
  const candidates: C[] = [];
  const unfit = new Map<string, string>();
  for (const cluster of clusters) {
    if (cluster.deleting) continue;
    const reason = whyNot(request, cluster);
    if (reason === undefined) candidates.push(cluster);
    else unfit.set(cluster.name, reason);
  }
  const counts = [...groupBy(unfit.values(), (reason) => reason)].map(([reason, all]) => `${all.length} ${reason}`);
  const why = unfit.size === 0 ? ['no cluster exists'] : counts.sort();
  return {
    candidates,
    unfit,
    message: `${candidates.length}/${clusters.length} clusters are available: ${why.join(', ')}.`,
  };
}

/** Of several reasons the first in this order; karmada-scheduler's order differs from start to start. */
function whyNot(
  { affinities, spreadConstraints, tolerations, resource, holds, evicting }: SelectionRequest<Cluster>,
  cluster: Cluster,
): string | undefined {
  const held = holds(cluster.name);
  if (!held && !serves(cluster, resource)) return 'cluster(s) did not have the API resource';
  const untolerated = cluster.taints.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && tolerationsOf(taint, tolerations).length === 0,
  );
  if (!held && untolerated) return `cluster(s) had untolerated taint {${taintText(untolerated)}}`;
  if (affinities.length > 0 && !affinities.some((affinity) => matchesAffinity(affinity, cluster)))
    return 'cluster(s) did not match the placement cluster affinity constraint';
  if (evicting(cluster.name)) return 'cluster(s) is in the process of eviction';
  const lacking = spreadConstraints.find(({ spreadByField }) => !hasProperty(cluster, spreadByField));
  return (
    lacking && `cluster(s) did not have ${lacking.spreadByField === 'zone' ? 'zones' : lacking.spreadByField} property`
  );
}

/** Whether the cluster can be in a group of a spread by this field. */
function hasProperty({ provider, region, zones = [] }: Cluster, field: string | null | undefined): boolean {
  if (field === 'provider') return provider !== undefined;
  if (field === 'region') return region !== undefined;
  return field !== 'zone' || zones.length > 0;
}

function serves({ apis }: Cluster, { apiVersion, kind }: { apiVersion: string; kind: string }): boolean {
  return apis.some(({ groupVersion, kinds }) => groupVersion === apiVersion && kinds.includes(kind));
}
