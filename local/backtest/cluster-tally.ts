/** What a backtest counts of a cluster; it outlives the cluster. */
import { amountOf, type Quantities } from '../../shared/karmada/assignment/quantity.ts';

export interface ClusterTally {
  /** What the replicas that the recording has on it take, by resource. */
  readonly recorded: Map<string, number>;
  replicaHours: number;
  /** Absent without a price. */
  cost?: number;
}

/** `pods` among the resources. */
export function addReplicas(amounts: Map<string, number>, request: Quantities | undefined, replicas: number): void {
  if (replicas === 0) return;
  const add = (resource: string, amount: number) => amounts.set(resource, (amounts.get(resource) ?? 0) + amount);
  add('pods', replicas);
  for (const resource of Object.keys(request ?? {}))
    if (resource !== 'pods') add(resource, replicas * amountOf(resource, request));
}
