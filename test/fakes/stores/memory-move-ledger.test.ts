import { moveLedgerContract } from '../../contracts/move-ledger.contract.ts';
import { MemoryMoveLedger } from './memory-move-ledger.ts';

moveLedgerContract('memory', async () => new MemoryMoveLedger());
