/** Times: the age or the remaining time, with the UTC time as a tooltip. */
import { ageOf, countdownTo } from '../format.ts';
import { now } from '../live.ts';

export function Age({ time }: { readonly time: string }) {
  return (
    <time class="number" dateTime={time} title={utcOf(time)}>
      {ageOf(time, now.value)}
    </time>
  );
}

export function Countdown({ time }: { readonly time: string }) {
  return (
    <time class="number" dateTime={time} title={utcOf(time)}>
      {countdownTo(time, now.value)}
    </time>
  );
}

/** The local time of day, with the date unless it is today. */
export function Clock({ time }: { readonly time: string }) {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return <span>–</span>;
  const today = at.toDateString() === new Date(now.value).toDateString();
  const text = today
    ? at.toLocaleTimeString()
    : at.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });
  return (
    <time class="number" dateTime={time} title={utcOf(time)}>
      {text}
    </time>
  );
}

function utcOf(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime())
    ? time
    : `${at
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z/, '')} UTC`;
}
