import { externalEventStoreContract } from '../../contracts/external-event-store.contract.ts';
import { MemoryExternalEventStore } from './memory-external-event-store.ts';

externalEventStoreContract('memory', async () => new MemoryExternalEventStore());
