/** Reads a page of what a task or a run changed. */
import type { HistoryStore } from '../placement-history/history-store.ts';
import { readEachPlacement } from '../placement-history/read-history.ts';
import type { DiffItem } from './diff-item.ts';
import type { RunDiff } from './operations/diffs.ts';

/** A part of the workloads of a task or a run. */
export interface DiffPage {
  readonly items: readonly DiffItem[];
  readonly from: number;
  readonly limit: number;
}

export interface DiffSource {
  readonly hub: string;
  readonly history: HistoryStore;
  /** Why placements are not recorded; undefined if they are. */
  readonly unrecorded: string | undefined;
}

export async function readDiffs(
  { hub, history, unrecorded }: DiffSource,
  { items, from, limit }: DiffPage,
): Promise<Pick<RunDiff, 'total' | 'workloads' | 'unrecorded'>> {
  const page = items.slice(from, from + limit);
  const queries = page.map(({ query }) => query);
  const reads = unrecorded === undefined ? await readEachPlacement(history, hub, queries) : [];
  const workloads = page.map(({ diff }, place) => diff(reads[place]));
  return { total: items.length, workloads, ...(unrecorded !== undefined && { unrecorded }) };
}
