import { MemoryPolicyStore } from '../../../shared/adapters/memory/memory-policy-store.ts';
import { policyStoreContract } from '../../contracts/policy-store.contract.ts';

policyStoreContract('memory', async () => new MemoryPolicyStore());
