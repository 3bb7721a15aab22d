import { policyStoreContract } from '../../contracts/policy-store.contract.ts';
import { MemoryPolicyStore } from './memory-policy-store.ts';

policyStoreContract('memory', async () => new MemoryPolicyStore());
