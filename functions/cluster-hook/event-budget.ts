/** Decides how many events a hub may have said for it in a while, so that one hub's storm is not another's delay. */
import type { Instant } from '../../shared/model/time.ts';

/** A hub may say this many seconds' worth at once. */
const BURST_SECONDS = 10;

export interface Spending {
  readonly events: number;
  readonly perSecond: number;
  readonly now: Instant;
}

/**
 * A token bucket that may be overdrawn: a batch goes through while anything is left, and the next one waits for the debt. With 500 a
 * second a batch of 6,000 goes through at once, and the one after it is asked to wait for 2 s; were it refused for being more
 * than the bucket holds, it would be refused for ever.
 */
export class EventBudget {
  #left: number | undefined;
  #asOf: Instant = 0;

  /** Spends and gives 0, or spends nothing and gives the milliseconds to wait. */
  spend({ events, perSecond, now }: Spending): number {
    if (events === 0) return 0;
    const most = perSecond * BURST_SECONDS;
    // A clock that goes back earns nothing.
    const earned = (Math.max(0, now - this.#asOf) / 1000) * perSecond;
    const left = Math.min(most, (this.#left ?? most) + earned);
    this.#asOf = now;
    this.#left = left > 0 ? left - events : left;
    return left > 0 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
  }
}
