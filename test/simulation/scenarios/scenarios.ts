/** All scenarios by name. */
import { elastic } from './elastic/scenario.ts';
import { fleet } from './fleet/scenario.ts';
import { rebalancers } from './rebalancers/scenario.ts';
import type { Scenario } from './scenario.ts';

export const scenarioNames = ['rebalancers', 'fleet', 'elastic'] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/** The scenario with this name. Its acts have its own act type, because only it draws them. */
export function scenarioOf(name: ScenarioName): Scenario {
  const all: Readonly<Record<ScenarioName, unknown>> = { rebalancers, fleet, elastic };
  return all[name] as Scenario;
}
