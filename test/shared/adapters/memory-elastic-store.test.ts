import { MemoryElasticStore } from '../../../shared/adapters/memory/memory-elastic-store.ts';
import { elasticStoreContract } from '../../contracts/elastic-store.contract.ts';

elasticStoreContract('memory', async () => new MemoryElasticStore());
