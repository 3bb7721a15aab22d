/** The views of recorded placements and of the history of a cluster. */
import type {
  ClusterHistoryAnswer,
  PlacementsAnswer,
  RecordedPlacement,
} from '../../shared/console-api/operations/history.ts';
import { Fault } from '../../shared/core/fault.ts';
import { DAY, fromTimestamp, type Instant, toTimestamp } from '../../shared/core/time.ts';
import type { ClusterStateRow } from '../../shared/placement-history/cluster-row.ts';
import type { HistoryRange, ReadClusterHistory, ReadPlacements } from '../../shared/placement-history/history-store.ts';
import { isSameReplicas, type PlacementRow } from '../../shared/placement-history/placement-row.ts';

interface GivenRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly next?: string | undefined;
}

/** Throws a Fault that names the field if a time can't be read, or the range is empty. */
export function rangeOf({ from, to, limit, next }: GivenRange, now: Instant): HistoryRange {
  const end = timeOf('to', to) ?? now;
  const begin = timeOf('from', from) ?? end - DAY;
  if (begin > end)
    throw invalid(
      `from: Invalid value: ${JSON.stringify(from)}: must not be later than to, which is ${toTimestamp(end)}`,
    );
  return { from: begin, to: end, limit, ...(next !== undefined && { next }) };
}

function timeOf(field: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const at = fromTimestamp(text);
  if (at !== undefined) return at;
  const given = JSON.stringify(text.slice(0, 80));
  throw invalid(`${field}: Invalid value: ${given}: must be a time in RFC 3339, for example 2026-11-22T08:00:00Z`);
}

function invalid(message: string): Fault {
  return new Fault('terminal', message, { reason: 'InvalidInput' });
}

export function placementsAnswer({ page: { rows, next }, before }: ReadPlacements): PlacementsAnswer {
  return {
    ...(before && { before: placementView(before) }),
    placements: rows.filter((row, i) => !isRepeated(row, rows[i + 1] ?? before)).map(placementView),
    ...(next !== undefined && { next }),
  };
}

/** Two deliveries at the same time may record one state as two versions. */
function isRepeated(row: PlacementRow, earlier: PlacementRow | undefined): boolean {
  if (earlier === undefined || earlier.uid !== row.uid || earlier.gone !== row.gone) return false;
  const isSame = isSameReplicas(earlier.assigned, row.assigned) && isSameReplicas(earlier.ready, row.ready);
  return isSame && earlier.total === row.total;
}

function placementView({ at, uid, workload, total, assigned, ready, cause, gone }: PlacementRow): RecordedPlacement {
  return {
    ...{ at: toTimestamp(at), uid, workload, total, assigned, ready, gone: gone === true },
    ...(cause && { cause }),
  };
}

export function clusterHistoryAnswer({
  before,
  states,
  moves: { rows, next },
}: ReadClusterHistory): ClusterHistoryAnswer {
  return {
    ...(before && { before: stateView(before) }),
    states: states.map(stateView),
    moves: rows.map(({ at, binding, workload, from, to, cause }) => ({
      ...{ at: toTimestamp(at), binding, workload, from, to },
      ...(cause && { cause }),
    })),
    ...(next !== undefined && { next }),
  };
}

function stateView({ at, state, taints, why, capacity }: ClusterStateRow): ClusterHistoryAnswer['states'][number] {
  return {
    ...{ at: toTimestamp(at), state, taints: [...taints] },
    ...(why !== undefined && { why }),
    ...(capacity && { capacity }),
  };
}
