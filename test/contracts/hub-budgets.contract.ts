/** Requirements of every store of hubs' budgets. Run in memory and on DynamoDB's wire protocol. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type HubBudgets, periodAt } from '../../shared/kubernetes/hub-budget.ts';

const period = periodAt(Date.parse('2026-11-24T12:00:00Z'));
const next = periodAt(period.end);

export function hubBudgetsContract(name: string, open: () => Promise<HubBudgets>): void {
  describe(`budgets of hubs: ${name}`, () => {
    let budgets: HubBudgets;
    beforeAll(async () => {
      budgets = await open();
    });

    it('gives each instance all that it asks for, or nothing', async () => {
      const given = [];
      for (const requests of [12, 12, 12, 8, 1]) given.push(await budgets.take('one', period, requests, 32));
      expect(given).toEqual([true, true, false, true, false]);
    });

    it('gives the first instance what it asks for, also if that is more than there is', async () => {
      expect([await budgets.take('small', period, 12, 8), await budgets.take('small', period, 1, 8)]).toEqual([
        true,
        false,
      ]);
    });

    it('begins anew in each period, and for each hub', async () => {
      await budgets.take('two', period, 32, 32);
      expect([
        await budgets.take('two', period, 1, 32),
        await budgets.take('two', next, 1, 32),
        await budgets.take('three', period, 1, 32),
      ]).toEqual([false, true, true]);
    });

    it('is never exceeded by a hundred instances that ask at once', async () => {
      const given = await Promise.all(Array.from({ length: 100 }, () => budgets.take('crowd', period, 12, 32)));
      expect(given.filter(Boolean)).toHaveLength(2);
    });
  });
}
