import { MemoryTaskStore } from '../../../shared/adapters/memory/memory-task-store.ts';
import { taskStoreContract } from '../../contracts/task-store.contract.ts';

taskStoreContract('memory', async () => new MemoryTaskStore());
