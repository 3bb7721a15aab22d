import { hubBudgetsContract } from '../../contracts/hub-budgets.contract.ts';
import { MemoryHubBudgets } from './memory-hub-budgets.ts';

hubBudgetsContract('memory', async () => new MemoryHubBudgets());
