import { afterAll, beforeAll } from 'vitest';
import { type RunningTable, startTable } from '../../../local/table.ts';
import { elasticStoreContract } from '../../contracts/elastic-store.contract.ts';

let table: RunningTable;
beforeAll(async () => {
  table = await startTable();
});
afterAll(() => table.close());

elasticStoreContract('DynamoDB, over the wire to dynalite', async () => table.elastic);
