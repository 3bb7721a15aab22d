/** All scenarios by name. */
import { budgets } from './budgets/scenario.ts';
import { elastic } from './elastic/scenario.ts';
import { externalEvents } from './external-events/scenario.ts';
import { fleet } from './fleet/scenario.ts';
import { manyHubs } from './hubs/scenario.ts';
import { outages } from './outages/scenario.ts';
import { rebalancers } from './rebalancers/scenario.ts';
import type { Scenario } from './scenario.ts';

/** Those of a random history. */
export const scenarioNames = ['rebalancers', 'fleet', 'elastic', 'budgets', 'external-events'] as const;

/** Those of `--scenario`. Histories of `outages` are not random, so that a seed keeps its history. */
export const namedScenarios = [...scenarioNames, 'outages'] as const;

export type ScenarioName = (typeof namedScenarios)[number] | 'hubs';

/** Hubs of a history of the scenario `hubs` by default. */
const FEW_HUBS = 20;

/** The scenario with this name. Its acts have its own act type, because only it draws them. */
export function scenarioOf(name: ScenarioName, count = FEW_HUBS): Scenario {
  const all: Readonly<Record<ScenarioName, unknown>> = {
    rebalancers,
    fleet,
    elastic,
    budgets,
    'external-events': externalEvents,
    outages,
    hubs: manyHubs(count),
  };
  return all[name] as Scenario;
}
