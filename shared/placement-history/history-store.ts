/** The port of recorded placements and states of clusters. Rows have keys of the hub's own versions, so a repeated record writes the same row again. */
import type { Instant } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { ClusterStateRow } from './cluster-row.ts';
import type { ClusterMove, PlacementRow } from './placement-row.ts';

/** Of a query, newest first. */
export interface HistoryRange {
  readonly from: Instant;
  /** Inclusive. */
  readonly to: Instant;
  readonly limit: number;
  /** `next` of the page before. */
  readonly next?: string | undefined;
}

export interface HistoryPage<Row> {
  readonly rows: readonly Row[];
  /** Absent after the last page. */
  readonly next?: string;
}

/** What to read of one workload. */
export interface PlacementQuery {
  readonly binding: ObjectKey;
  readonly from: Instant;
  readonly to: Instant;
}

/** Rows of a workload in a range. */
export interface ReadPlacements {
  readonly page: HistoryPage<PlacementRow>;
  /** Only with the first page. */
  readonly before: PlacementRow | undefined;
}

/** Of a cluster. */
export interface ReadClusterHistory {
  readonly moves: HistoryPage<ClusterMove>;
  /** Only with the first page. */
  readonly states: readonly ClusterStateRow[];
  readonly before: ClusterStateRow | undefined;
}

/** A row with the moves of its change: one for each cluster whose number changed. */
export interface NewPlacement {
  readonly row: PlacementRow;
  readonly moves: readonly ClusterMove[];
}

/** Reads are strongly consistent. */
export interface HistoryStore {
  /** The newest row; with `until`, the newest that began at that time or before. */
  lastPlacement(hub: string, binding: ObjectKey, until?: Instant): Promise<PlacementRow | undefined>;
  /** Stores the moves and then the row, which replaces one of the same key unless that has a newer state. */
  recordPlacement(hub: string, placement: NewPlacement, expiresAt: Instant): Promise<void>;
  placements(hub: string, binding: ObjectKey, range: HistoryRange): Promise<HistoryPage<PlacementRow>>;
  lastCluster(hub: string, cluster: string, until?: Instant): Promise<ClusterStateRow | undefined>;
  recordCluster(hub: string, row: ClusterStateRow, expiresAt: Instant): Promise<void>;
  clusterStates(hub: string, cluster: string, range: HistoryRange): Promise<HistoryPage<ClusterStateRow>>;
  /** What moved to and from the cluster. */
  clusterMoves(hub: string, cluster: string, range: HistoryRange): Promise<HistoryPage<ClusterMove>>;
}
