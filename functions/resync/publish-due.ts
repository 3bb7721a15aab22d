/** Decides which recurring events of which hubs are due, and which hubs were not compared with their tasks in time. */
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { type HubSchedule, hubSchedules, type Rates, resyncSchedule } from '../../shared/bus/schedules.ts';
import { fnv1a } from '../../shared/core/fnv1a.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { isSilent } from '../../shared/kubernetes/hub-reach.ts';
import type { HubRecord } from '../../shared/kubernetes/hub-registry.ts';

type ScheduledHub = Pick<HubRecord, 'name' | 'state' | 'pause' | 'hasEstimator'>;

export interface PublishWindow {
  readonly hubs: readonly ScheduledHub[];
  /** Until when all events are published; undefined before the first: then every event is due. */
  readonly after: Instant | undefined;
  readonly until: Instant;
  readonly rates: Rates;
}

/** The events of the window (after, until]: at most one for a hub and kind, also if the window has several of its intervals. */
export function dueEvents(window: PublishWindow): readonly EvenkeelEvent[] {
  return hubSchedules.flatMap((schedule) => hubsDue(schedule, window).map(({ name }) => schedule.event(name)));
}

/** Another invocation may have published until a later time. */
export function isPublished(after: Instant | undefined, until: Instant): boolean {
  return after !== undefined && until <= after;
}

/** The hubs whose comparison is due again in this window; before the first window no comparison was due. */
export function hubsToCompare(window: PublishWindow): readonly string[] {
  if (window.after === undefined) return [];
  return hubsDue(resyncSchedule, window).map(({ name }) => name);
}

interface ComparedHub {
  readonly hub: string;
  /** Undefined if it never was. */
  readonly comparedAt: Instant | undefined;
}

/** The hubs that were not compared in time, at the beginning of the window. */
export function silentHubs(compared: readonly ComparedHub[], { after: now, rates }: PublishWindow): readonly string[] {
  if (now === undefined) return [];
  const { resyncMinutes } = rates;
  return compared.flatMap(({ hub, comparedAt }) => (isSilent({ comparedAt, resyncMinutes, now }) ? [hub] : []));
}

function hubsDue(schedule: HubSchedule, { hubs, after, until, rates }: PublishWindow): readonly ScheduledHub[] {
  const interval = schedule.minutes(rates) * 60 * SECOND;
  const earlier = after ?? Number.NEGATIVE_INFINITY;
  return hubs.filter((hub) => {
    const { name, state, pause } = hub;
    if (schedule.isFor?.(hub) === false) return false;
    if (state !== 'Active' || (pause !== undefined && schedule.whilePaused !== true)) return false;
    return lastOccurrence(offsetOf(name, schedule, interval), interval, until) > earlier;
  });
}

/** A hub and kind has its own place in the interval, so that a thousand hubs are spread over it and not due at once. */
function offsetOf(hub: string, { publishes }: HubSchedule, interval: number): number {
  return fnv1a(`${hub} ${publishes}`) % interval;
}

/** The last of the instants offset + k × interval that is not after `until`. */
function lastOccurrence(offset: number, interval: number, until: Instant): Instant {
  return until - ((((until - offset) % interval) + interval) % interval);
}
