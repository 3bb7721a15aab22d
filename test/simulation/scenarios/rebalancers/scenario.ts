/** WorkloadRebalancers, and bindings that are scheduled for them and for other reasons. */
import type { SimulatedHub } from '../../system/simulated-hub.ts';
import type { Life, Scenario, ScenarioContext } from '../scenario.ts';
import type { Act } from './acts.ts';
import { BindingsOracle } from './bindings-oracle.ts';
import { drawActs } from './draw-acts.ts';
import { HubLife } from './hub-life.ts';
import { RebalancersOracle } from './rebalancers-oracle.ts';

export const rebalancers: Scenario<Act> = {
  settings: { chunkSize: '2' },
  draw: drawActs,
  begin: ({ hub }, context) => lifeOf(hub, context),
};

/** The life of one hub, with its oracles. `clockOffMs`: how far the clock of a function may be off; a TTL is as exact as it, and triggers do not depend on it. */
export function lifeOf(hub: SimulatedHub, { violations, skewMs }: ScenarioContext, clockOffMs = 0): Life<Act> {
  const life = new HubLife(hub);
  const bindings = new BindingsOracle(hub, life, violations);
  const oracle = new RebalancersOracle(hub, { bindings, violations, skewMs: skewMs + clockOffMs });
  return {
    act: (act) => life.act(act),
    calm: () => life.calm(),
    atRest() {
      oracle.atRest();
      bindings.atRest(skewMs);
    },
  };
}
