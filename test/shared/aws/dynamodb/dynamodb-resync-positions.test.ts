import { afterAll, beforeAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { ResyncPositions } from '../../../../shared/karmada/resync-position.ts';
import { resyncPositionsContract } from '../../../contracts/resync-positions.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<ResyncPositions>(tableActions.positions);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

resyncPositionsContract('DynamoDB, over the wire to dynalite', async () => actions.of(table.positions, table.sent));
