/** What the oracles read of a binding, by cluster. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';

const QUEUE = 'replica-reduction-queue.evenkeel.dev/';

export interface Held {
  readonly replicas?: number;
  readonly creationTimestamp?: string;
  readonly gracePeriodSeconds?: number;
}

export function queueOf({ metadata }: KubeObject): ReadonlyMap<string, Held> {
  return new Map(
    Object.entries(metadata.annotations ?? {})
      .filter(([name]) => name.startsWith(QUEUE))
      .map(([name, text]) => [name.slice(QUEUE.length), JSON.parse(text) as Held]),
  );
}

export function assignedOf({ spec }: KubeObject): ReadonlyMap<string, number> {
  const clusters = (spec?.clusters ?? []) as readonly { name: string; replicas?: number }[];
  return new Map(clusters.map(({ name, replicas = 0 }) => [name, replicas]));
}

export function readyOf({ status }: KubeObject): ReadonlyMap<string, number> {
  const items = (status?.aggregatedStatus ?? []) as readonly {
    clusterName: string;
    status?: { readyReplicas?: number };
  }[];
  return new Map(items.map((item) => [item.clusterName, item.status?.readyReplicas ?? 0]));
}
