/** Rebalancers, and one disaster in each history. All promises of rebalancers hold afterwards, except those that the disaster weakens. */
import { lifeOf, rebalancers } from '../rebalancers/scenario.ts';
import type { Scenario } from '../scenario.ts';
import type { Act } from './acts.ts';
import { type Disaster, disasterOf, disasters } from './disasters.ts';
import { drawActs } from './draw-acts.ts';
import { OutagesLife } from './outages-life.ts';

export const outages: Scenario<Act> = {
  settings: rebalancers.settings,
  draw: drawActs,
  begin(system, context) {
    const disaster = disasterOf(system.random);
    const { clockOffMs }: Disaster = disasters[disaster];
    return new OutagesLife(system, lifeOf(system.hub, context, clockOffMs), {
      disaster,
      violations: context.violations,
    });
  },
};
