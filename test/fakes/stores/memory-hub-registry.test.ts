import { hubRegistryContract } from '../../contracts/hub-registry.contract.ts';
import { MemoryHubRegistry } from './memory-hub-registry.ts';

hubRegistryContract('memory', async () => new MemoryHubRegistry());
