import { afterAll, beforeAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { ElasticStore } from '../../../../shared/elastic-workload/elastic-store.ts';
import { elasticStoreContract } from '../../../contracts/elastic-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<ElasticStore>(tableActions.elastic);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

elasticStoreContract('DynamoDB, over the wire to dynalite', async () => actions.of(table.elastic, table.sent));
