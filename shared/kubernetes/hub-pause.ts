/** A pause of a hub: while it lasts, Evenkeel writes nothing there. */
import { Fault } from '../core/fault.ts';
import { type Instant, toTimestamp } from '../core/time.ts';

export interface Pause {
  readonly since: Instant;
  /** The reason that the user gave. */
  readonly reason: string;
  /** The user who paused it (subjectText); absent for pauses of versions that did not record it. */
  readonly by?: string | undefined;
}

const REASON = 'HubPaused';

/** The error for writes on a paused hub. */
export function hubPaused(hub: string, { since, reason, by }: Pause): Fault {
  const why = reason === '' ? '' : ` (${reason})`;
  const message = `hub ${hub} has been paused since ${toTimestamp(since)}${by === undefined ? '' : ` by ${by}`}${why}; resume it first`;
  return new Fault('retryable', message, { reason: REASON });
}

export function isHubPaused({ reason }: Fault): boolean {
  return reason === REASON;
}
