/** Per-hub state of a receiver instance: separate for each hub, so that no hub can exhaust or affect another's. */
import { RecentlyUsed } from '../../shared/core/recently-used.ts';
import { EventBudget } from './event-budget.ts';
import { RecentAudits } from './recent-audits.ts';

export interface HubReceiverState {
  readonly recent: RecentAudits;
  readonly budget: EventBudget;
}

/** 2.5 MB each, in a function of 512 MB. A batch that a hub repeats after it was forgotten is only taken in again. */
const MOST_RECENT = 50;
/** About 100 bytes each. A forgotten budget is a full one. */
const MOST_BUDGETS = 10_000;

export class ReceiverStates {
  readonly #recent = new RecentlyUsed<RecentAudits>({ most: MOST_RECENT });
  readonly #budgets = new RecentlyUsed<EventBudget>({ most: MOST_BUDGETS });

  /** Only for a hub whose caller was let in. */
  of(hub: string): HubReceiverState {
    const recent = this.#recent.get(hub) ?? new RecentAudits();
    const budget = this.#budgets.get(hub) ?? new EventBudget();
    this.#recent.set(hub, recent);
    this.#budgets.set(hub, budget);
    return { recent, budget };
  }
}
