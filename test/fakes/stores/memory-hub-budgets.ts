/** The budgets of requests to hubs in memory; the same contract as on DynamoDB. */
import type { HubBudgets, Period } from '../../../shared/kubernetes/hub-budget.ts';

export class MemoryHubBudgets implements HubBudgets {
  readonly #taken = new Map<string, number>();

  async take(hub: string, { number }: Period, requests: number, most: number): Promise<boolean> {
    const key = `${hub} ${number}`;
    const taken = this.#taken.get(key) ?? 0;
    if (taken > 0 && taken > most - requests) return false;
    this.#taken.set(key, taken + requests);
    return true;
  }
}
