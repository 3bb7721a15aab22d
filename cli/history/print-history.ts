/** Prints recorded placements and the history of a cluster. */
import {
  type ClusterChange,
  causeText,
  changeText,
  clusterChanges,
  type PlacementStep,
  replicasText,
} from '../../shared/console-api/history-text.ts';
import type { ClusterHistoryAnswer, PlacementsAnswer } from '../../shared/console-api/operations/history.ts';
import { sum } from '../../shared/core/sum.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import type { PrintedColumn, Rows } from '../operator/printed-rows.ts';

const placementColumns: readonly PrintedColumn<PlacementStep>[] = [
  { head: 'TIME', of: ({ row }) => row.at },
  { head: 'REPLICAS', of: ({ row }) => String(row.total), right: true },
  {
    head: 'READY',
    of: ({ row }) => `${sum(Object.values(row.ready))}/${sum(Object.values(row.assigned))}`,
    right: true,
  },
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

export function clusterRows(cluster: string, answer: ClusterHistoryAnswer, none: string): Rows<ClusterChange> {
  const what = ({ move }: ClusterChange) => (move === undefined ? `cluster ${cluster}` : referenceLabel(move.workload));
  return {
    rows: clusterChanges(answer),
    columns: [
      { head: 'TIME', of: ({ at }) => at },
      { head: 'OBJECT', of: what },
      { head: 'CHANGE', of: ({ from, to }) => (from === undefined ? to : `${from}→${to}`) },
      { head: 'CAUSE', of: ({ why }) => why, text: true },
    ],
    name: (change) => `${what(change)}/${change.at}`,
    document: answer,
    none,
  };
}
