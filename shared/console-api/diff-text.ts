/** What a task or a run changed, as text and by cluster, for the command line and the console. */
import { changedClusters, type PlacedReplicas } from '../placement-history/placement-row.ts';
import { replicasText } from './history-text.ts';
import type { WorkloadDiff } from './operations/diffs.ts';

/** Replicas of all workloads on one cluster. */
export interface ClusterDiff {
  readonly cluster: string;
  readonly before: number;
  readonly after: number;
}

type DiffWord = WorkloadDiff['outcome'];

/** "member1 0→4, member2 6→4"; without a change "member1 4, member2 4"; a plan has "(planned)". */
export function diffText({ outcome, before, after, source }: WorkloadDiff): string {
  const planned = source === 'Planned' && (outcome === 'Pending' || outcome === 'Skipped') ? ' (planned)' : '';
  if (after === undefined) return before === undefined ? '' : replicasText(before);
  if (before === undefined) return `${replicasText(after) || 'none'} (before is not known)`;
  const changed = changedClusters(before, after);
  if (changed.length === 0) return replicasText(after);
  return `${changed.map(({ cluster, from, to }) => `${cluster} ${from}→${to}`).join(', ')}${planned}`;
}

/** Those with the largest change first. Workloads whose placements are only planned, or not known, do not count. */
export function clusterDiffs(workloads: readonly WorkloadDiff[]): readonly ClusterDiff[] {
  const sums = new Map<string, { before: number; after: number }>();
  const add = (placed: PlacedReplicas, side: 'before' | 'after'): void => {
    for (const [cluster, replicas] of Object.entries(placed)) {
      const sum = sums.get(cluster) ?? { before: 0, after: 0 };
      sum[side] += replicas;
      sums.set(cluster, sum);
    }
  };
  for (const { before, after } of workloads.filter(isKnown)) {
    add(before ?? {}, 'before');
    add(after ?? {}, 'after');
  }
  return [...sums]
    .map(([cluster, sum]) => ({ cluster, ...sum }))
    .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.cluster < b.cluster ? -1 : 1));
}

function isKnown({ outcome, before, after, source }: WorkloadDiff): boolean {
  if (before === undefined || after === undefined) return false;
  return source === 'Recorded' || outcome === 'Moved' || outcome === 'Unchanged';
}

function sizeOf({ before, after }: ClusterDiff): number {
  return Math.abs(after - before);
}

const outcomeWords: readonly (readonly [DiffWord, string])[] = [
  ['Unchanged', 'unchanged'],
  ['Pending', 'pending'],
  ['Rescheduled', 'rescheduled without a record'],
  ['Failed', 'failed'],
  ['Skipped', 'skipped'],
];

/** "4 replicas moved in 1 of 3 workloads; 1 unchanged, 1 failed". */
export function diffSummary(workloads: readonly WorkloadDiff[]): string {
  const moved = workloads.filter(({ outcome }) => outcome === 'Moved');
  const replicas = moved.reduce((sum, { moves }) => sum + moves, 0);
  const rest = outcomeWords.flatMap(([outcome, word]) => {
    const count = workloads.filter((each) => each.outcome === outcome).length;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${word}`];
  });
  const of = `${moved.length.toLocaleString('en')} of ${plural(workloads.length, 'workload')}`;
  return [`${plural(replicas, 'replica')} moved in ${of}`, ...(rest.length > 0 ? [rest.join(', ')] : [])].join('; ');
}

function plural(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}
