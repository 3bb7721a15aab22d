/** A history: all that a run is made of. Played again it comes out the same; cut down it still is one. */
import type { Mishap } from './mishap.ts';
import type { TimedAct } from './scenarios/scenario.ts';
import type { ScenarioName } from './scenarios/scenarios.ts';

export interface History {
  readonly scenario: ScenarioName;
  /** Of the lots for travel times and the like. */
  readonly seed: number;
  readonly acts: readonly TimedAct[];
  /** Undefined: drawn by lot as they come. */
  readonly mishaps?: readonly Mishap[];
}
