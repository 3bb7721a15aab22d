import { taskStoreContract } from '../../contracts/task-store.contract.ts';
import { MemoryTaskStore } from './memory-task-store.ts';

taskStoreContract('memory', async () => new MemoryTaskStore());
