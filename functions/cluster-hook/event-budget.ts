/** Limits the event rate of a hub, so that a burst on one hub does not delay the others. */
import type { Instant } from '../../shared/core/time.ts';

/** Burst size in seconds of the rate. */
const BURST_SECONDS = 10;

export interface Spending {
  readonly events: number;
  readonly perSecond: number;
  readonly now: Instant;
}

/**
 * A token bucket that may be overdrawn: a batch passes while any tokens are left, and the next one waits for the debt. With 500 a
 * second a batch of 6,000 passes at once, and the next one has to wait for 2 s. If a batch larger than the bucket were rejected,
 * it would be rejected forever.
 */
export class EventBudget {
  #left: number | undefined;
  #asOf: Instant = 0;

  /** Spends tokens and returns 0, or spends none and returns the milliseconds to wait. */
  spend({ events, perSecond, now }: Spending): number {
    if (events === 0) return 0;
    const most = perSecond * BURST_SECONDS;
    // If the system time goes back, no tokens are added.
    const earned = (Math.max(0, now - this.#asOf) / 1000) * perSecond;
    const left = Math.min(most, (this.#left ?? most) + earned);
    this.#asOf = now;
    this.#left = left > 0 ? left - events : left;
    return left > 0 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
  }
}
