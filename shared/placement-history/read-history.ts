/** Reads recorded placements with the state at the begin of a range. */
import { eachAtOnce } from '../core/each-at-once.ts';
import { type Instant, SECOND } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type {
  HistoryRange,
  HistoryStore,
  PlacementQuery,
  ReadClusterHistory,
  ReadPlacements,
} from './history-store.ts';

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

/** Rows of each workload: the newest in its range. A change of ready replicas has a row in ten seconds at most, so 200 are half an hour of a rollout. */
const MOST_ROWS = 200;
/** Two queries each. */
const WORKLOADS_AT_ONCE = 16;

/** In the order of the queries. */
export function readEachPlacement(
  history: HistoryStore,
  hub: string,
  queries: readonly PlacementQuery[],
): Promise<readonly ReadPlacements[]> {
  return eachAtOnce(queries, WORKLOADS_AT_ONCE, ({ binding, from, to }) =>
    readPlacements(history, { hub, binding }, { from, to, limit: MOST_ROWS }),
  );
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
