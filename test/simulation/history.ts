/** The input of a run. A history is reproducible, and a reduced history is a valid history. */
import type { InjectedFault } from './injected-fault.ts';
import type { TimedAct } from './scenarios/scenario.ts';
import type { ScenarioName } from './scenarios/scenarios.ts';

export interface History {
  readonly scenario: ScenarioName;
  /** The number of hubs in the scenario `hubs`. */
  readonly hubs?: number | undefined;
  /** The seed of the random values, for example of latencies. */
  readonly seed: number;
  readonly acts: readonly TimedAct[];
  /** If undefined, faults are random. */
  readonly faults?: readonly InjectedFault[];
}
