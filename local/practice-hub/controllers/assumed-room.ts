/** What the scheduler has placed and no member has reported yet, so that two bindings in one turn are not promised the same room. */
import type { Amounts } from '../../../shared/model/assignment/available-replicas.ts';
import { amountOf, type Quantities } from '../../../shared/model/assignment/quantity.ts';

export interface AssumedRoom {
  on(cluster: string): Amounts;
  add(cluster: string, replicas: number, request: Quantities | undefined): void;
  /** The members' reports include it now. */
  clear(): void;
}

export function createAssumedRoom(): AssumedRoom {
  const byCluster = new Map<string, Map<string, number>>();
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
  };
}
