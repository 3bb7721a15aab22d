/** Lists of kinds that a hub may not serve, or not grant. */
import { expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { hasAny, mayList } from '../../../shared/kubernetes/list-all.ts';
import { moveBudgets } from '../../../shared/move-budget/move-budget.ts';

function hubThat(answers: Fault | readonly object[]): Hub {
  const list = async function* () {
    if (answers instanceof Fault) throw answers;
    if (answers.length > 0) yield answers;
  };
  return { name: 'karmada', list } as unknown as Hub;
}
const fault = (reason: string) => new Fault('terminal', reason, { reason });

it.each([
  ['serves none', hubThat(fault('NotFound')), false, false],
  ['does not grant the right', hubThat(fault('Forbidden')), false, false],
  ['has none of them', hubThat([]), true, false],
  ['has one', hubThat([{}]), true, true],
])('a hub that %s', async (_, hub, listed, any) => {
  expect([await mayList(hub, moveBudgets), await hasAny(hub, moveBudgets)]).toEqual([listed, any]);
});

it('any other error is thrown', async () => {
  await expect(mayList(hubThat(fault('Unauthorized')), moveBudgets)).rejects.toThrow('Unauthorized');
});
