import { afterAll, beforeAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { HistoryStore } from '../../../../shared/placement-history/history-store.ts';
import { historyStoreContract } from '../../../contracts/history-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<HistoryStore>(tableActions.history);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

historyStoreContract('DynamoDB, over the wire to dynalite', async () => actions.of(table.history, table.sent));
