import { deschedulingStoreContract } from '../../contracts/descheduling-store.contract.ts';
import { MemoryDeschedulingStore } from './memory-descheduling-store.ts';

deschedulingStoreContract('memory', async () => new MemoryDeschedulingStore());
