/**
 * Decides when a number that stands on a spoke against the limits, or against a newer wish, is put back to the written one. A spoke's
 * agent leaves it alone until the manifest is edited, so it is written anew, with a count of how often.
 */
import { type Instant, SECOND } from '../time.ts';
import type { View } from './sights.ts';

/** Somebody who scales it there time and again, an autoscaler perhaps, is answered half as often each time. */
const FIRST = 30 * SECOND;
const LONGEST = 3600 * SECOND;

export interface PutBacks {
  /** Where it is put back now. */
  readonly putBack: ReadonlySet<string>;
  /** When the next is; infinite where none is. */
  readonly later: Instant;
}

/** `next` is the number that each cluster is to have; `lends` tells whether others take over what one does not manage. */
export function putBacks(
  views: readonly View[],
  next: ReadonlyMap<string, number>,
  { lends, now }: { readonly lends: boolean; readonly now: Instant },
): PutBacks {
  const times = views.flatMap((view): [string, Instant][] => {
    const at = putBackAt(view, next.get(view.cluster) ?? 0, lends);
    return at === undefined ? [] : [[view.cluster, at]];
  });
  return {
    putBack: new Set(times.filter(([, at]) => at <= now).map(([cluster]) => cluster)),
    later: Math.min(...times.map(([, at]) => (at <= now ? Number.POSITIVE_INFINITY : at))),
  };
}

/** Undefined where what stands there may stay. */
function putBackAt(view: View, next: number, lends: boolean): Instant | undefined {
  const { selected, reachable, deleting, upToDate, written, writtenAt, onSpoke, contested, putBacks = 0 } = view;
  const isOurs = selected && reachable && !deleting && upToDate && written === next;
  if (!isOurs || writtenAt === undefined || onSpoke === undefined || onSpoke === next) return undefined;
  // Fewer are what it manages, where the rest is lent to others.
  if (lends && onSpoke < next && !contested) return undefined;
  return writtenAt + Math.min(FIRST * 2 ** Math.min(putBacks, 30), LONGEST);
}
