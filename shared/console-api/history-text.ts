/** Recorded changes as text, for the command line and the console. */
import { changedClusters, type PlacedReplicas } from '../placement-history/placement-row.ts';
import type { RecordedCause, RecordedPlacement } from './operations/history.ts';

/** A change with the placement before it. */
export interface PlacementStep {
  readonly row: RecordedPlacement;
  readonly before: RecordedPlacement | undefined;
}

/** "member1 4→2, member2 0→2"; without a change of the assignment "ready: member1 1→2". */
export function changeText({ row, before }: PlacementStep): string {
  if (row.gone) return 'deleted';
  const isKnown = row.cause?.by !== 'FirstRecord' && before?.gone !== true;
  const moved = changesText(isKnown ? before?.assigned : undefined, row.assigned);
  if (row.cause !== undefined) return moved || 'no replicas assigned';
  const ready = changesText(before?.ready, row.ready);
  return ready === '' ? '-' : `ready: ${ready}`;
}

/** Without `before` the numbers alone, because what was before is not known. */
function changesText(before: PlacedReplicas | undefined, after: PlacedReplicas): string {
  if (before === undefined) return replicasText(after);
  return changedClusters(before, after)
    .map(({ cluster, from, to }) => `${cluster} ${from}→${to}`)
    .join(', ');
}

export function replicasText(replicas: PlacedReplicas): string {
  return Object.entries(replicas)
    .map(([cluster, count]) => `${cluster} ${count}`)
    .join(', ');
}

export function actorText({ by, name }: RecordedCause): string {
  return name === undefined ? by : `${by} ${name}`;
}

/** "RebalancePolicy come-home (2026-11-22T08:00:00Z-1a2b3c4d)". */
export function causeText(cause: RecordedCause | undefined): string {
  if (cause === undefined) return '';
  return cause.why === undefined ? actorText(cause) : `${actorText(cause)} (${cause.why})`;
}
