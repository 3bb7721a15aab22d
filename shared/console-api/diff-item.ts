/** One workload of what a task or a run changed, before its placements are read. */
import type { PlacementQuery, ReadPlacements } from '../placement-history/history-store.ts';
import type { WorkloadDiff } from './operations/diffs.ts';

export interface DiffItem {
  readonly query: PlacementQuery;
  /** Without `read`: the hub records no placements. */
  readonly diff: (read: ReadPlacements | undefined) => WorkloadDiff;
}
