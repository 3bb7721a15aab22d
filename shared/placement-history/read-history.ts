/** Reads recorded placements with the state at the begin of a range. */
import { type Instant, SECOND } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { HistoryRange, HistoryStore, ReadClusterHistory, ReadPlacements } from './history-store.ts';

export async function readPlacements(
  history: HistoryStore,
  { hub, binding }: { readonly hub: string; readonly binding: ObjectKey },
  range: HistoryRange,
): Promise<ReadPlacements> {
  const [page, before] = await Promise.all([
    history.placements(hub, binding, range),
    range.next === undefined ? history.lastPlacement(hub, binding, justBefore(range)) : undefined,
  ]);
  return { page, before };
}

export async function readClusterHistory(
  history: HistoryStore,
  { hub, cluster }: { readonly hub: string; readonly cluster: string },
  range: HistoryRange,
): Promise<ReadClusterHistory> {
  const isFirst = range.next === undefined;
  const [moves, states, before] = await Promise.all([
    history.clusterMoves(hub, cluster, range),
    isFirst ? history.clusterStates(hub, cluster, range) : undefined,
    isFirst ? history.lastCluster(hub, cluster, justBefore(range)) : undefined,
  ]);
  return { moves, states: states?.rows ?? [], before };
}

/** Keys have whole seconds. */
function justBefore({ from }: HistoryRange): Instant {
  return from - SECOND;
}
