import { resyncPositionsContract } from '../../contracts/resync-positions.contract.ts';
import { MemoryResyncPositions } from './memory-resync-positions.ts';

resyncPositionsContract('memory', async () => new MemoryResyncPositions());
