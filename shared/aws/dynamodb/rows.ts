/** Task and chunk as rows of the table, and back. */

import { SECOND } from '../../core/time.ts';
import type { Chunk, RebalanceTask, TaskKey, TaskWorkload } from '../../workload-rebalancer/rebalance-task.ts';
import type { AtPlan, TaskRow } from '../../workload-rebalancer/task-store.ts';
import { type RowKey, seconds, type TableRow } from './table.ts';

export const META = 'META';

export function partition({ hub, uid }: TaskKey): string {
  return `TASK#${hub}#${uid}`;
}

export function chunkPrefix({ plan }: Pick<AtPlan, 'plan'>): string {
  return `PLAN#${plan}#CHUNK#`;
}

export function chunkSort(plan: string, number: number): string {
  return `${chunkPrefix({ plan })}${String(number).padStart(5, '0')}`;
}

/** Only task rows have `hub`, so only they are in the index by hub. DynamoDB's TTL wants seconds; a number set can't be empty, so it is left out. */
export function toTaskRow({ pendingChunks, expiresAt, ...task }: RebalanceTask): TableRow & RowKey {
  return {
    pk: partition(task),
    sk: META,
    ...task,
    expiresAt: seconds(expiresAt),
    ...(pendingChunks.length > 0 && { pendingChunks: new Set(pendingChunks) }),
  };
}

export function fromTaskRow({ pk: _pk, sk: _sk, pendingChunks, expiresAt, ...task }: TableRow): RebalanceTask {
  const pending = pendingChunks instanceof Set ? [...(pendingChunks as Set<number>)].sort((a, b) => a - b) : [];
  return { ...(task as unknown as RebalanceTask), pendingChunks: pending, expiresAt: (expiresAt as number) * SECOND };
}

/** Of the index, which holds no more of it. */
export function fromTaskIndexRow({ pk: _pk, sk: _sk, ...observation }: TableRow): TaskRow {
  return observation as unknown as TaskRow;
}

/** Workloads are one JSON text: half the size of nested maps, and a row is always read and written whole. */
export function toChunkRow(
  { task, plan, number, version, workloads }: Chunk,
  expiresAtSeconds: number,
): TableRow & RowKey {
  return {
    pk: partition(task),
    sk: chunkSort(plan, number),
    number,
    version,
    workloads: JSON.stringify(workloads),
    expiresAt: expiresAtSeconds,
  };
}

export function fromChunkRow(row: TableRow, { hub, uid, plan }: AtPlan): Chunk {
  return {
    task: { hub, uid },
    plan,
    number: row.number as number,
    version: row.version as number,
    workloads: JSON.parse(row.workloads as string) as TaskWorkload[],
  };
}
