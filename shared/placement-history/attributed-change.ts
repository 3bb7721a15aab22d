/** Finds in the recorded placements of a workload what one mover changed: the placement before its first change, and after its last. */
import type { Instant } from '../core/time.ts';
import type { ReadPlacements } from './history-store.ts';
import type { PlacedReplicas, PlacementRow } from './placement-row.ts';

export interface AttributedChange {
  /** Absent if the row before is not recorded, or has expired. */
  readonly before?: PlacedReplicas;
  readonly after: PlacedReplicas;
  /** Of the last change. */
  readonly at: Instant;
}

/** Whether a row is a change by the mover; `earlier` is the row before it. */
export type IsChangeBy = (row: PlacementRow, earlier: PlacementRow | undefined) => boolean;

/** Undefined if no row of the range is the mover's. */
export function attributedChange(read: ReadPlacements, isChangeBy: IsChangeBy): AttributedChange | undefined {
  const rows = oldestFirst(read);
  const ours = rows.flatMap((row, i) =>
    row !== read.before && row.gone !== true && isChangeBy(row, rows[i - 1]) ? [{ row, i }] : [],
  );
  const [first, last] = [ours[0], ours.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const earlier = rows[first.i - 1];
  const isKnown = earlier !== undefined && earlier.gone !== true && earlier.uid === first.row.uid;
  return { ...(isKnown && { before: earlier.assigned }), after: last.row.assigned, at: last.row.at };
}

/** The placement when the range began; undefined if it is not recorded. */
export function placementAtBegin(read: ReadPlacements): PlacedReplicas | undefined {
  const [first] = oldestFirst(read);
  if (first === undefined || first.gone === true || first.cause?.by === 'FirstRecord') return undefined;
  return first.assigned;
}

/** With the row before the range. */
function oldestFirst({ page, before }: ReadPlacements): readonly PlacementRow[] {
  return [...(before === undefined ? [] : [before]), ...page.rows.toReversed()];
}
