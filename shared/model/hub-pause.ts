/** A pause of a hub: while it lasts, Evenkeel writes nothing there. */
import { Fault } from './fault.ts';
import { type Instant, toTimestamp } from './time.ts';

export interface Pause {
  readonly since: Instant;
  /** In the words of whoever paused it. */
  readonly reason: string;
}

const REASON = 'HubPaused';

/** What whoever would write on the hub is told. */
export function hubPaused(hub: string, { since, reason }: Pause): Fault {
  const why = reason === '' ? '' : ` (${reason})`;
  const message = `hub ${hub} has been paused since ${toTimestamp(since)}${why}; resume it first`;
  return new Fault('retryable', message, { reason: REASON });
}

export function isHubPaused({ reason }: Fault): boolean {
  return reason === REASON;
}
