/**
 * Decides when a number that stands on a spoke against the limits, or against a newer wish, is put back to the written one. A spoke's
 * agent leaves it alone until the manifest is edited, so it is written anew, with a count of how often.
 */
import { type Instant, SECOND } from '../time.ts';
import type { View } from './sights.ts';

/** Somebody who scales it there time and again, an autoscaler perhaps, is answered half as often each time. */
const FIRST = 30 * SECOND;
const LONGEST = 3600 * SECOND;

/** When the number is to be put back that stands there where `next` is to be; undefined where it may stay. */
export function putBackAt(view: View, next: number, lends: boolean): Instant | undefined {
  const { selected, reachable, deleting, upToDate, written, writtenAt, onSpoke, putBacks = 0 } = view;
  const isOurs = selected && reachable && !deleting && upToDate && written === next;
  if (!isOurs || writtenAt === undefined || onSpoke === undefined || onSpoke === next) return undefined;
  // Fewer are what it manages, where the rest is lent to others.
  if (lends && onSpoke < next) return undefined;
  return writtenAt + Math.min(FIRST * 2 ** Math.min(putBacks, 30), LONGEST);
}
