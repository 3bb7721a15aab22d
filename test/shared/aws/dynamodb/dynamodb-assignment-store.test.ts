import { afterAll, beforeAll, expect, it } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { AssignmentStore } from '../../../../shared/karmada/assignment/recent-assignments.ts';
import { at } from '../../../builders.ts';
import { assignmentStoreContract } from '../../../contracts/assignment-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<AssignmentStore>(tableActions.assignments);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

assignmentStoreContract('DynamoDB, over the wire to dynalite', async () => actions.of(table.assignments, table.sent));

it('expires with its row, in whole seconds', async () => {
  await table.assignments.save('expiring', [], { before: undefined, expiresAt: at(60) - 400 });
  expect(table.sent.at(-1)?.request.Item).toMatchObject({ expiresAt: { N: String(at(60) / 1000) } });
});
