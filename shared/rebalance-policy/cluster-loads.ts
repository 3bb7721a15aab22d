/** How full clusters are by some resources: by their reports, and by moves of replicas that the reports do not include yet. */

import type { Cluster } from '../karmada/assignment/cluster.ts';
import { type Amounts, amountOf } from '../karmada/assignment/quantity.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { reportsOf } from '../karmada/readiness.ts';

/** Of the fullest of the resources, in percent of what is allocatable; above 100 if pods are pending. */
export interface ClusterLoad {
  readonly resource: string;
  readonly percent: number;
}

/** A cluster that reports none of the resources has no load: nothing moves from or to it. */
export interface ClusterLoads {
  of(cluster: string): ClusterLoad | undefined;
  isAbove(cluster: string, percent: number): boolean;
  /** How much one replica less brings the cluster closer to `percent`: shares of its resources, summed over those that are above it. */
  relief(cluster: string, request: Amounts, percent: number): number;
  /** The load with so many replicas more; undefined as of a cluster without a report. */
  with(cluster: string, request: Amounts, replicas: number): ClusterLoad | undefined;
  add(cluster: string, request: Amounts, replicas: number): void;
  copy(): ClusterLoads;
}

interface Usage {
  readonly resource: string;
  readonly allocatable: number;
  used: number;
}

export function createClusterLoads(clusters: readonly Cluster[], resources: readonly string[]): ClusterLoads {
  return loadsFrom(new Map(clusters.map((cluster) => [cluster.name, usagesOf(cluster, resources)])));
}

function loadsFrom(usages: ReadonlyMap<string, readonly Usage[]>): ClusterLoads {
  const usagesIn = (cluster: string) => usages.get(cluster) ?? [];

  function loadWith(cluster: string, request: Amounts, replicas: number): ClusterLoad | undefined {
    let fullest: ClusterLoad | undefined;
    for (const { resource, allocatable, used } of usagesIn(cluster)) {
      const percent = ((used + (request.get(resource) ?? 0) * replicas) * 100) / allocatable;
      if (fullest === undefined || percent > fullest.percent) fullest = { resource, percent };
    }
    return fullest;
  }

  return {
    of: (cluster) => loadWith(cluster, new Map(), 0),
    isAbove: (cluster, percent) => (loadWith(cluster, new Map(), 0)?.percent ?? 0) > percent,
    relief(cluster, request, percent) {
      let relief = 0;
      for (const { resource, allocatable, used } of usagesIn(cluster)) {
        const excess = used / allocatable - percent / 100;
        if (excess > 0) relief += Math.min(excess, (request.get(resource) ?? 0) / allocatable);
      }
      return relief;
    },
    with: loadWith,
    add(cluster, request, replicas) {
      for (const usage of usagesIn(cluster)) usage.used += (request.get(usage.resource) ?? 0) * replicas;
    },
    copy: () => loadsFrom(new Map([...usages].map(([name, all]) => [name, all.map((usage) => ({ ...usage }))]))),
  };
}

function usagesOf({ resourceSummary }: Cluster, resources: readonly string[]): readonly Usage[] {
  const { allocatable, allocated, allocating } = resourceSummary ?? {};
  return resources.flatMap((resource) => {
    const total = amountOf(resource, allocatable);
    const used = amountOf(resource, allocated) + amountOf(resource, allocating);
    return total > 0 ? [{ resource, allocatable: total, used }] : [];
  });
}

/** The request of one replica, by resource. */
export function requestOf({ spec }: PlacedBinding): Amounts {
  const request = spec.replicaRequirements?.resourceRequest ?? {};
  return new Map([
    ...Object.keys(request).map((resource) => [resource, amountOf(resource, request)] as const),
    ['pods', 1],
  ]);
}

/**
 * Replicas by cluster that are assigned and do not exist there yet, or, negative, that exist and are to go, as held ones: the reports of the
 * clusters' resources do not include their move. Empty for kinds that report no replicas.
 */
export function unreported(binding: PlacedBinding): readonly (readonly [cluster: string, replicas: number])[] {
  const reports = reportsOf(binding);
  const counts = [...reports.values()].some(({ status }) => status?.replicas != null);
  if (!counts) return [];
  const assigned = new Map(binding.spec.clusters.map(({ name, replicas }) => [name, replicas]));
  return [...new Set([...assigned.keys(), ...reports.keys()])].flatMap((name) => {
    const difference = (assigned.get(name) ?? 0) - (reports.get(name)?.status?.replicas ?? 0);
    return difference === 0 ? [] : [[name, difference] as const];
  });
}
