/** How far a hub's clock is from ours, by the Date header of a response. */
import { type Instant, SECOND } from '../core/time.ts';

/** A response of a hub, with our clock before and after it. */
export interface TimedResponse {
  readonly sent: Instant;
  readonly received: Instant;
  /** The hub's time in whole seconds: up to a second is truncated. */
  readonly serverTime: Instant | undefined;
}

/** How far the hub's clock is ahead of ours at least, in ms: negative if it is behind, 0 within the time that the request took. */
export function clockDifference({ sent, received, serverTime }: TimedResponse): number | undefined {
  if (serverTime === undefined) return undefined;
  const behind = Math.max(0, sent - (serverTime + SECOND));
  return behind > 0 ? -behind : Math.max(0, serverTime - received);
}
