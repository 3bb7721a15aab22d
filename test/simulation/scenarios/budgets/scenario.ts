/** A fleet whose movers, the rebalances of users, a policy, the descheduler and drains, share MoveBudgets and a PodDisruptionBudget. */
import { FleetOracle } from '../fleet/fleet-oracle.ts';
import { recordsAtRest } from '../fleet/records-at-rest.ts';
import { fleet } from '../fleet/scenario.ts';
import type { Scenario } from '../scenario.ts';
import type { Act } from './acts.ts';
import { BudgetLife } from './budget-life.ts';
import { BudgetOracle } from './budget-oracle.ts';
import { drawActs } from './draw-acts.ts';

export const budgets: Scenario<Act> = {
  settings: fleet.settings,
  hasBudgets: true,
  draw: drawActs,
  begin(system, { violations, skewMs }) {
    const life = new BudgetLife(system);
    const oracle = new FleetOracle(system, life.life, { violations, skewMs });
    new BudgetOracle(system, life, { violations, skewMs });
    return {
      act: (act) => life.act(act),
      calm: () => life.calm(),
      async atRest() {
        oracle.atRest();
        await recordsAtRest(system, violations);
      },
    };
  },
};
