/**
 * Drift correction: decides when a number on a managed cluster that violates the limits, or an edited strategy, is reset to the written one.
 * The agent ignores the number until the manifest is edited, so the manifest is rewritten with a counter.
 */
import { type Instant, SECOND } from '../core/time.ts';
import type { View } from './observe-placement.ts';

/** If a client, for example an autoscaler, keeps scaling it there, the interval doubles each time. */
const FIRST = 30 * SECOND;
const LONGEST = 3600 * SECOND;

export interface PutBacks {
  /** Clusters to reset now. */
  readonly putBack: ReadonlySet<string>;
  /** The time of the next reset; infinite if there is none. */
  readonly later: Instant;
}

/** `next` is the desired number of each cluster; `borrows`: whether other clusters borrow missing replicas. */
export function putBacks(
  views: readonly View[],
  next: ReadonlyMap<string, number>,
  { borrows, now }: { readonly borrows: boolean; readonly now: Instant },
): PutBacks {
  const times = views.flatMap((view): [string, Instant][] => {
    const at = putBackAt(view, next.get(view.cluster) ?? 0, borrows);
    return at === undefined ? [] : [[view.cluster, at]];
  });
  return {
    putBack: new Set(times.filter(([, at]) => at <= now).map(([cluster]) => cluster)),
    later: Math.min(...times.map(([, at]) => (at <= now ? Number.POSITIVE_INFINITY : at))),
  };
}

/** Undefined if no reset is needed. */
function putBackAt(view: View, next: number, borrows: boolean): Instant | undefined {
  const {
    selected,
    reachable,
    deleting,
    upToDate,
    written,
    writtenAt,
    replicasOnCluster,
    contested,
    putBacks = 0,
  } = view;
  const isOurs = selected && reachable && !deleting && upToDate && written === next;
  if (!isOurs || writtenAt === undefined || replicasOnCluster === undefined || replicasOnCluster === next)
    return undefined;
  // Fewer replicas are the cluster's capacity; other clusters borrow the rest.
  if (borrows && replicasOnCluster < next && !contested) return undefined;
  return writtenAt + Math.min(FIRST * 2 ** Math.min(putBacks, 30), LONGEST);
}
