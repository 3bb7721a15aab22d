import { afterAll, beforeAll, expect, it } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { MoveLedger } from '../../../../shared/move-budget/move-ledger.ts';
import { at } from '../../../builders.ts';
import { moveLedgerContract } from '../../../contracts/move-ledger.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<MoveLedger>(tableActions.ledger);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

moveLedgerContract('DynamoDB, over the wire to dynalite', async () => actions.of(table.ledger, table.sent));

it('expires with its row, in whole seconds', async () => {
  await table.ledger.save('expiring', [], { before: undefined, expiresAt: at(60) - 400 });
  expect(table.sent.at(-1)?.request.Item).toMatchObject({ expiresAt: { N: String(at(60) / 1000) } });
});
