/** WorkloadRebalancers, and bindings that are scheduled for them and for other reasons. */
import type { Scenario } from '../scenario.ts';
import type { Act } from './acts.ts';
import { BindingsOracle } from './bindings-oracle.ts';
import { drawActs } from './draw-acts.ts';
import { HubLife } from './hub-life.ts';
import { RebalancersOracle } from './rebalancers-oracle.ts';

export const rebalancers: Scenario<Act> = {
  settings: { chunkSize: '2' },
  draw: drawActs,
  begin(system, { violations, skewMs }) {
    const life = new HubLife(system);
    const bindings = new BindingsOracle(system, life, violations);
    const oracle = new RebalancersOracle(system, { bindings, violations, skewMs });
    return {
      act: (act) => life.act(act),
      calm: () => life.calm(),
      atRest() {
        oracle.atRest();
        bindings.atRest(skewMs);
      },
    };
  },
};
