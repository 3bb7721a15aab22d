/** Calendars of cron expressions with time zones: the last and the next time, and windows that open by one. */
import { Cron } from 'croner';
import { type Instant, SECOND, wholeSecond } from '../core/time.ts';

export interface Calendar {
  readonly cron: string;
  readonly timeZone: string;
}

export interface Window extends Calendar {
  readonly durationMs: number;
}

/** The error, which begins with the field's name; undefined if there is none. */
export function whyNotCron({ cron, timeZone }: Calendar): string | undefined {
  if (!isTimeZone(timeZone))
    return `timeZone is ${JSON.stringify(timeZone)}; write a name of the IANA time zone database, for example Europe/Berlin`;
  try {
    if (new Cron(cron, { paused: true, mode: '5-part' }).nextRun(new Date(0)) !== null) return undefined;
    return `cron is ${JSON.stringify(cron)}, which never comes; write a time that there is`;
  } catch (thrown) {
    const why = (thrown as Error).message.replace(/^CronPattern: /, '');
    return `cron is ${JSON.stringify(cron)} (${why}); write minute, hour, day of month, month and day of week, for example "0 3 * * *"`;
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function cronOf({ cron, timeZone }: Calendar): Cron {
  return new Cron(cron, { paused: true, mode: '5-part', timezone: timeZone });
}

/** The first time after `now`; undefined if there is none. */
export function nextTime(calendar: Calendar, now: Instant): Instant | undefined {
  return cronOf(calendar).nextRun(new Date(now))?.getTime();
}

/** The last time at or before `now`. */
export function lastTime(calendar: Calendar, now: Instant): Instant | undefined {
  // The library's last time is before the moment it is given.
  return cronOf(calendar)
    .previousRuns(1, new Date(wholeSecond(now) + SECOND))[0]
    ?.getTime();
}

/** When an open window closes; undefined if it is not open. */
export function closesAt(window: Window, now: Instant): Instant | undefined {
  const opened = lastTime(window, now);
  return opened !== undefined && now < opened + window.durationMs ? opened + window.durationMs : undefined;
}

/** Now, if a window is open or there are none; otherwise when the first one opens. */
export function opensAt(windows: readonly Window[], now: Instant): Instant {
  if (windows.length === 0 || windows.some((window) => closesAt(window, now) !== undefined)) return now;
  return Math.min(...windows.map((window) => nextTime(window, now) ?? Number.POSITIVE_INFINITY));
}
