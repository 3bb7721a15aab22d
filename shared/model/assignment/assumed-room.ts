/** What was placed on clusters and no cluster has reported yet, so that two bindings are not promised the same room. */
import { type Amounts, amountOf, type Quantities } from './quantity.ts';

/** By cluster, then by resource, in the units of amountOf; `pods` among them. */
export type PromisedRoom = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface AssumedRoom {
  on(cluster: string): Amounts;
  add(cluster: string, replicas: number, request: Quantities | undefined): void;
  /** The members' reports include it now. */
  clear(): void;
  /** All of it, to go on from elsewhere. */
  promised(): PromisedRoom;
}

export function createAssumedRoom(from: PromisedRoom = {}): AssumedRoom {
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
    promised: () =>
      Object.fromEntries([...byCluster].map(([cluster, amounts]) => [cluster, Object.fromEntries(amounts)])),
  };
}
