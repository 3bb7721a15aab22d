import { assignmentStoreContract } from '../../contracts/assignment-store.contract.ts';
import { MemoryAssignmentStore } from './memory-assignment-store.ts';

assignmentStoreContract('memory', async () => new MemoryAssignmentStore());
