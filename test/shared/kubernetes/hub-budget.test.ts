import { expect, it } from 'vitest';
import { periodAt, takeShare } from '../../../shared/kubernetes/hub-budget.ts';
import { MemoryHubBudgets } from '../../fakes/stores/memory-hub-budgets.ts';

it('the periods of a budget have ten seconds, and end where the next begins', () => {
  expect([periodAt(0), periodAt(9999), periodAt(10_000)]).toEqual([
    { number: 0, end: 10_000 },
    { number: 0, end: 10_000 },
    { number: 1, end: 20_000 },
  ]);
});

it('two instances have all of their requests in flight until the period ends, and the others one each', async () => {
  const budgets = new MemoryHubBudgets();
  let now = 3000;
  const take = () => takeShare({ hub: 'karmada', budgets, hubInFlight: 16, now: () => now });
  expect([await take(), await take(), await take()]).toEqual([
    { most: 16, forMs: 7000 },
    { most: 16, forMs: 7000 },
    { most: 1, forMs: 7000 },
  ]);
  now = 10_000;
  expect(await take()).toEqual({ most: 16, forMs: 10_000 });
});
