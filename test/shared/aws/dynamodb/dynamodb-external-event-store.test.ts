import { afterAll, beforeAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { ExternalEventStore } from '../../../../shared/external-events/external-event-store.ts';
import { externalEventStoreContract } from '../../../contracts/external-event-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<ExternalEventStore>(tableActions.externalEvents);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

externalEventStoreContract('DynamoDB, over the wire to dynalite', async () =>
  actions.of(table.externalEvents, table.sent),
);
