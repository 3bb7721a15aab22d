import { afterAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { HubBudgets } from '../../../../shared/kubernetes/hub-budget.ts';
import { hubBudgetsContract } from '../../../contracts/hub-budgets.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable | undefined;
const actions = new RecordedActions<HubBudgets>(tableActions.budgets);

afterAll(async () => {
  await table?.close();
  actions.expectDeclared();
});

hubBudgetsContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startStrictTable();
  return actions.of(table.budgets, table.sent);
});
