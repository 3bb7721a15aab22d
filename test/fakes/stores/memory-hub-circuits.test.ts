import { hubCircuitsContract } from '../../contracts/hub-circuits.contract.ts';
import { MemoryHubCircuits } from './memory-hub-circuits.ts';

hubCircuitsContract('memory', async () => new MemoryHubCircuits());
