/** Replicas that were assigned to clusters and are not in their reports yet, so that two bindings do not claim the same capacity. */
import type { PlacedBinding } from '../placed-binding.ts';
import type { ClusterReplicas } from './assign-replicas.ts';
import { type Amounts, amountOf, type Quantities } from './quantity.ts';

/** By cluster, then by resource, in the units of amountOf; `pods` among them. */
export type AssumedReplicas = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface AssumeCache {
  on(cluster: string): Amounts;
  add(cluster: string, replicas: number, request: Quantities | undefined): void;
  /** The replicas that a new assignment of the binding adds to clusters. */
  addAssigned(binding: PlacedBinding, assigned: readonly ClusterReplicas[]): void;
  addAmounts(cluster: string, amounts: Readonly<Record<string, number>>): void;
  /** Called when the member clusters' reports include the assumed replicas. */
  clear(): void;
  /** The whole content, to restore the cache elsewhere. */
  assumed(): AssumedReplicas;
}

export function createAssumeCache(from: AssumedReplicas = {}): AssumeCache {
  const byCluster = new Map<string, Map<string, number>>();
  const cache: AssumeCache = {
    on: (cluster) => byCluster.get(cluster) ?? new Map<string, number>(),
    add(cluster, replicas, request = {}) {
      if (replicas <= 0) return;
      const requested = Object.keys(request).filter((resource) => resource !== 'pods');
      const amounts = requested.map((resource) => [resource, replicas * amountOf(resource, request)] as const);
      cache.addAmounts(cluster, { pods: replicas, ...Object.fromEntries<number>(amounts) });
    },
    addAssigned({ spec }, assigned) {
      const before = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
      const request = spec.replicaRequirements?.resourceRequest ?? undefined;
      for (const { name, replicas } of assigned) cache.add(name, replicas - (before.get(name) ?? 0), request);
    },
    addAmounts(cluster, added) {
      const amounts = byCluster.get(cluster) ?? new Map<string, number>();
      byCluster.set(cluster, amounts);
      for (const [resource, amount] of Object.entries(added))
        amounts.set(resource, (amounts.get(resource) ?? 0) + amount);
    },
    clear: () => byCluster.clear(),
    assumed: () =>
      Object.fromEntries([...byCluster].map(([cluster, amounts]) => [cluster, Object.fromEntries(amounts)])),
  };
  for (const [cluster, amounts] of Object.entries(from)) cache.addAmounts(cluster, amounts);
  return cache;
}
