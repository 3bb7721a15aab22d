/** Schedules an event about an object. */
import { scheduleName } from '../core/digest.ts';
import type { Instant } from '../core/time.ts';
import type { EvenkeelEvent } from './event.ts';
import type { OneTimeSchedule } from './one-time-schedule.ts';

/** Replaces the schedule of the same purpose and object. Without `at`, no request is sent. */
export async function writeSchedule(
  schedule: OneTimeSchedule,
  { purpose, at, ...object }: { purpose: string; hub: string; uid: string; at: Instant | undefined },
  event: EvenkeelEvent,
): Promise<void> {
  if (at !== undefined) await schedule.put(scheduleName(purpose, object), at, event);
}
