import { afterAll } from 'vitest';
import { type RunningTable, startTable } from '../../../local/table.ts';
import { taskStoreContract } from '../../contracts/task-store.contract.ts';

let table: RunningTable | undefined;

afterAll(() => table?.close());

taskStoreContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startTable();
  return table.tasks;
});
