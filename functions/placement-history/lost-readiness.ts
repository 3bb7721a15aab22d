/** Decides how many ready-minutes a move by Evenkeel has lost, from two rows of its workload's history. */
import { LOST_SECONDS_PER_REPLICA, objectiveTelemetry } from '../../shared/core/objectives.ts';
import { sum } from '../../shared/core/sum.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { SECOND } from '../../shared/core/time.ts';
import type { OpenMove, PlacementCause, PlacementRow } from '../../shared/placement-history/placement-row.ts';

const ours: readonly PlacementCause['by'][] = ['WorkloadRebalancer', 'RebalancePolicy', 'ClusterDrain', 'Descheduler'];

/** The row with the move that is still open in it, and the sample of one that ended. */
export interface MoveProgress {
  readonly row: PlacementRow;
  readonly telemetry: readonly TelemetryEntry[];
}

/**
 * A move is open until as many replicas as before are ready in clusters that they are assigned to. Reports are later than assignments: directly after a
 * move, the ready replicas are still those of the clusters that it leaves. It ends without a sample if another client changes the assignment.
 */
export function followMove(last: PlacementRow | undefined, { openMove: _, ...row }: PlacementRow): MoveProgress {
  const open = last && openMoveAt(last, row);
  if (open === undefined) return { row, telemetry: [] };
  const { ready, lostSeconds } = open;
  if (lostSeconds > ready * LOST_SECONDS_PER_REPLICA)
    return { row, telemetry: objectiveTelemetry('readiness', { kept: 0, missed: 1 }) };
  if (readyAsAssigned(row) >= ready) return { row, telemetry: objectiveTelemetry('readiness', { kept: 1, missed: 0 }) };
  return { row: { ...row, openMove: open }, telemetry: [] };
}

/** A workload that was scaled down needs no more replicas than it has. */
function openMoveAt(last: PlacementRow, row: PlacementRow): OpenMove | undefined {
  const ready = sum(Object.values(last.ready));
  const before = last.openMove;
  const lost = before && (Math.max(0, before.ready - ready) * (row.at - last.at)) / SECOND;
  const begun = before ?? { ready, lostSeconds: 0 };
  const open = { ready: Math.min(begun.ready, row.total), lostSeconds: begun.lostSeconds + (lost ?? 0) };
  const isChange = row.cause !== undefined && row.version !== last.version;
  if (isChange) return ours.includes(row.cause.by) ? open : undefined;
  return before && open;
}

function readyAsAssigned({ assigned, ready }: Pick<PlacementRow, 'assigned' | 'ready'>): number {
  return sum(Object.entries(assigned).map(([cluster, replicas]) => Math.min(replicas, ready[cluster] ?? 0)));
}
