/** The range of a history that a page shows: a choice, and its begin. */
import { now } from '../live.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const spans = [
  { ms: HOUR, text: 'Last hour' },
  { ms: DAY, text: 'Last day' },
  { ms: 7 * DAY, text: 'Last 7 days' },
  { ms: 30 * DAY, text: 'Last 30 days' },
];

export interface TimeRangeProps {
  /** Milliseconds. */
  readonly span: number;
  readonly onChange: (span: number) => void;
}

export function TimeRange({ span, onChange }: TimeRangeProps) {
  return (
    <label class="select head-command">
      <span class="sr-only">Time range</span>
      <select value={span} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {spans.map(({ ms, text }) => (
          <option key={ms} value={ms}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** In whole minutes, so that the same query is repeated. */
export function beginOf(span: number): string {
  return new Date(Math.floor((now.value - span) / MINUTE) * MINUTE).toISOString();
}
