/** The budget of requests in flight to one hub, shared by the instances of all functions. */
import { type Instant, SECOND } from '../core/time.ts';

export interface HubBudgets {
  /** Takes `requests` of the `most` that all instances may take in this period; false if fewer are left. */
  take(hub: string, period: Period, requests: number, most: number): Promise<boolean>;
}

/** `most`: requests in flight for the next `forMs`. */
export interface Share {
  readonly most: number;
  readonly forMs: number;
}

export interface Period {
  readonly number: number;
  readonly end: Instant;
}

/** Of two instances that send as much as they may. Others go on slowly. */
const FULL_INSTANCES = 2;
/** Of an instance that gets no share. */
const WITHOUT_SHARE = 1;

/** What an instance took lasts until the period ends, so that nothing has to be returned, also by an instance that crashed. */
const PERIOD_MS = 10 * SECOND;

export function periodAt(now: Instant): Period {
  const number = Math.floor(now / PERIOD_MS);
  return { number, end: (number + 1) * PERIOD_MS };
}

export interface BudgetOptions {
  readonly hub: string;
  readonly budgets: HubBudgets;
  /** Requests in flight of one instance. */
  readonly hubInFlight: number;
  readonly now: () => Instant;
}

/** Takes what one instance may have in flight to the hub until the period ends. */
export async function takeShare({ hub, budgets, hubInFlight, now }: BudgetOptions): Promise<Share> {
  const at = now();
  const period = periodAt(at);
  const isTaken = await budgets.take(hub, period, hubInFlight, FULL_INSTANCES * hubInFlight);
  return { most: isTaken ? hubInFlight : WITHOUT_SHARE, forMs: period.end - at };
}
