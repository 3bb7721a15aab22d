/** What an instance of a receiver remembers of each hub: each its own, so that no hub can use up or hide what is another's. */
import { EventBudget } from './event-budget.ts';
import { RecentAudits } from './recent-audits.ts';

export interface HubMemory {
  readonly recent: RecentAudits;
  readonly budget: EventBudget;
}

export class HubMemories {
  readonly #byHub = new Map<string, HubMemory>();

  /** Only for a hub whose caller was let in: there are as many as are configured. */
  of(hub: string): HubMemory {
    const known = this.#byHub.get(hub) ?? { recent: new RecentAudits(), budget: new EventBudget() };
    this.#byHub.set(hub, known);
    return known;
  }
}
