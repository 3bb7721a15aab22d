/** Recorded changes as text, for the command line and the console. */
import { changedClusters, type PlacedReplicas } from '../placement-history/placement-row.ts';
import type { ClusterHistoryAnswer, RecordedCause, RecordedPlacement } from './operations/history.ts';

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

/** A line of a cluster's history: a state, or the move of a workload. */
export interface ClusterChange {
  readonly at: string;
  /** Absent for a state of the cluster itself. */
  readonly move?: ClusterHistoryAnswer['moves'][number];
  /** Absent for a state that is the first known, or as before. */
  readonly from?: string;
  readonly to: string;
  readonly why: string;
}

/** States of the cluster and moves of workloads, newest first. */
export function clusterChanges({ states, moves, before }: ClusterHistoryAnswer): readonly ClusterChange[] {
  const ofStates = states.map(({ at, state, taints, why = '' }, i): ClusterChange => {
    const earlier = (states[i + 1] ?? before)?.state;
    const from = earlier === state ? undefined : earlier;
    return { at, ...(from !== undefined && { from }), to: state, why: why || taints.join(', ') };
  });
  const ofMoves = moves.map((move): ClusterChange => {
    const { at, from, to, cause } = move;
    return { at, move, from: String(from), to: String(to), why: causeText(cause) };
  });
  return [...ofStates, ...ofMoves].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}
