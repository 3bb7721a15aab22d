/** Per-hub state of a receiver instance: separate for each hub, so that no hub can exhaust or affect another's. */
import { EventBudget } from './event-budget.ts';
import { RecentAudits } from './recent-audits.ts';

export interface HubReceiverState {
  readonly recent: RecentAudits;
  readonly budget: EventBudget;
}

export class ReceiverStates {
  readonly #byHub = new Map<string, HubReceiverState>();

  /** Only for a hub whose caller was let in: there are as many as are configured. */
  of(hub: string): HubReceiverState {
    const known = this.#byHub.get(hub) ?? { recent: new RecentAudits(), budget: new EventBudget() };
    this.#byHub.set(hub, known);
    return known;
  }
}
