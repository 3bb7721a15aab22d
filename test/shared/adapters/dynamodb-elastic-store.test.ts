import { afterAll, beforeAll } from 'vitest';
import { elasticStoreContract } from '../../contracts/elastic-store.contract.ts';
import { type StrictTable, startStrictTable } from '../../fakes/strict-table.ts';

let table: StrictTable;
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(() => table.close());

elasticStoreContract('DynamoDB, over the wire to dynalite', async () => table.elastic);
