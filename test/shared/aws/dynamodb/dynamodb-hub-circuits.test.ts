import { afterAll } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { HubCircuits } from '../../../../shared/kubernetes/hub-circuit.ts';
import { hubCircuitsContract } from '../../../contracts/hub-circuits.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable | undefined;
const actions = new RecordedActions<HubCircuits>(tableActions.circuits);

afterAll(async () => {
  await table?.close();
  actions.expectDeclared();
});

hubCircuitsContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startStrictTable();
  return actions.of(table.circuits, table.sent);
});
