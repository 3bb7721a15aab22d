import { afterAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { DeschedulingStore } from '../../../../shared/descheduling/descheduling-store.ts';
import { deschedulingStoreContract } from '../../../contracts/descheduling-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable | undefined;
const actions = new RecordedActions<DeschedulingStore>(tableActions.descheduling);

afterAll(async () => {
  await table?.close();
  actions.expectDeclared();
});

deschedulingStoreContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startStrictTable();
  return actions.of(table.descheduling, table.sent);
});
