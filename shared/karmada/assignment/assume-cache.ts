/** Replicas that were assigned to clusters and are not in their reports yet, so that two bindings do not claim the same capacity. */
import { type Amounts, amountOf, type Quantities } from './quantity.ts';

/** By cluster, then by resource, in the units of amountOf; `pods` among them. */
export type AssumedReplicas = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface AssumeCache {
  on(cluster: string): Amounts;
  add(cluster: string, replicas: number, request: Quantities | undefined): void;
  /** Called when the member clusters' reports include the assumed replicas. */
  clear(): void;
  /** The whole content, to restore the cache elsewhere. */
  assumed(): AssumedReplicas;
}

export function createAssumeCache(from: AssumedReplicas = {}): AssumeCache {
  const byCluster = new Map(
    Object.entries(from).map(([cluster, amounts]) => [cluster, new Map(Object.entries(amounts))] as const),
  );
  return {
    on: (cluster) => byCluster.get(cluster) ?? new Map<string, number>(),
    add(cluster, replicas, request = {}) {
      if (replicas <= 0) return;
      const amounts = byCluster.get(cluster) ?? new Map<string, number>();
      byCluster.set(cluster, amounts);
      amounts.set('pods', (amounts.get('pods') ?? 0) + replicas);
      for (const resource of Object.keys(request)) {
        if (resource === 'pods') continue;
        amounts.set(resource, (amounts.get(resource) ?? 0) + replicas * amountOf(resource, request));
      }
    },
    clear: () => byCluster.clear(),
    assumed: () =>
      Object.fromEntries([...byCluster].map(([cluster, amounts]) => [cluster, Object.fromEntries(amounts)])),
  };
}
