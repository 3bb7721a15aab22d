/** Acts on a fleet with budgets of moves: those of a fleet, MoveBudgets, a PodDisruptionBudget, and drains. */
import type { Act as FleetAct } from '../fleet/acts.ts';

export type BudgetName =
  | 'nothing'
  | 'few on the hub'
  | 'few off each cluster'
  | 'two of each workload'
  | 'few in ten minutes'
  | 'no policy, and few'
  | 'nothing this hour';

export type Act =
  | { readonly do: 'budget'; readonly budget: BudgetName }
  | { readonly do: 'delete budget' }
  | { readonly do: 'drain'; readonly member: string }
  | { readonly do: 'end drain'; readonly member: string }
  | FleetAct;
