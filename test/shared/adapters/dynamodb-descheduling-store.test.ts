import { afterAll } from 'vitest';
import { deschedulingStoreContract } from '../../contracts/descheduling-store.contract.ts';
import { type StrictTable, startStrictTable } from '../../fakes/strict-table.ts';

let table: StrictTable | undefined;

afterAll(() => table?.close());

deschedulingStoreContract('DynamoDB, over the wire to dynalite', async () => {
  table = await startStrictTable();
  return table.descheduling;
});
