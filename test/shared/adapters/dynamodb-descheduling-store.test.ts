import { afterAll } from 'vitest';
import { type RunningTable, startTable } from '../../../local/table.ts';
import { deschedulingStoreContract } from '../../contracts/descheduling-store.contract.ts';

let table: RunningTable | undefined;

afterAll(() => table?.close());

deschedulingStoreContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startTable();
  return table.descheduling;
});
