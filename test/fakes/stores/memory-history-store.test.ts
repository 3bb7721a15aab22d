import { historyStoreContract } from '../../contracts/history-store.contract.ts';
import { MemoryHistoryStore } from './memory-history-store.ts';

historyStoreContract('memory', async () => new MemoryHistoryStore());
