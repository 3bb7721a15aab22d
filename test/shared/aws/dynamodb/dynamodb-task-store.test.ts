import { afterAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { TaskStore } from '../../../../shared/workload-rebalancer/task-store.ts';
import { taskStoreContract } from '../../../contracts/task-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable | undefined;
const actions = new RecordedActions<TaskStore>(tableActions.tasks);

afterAll(async () => {
  await table?.close();
  actions.expectDeclared();
});

taskStoreContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startStrictTable();
  return actions.of(table.tasks, table.sent);
});
