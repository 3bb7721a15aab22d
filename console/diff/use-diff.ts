/** Polls what a task or a run changed: the first page for the sums, and the pages of the visible rows. */
import { useEffect, useState } from 'preact/hooks';
import type { RunDiff, WorkloadDiff } from '../../shared/console-api/operations/diffs.ts';
import type { InputOf } from '../../shared/console-api/operations.ts';
import { useKept } from '../kept-answer.ts';
import { useAnswer } from '../live.ts';
import type { IndexRange } from '../virtual-window.ts';

/** Two queries of the table for each workload. */
export const DIFF_PAGE = 100;
/** While an outcome is pending, and once all of the first page are known. */
const [OPEN_MS, SETTLED_MS] = [3000, 30_000];

type DiffQuery = 'getTaskDiff' | 'getRunDiff';

export interface LoadedDiff {
  /** The first page. */
  readonly first: Pick<RunDiff, 'total' | 'workloads' | 'unrecorded'> | undefined;
  /** Of a task: whether its WorkloadRebalancer is on the hub; undefined if that is not known. */
  readonly exists: boolean | undefined;
  readonly at: (index: number) => WorkloadDiff | undefined;
}

export function useDiff<N extends DiffQuery>(query: N, input: InputOf<N> | undefined, inView: IndexRange): LoadedDiff {
  const [settled, setSettled] = useState(false);
  const everyMs = settled ? SETTLED_MS : OPEN_MS;
  const from = pageOf(inView.from);
  const until = pageOf(Math.max(inView.from, inView.to - 1));
  const { answer: first } = useKept(useAnswer(query, input, everyMs), JSON.stringify(input ?? ''));
  const upper = useAnswer(query, input && from !== 0 ? { ...input, from } : undefined, everyMs);
  const lower = useAnswer(
    query,
    input && until !== 0 && until !== from ? { ...input, from: until } : undefined,
    everyMs,
  );
  useEffect(() => {
    setSettled(first.data?.workloads.every(({ outcome }) => outcome !== 'Pending') ?? false);
  }, [first.data]);
  const pages = new Map([
    [until, lower.data],
    [from, upper.data],
    [0, first.data],
  ]);
  return {
    first: first.data,
    exists: first.data && 'exists' in first.data ? first.data.exists : undefined,
    at: (index) => pages.get(pageOf(index))?.workloads[index % DIFF_PAGE],
  };
}

function pageOf(index: number): number {
  return Math.floor(index / DIFF_PAGE) * DIFF_PAGE;
}
