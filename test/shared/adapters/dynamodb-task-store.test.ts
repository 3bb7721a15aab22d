import { afterAll } from 'vitest';
import { taskStoreContract } from '../../contracts/task-store.contract.ts';
import { type StrictTable, startStrictTable } from '../../fakes/strict-table.ts';

let table: StrictTable | undefined;

afterAll(() => table?.close());

taskStoreContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startStrictTable();
  return table.tasks;
});
