import { elasticStoreContract } from '../../contracts/elastic-store.contract.ts';
import { MemoryElasticStore } from './memory-elastic-store.ts';

elasticStoreContract('memory', async () => new MemoryElasticStore());
