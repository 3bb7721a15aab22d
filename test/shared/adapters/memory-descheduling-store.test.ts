import { MemoryDeschedulingStore } from '../../../shared/adapters/memory/memory-descheduling-store.ts';
import { deschedulingStoreContract } from '../../contracts/descheduling-store.contract.ts';

deschedulingStoreContract('memory', async () => new MemoryDeschedulingStore());
