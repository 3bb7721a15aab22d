/** Prints recorded placements and the history of a cluster. */

import { causeText, changeText, type PlacementStep, replicasText } from '../../shared/console-api/history-text.ts';
import type { ClusterHistoryAnswer, PlacementsAnswer } from '../../shared/console-api/operations/history.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import type { PlacedReplicas } from '../../shared/placement-history/placement-row.ts';
import type { PrintedColumn, Rows } from '../operator/printed-rows.ts';

const placementColumns: readonly PrintedColumn<PlacementStep>[] = [
  { head: 'TIME', of: ({ row }) => row.at },
  { head: 'REPLICAS', of: ({ row }) => String(row.total), right: true },
  { head: 'READY', of: ({ row }) => `${sumOf(row.ready)}/${sumOf(row.assigned)}`, right: true },
  { head: 'CHANGE', of: changeText },
  { head: 'READY BY CLUSTER', of: ({ row }) => replicasText(row.ready), wide: true },
  { head: 'CAUSE', of: ({ row }) => causeText(row.cause), text: true },
];

export function placementRows(answer: PlacementsAnswer, none: string): Rows<PlacementStep> {
  const { placements, before } = answer;
  return {
    rows: placements.map((row, i) => ({ row, before: placements[i + 1] ?? before })),
    columns: placementColumns,
    name: ({ row }) => `placement/${row.workload.namespace}/${row.workload.name}/${row.at}`,
    document: answer,
    none,
  };
}

function sumOf(replicas: PlacedReplicas): number {
  return Object.values(replicas).reduce((sum, count) => sum + count, 0);
}

/** A line of a cluster's history: a state, or the move of a workload. */
interface ClusterLine {
  readonly at: string;
  readonly what: string;
  readonly change: string;
  readonly cause: string;
}

export function clusterRows(cluster: string, answer: ClusterHistoryAnswer, none: string): Rows<ClusterLine> {
  const { states, moves, before } = answer;
  const ofStates = states.map(({ at, state, taints, why = '' }, i): ClusterLine => {
    const earlier = (states[i + 1] ?? before)?.state;
    const change = earlier === undefined || earlier === state ? state : `${earlier}→${state}`;
    return { at, what: `cluster ${cluster}`, change, cause: why || taints.join(', ') };
  });
  const ofMoves = moves.map(
    ({ at, workload, from, to, cause }): ClusterLine => ({
      ...{ at, what: referenceLabel(workload), change: `${from}→${to}`, cause: causeText(cause) },
    }),
  );
  return {
    rows: [...ofStates, ...ofMoves].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    columns: [
      { head: 'TIME', of: ({ at }) => at },
      { head: 'OBJECT', of: ({ what }) => what },
      { head: 'CHANGE', of: ({ change }) => change },
      { head: 'CAUSE', of: ({ cause }) => cause, text: true },
    ],
    name: ({ at, what }) => `${what}/${at}`,
    document: answer,
    none,
  };
}
