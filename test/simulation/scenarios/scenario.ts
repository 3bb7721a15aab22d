/** A scenario: its objects, the acts of users and of the hub's components, and its oracles. */
import type { parseSettings } from '../../../shared/core/settings.ts';
import type { RandomValues } from '../random-values.ts';
import type { System } from '../system/system.ts';
import type { Violations } from '../violations.ts';
import type { FairnessFigures } from './hubs/fairness-oracle.ts';

/** An act whose object is gone does nothing. */
export type Act = { readonly do: string } & Readonly<Record<string, unknown>>;

export interface TimedAct<A extends Act = Act> {
  /** Milliseconds after the start. */
  readonly at: number;
  readonly act: A;
}

export interface Scenario<A extends Act = Act> {
  readonly settings: NonNullable<Parameters<typeof parseSettings>[0]>;
  /** Names of the registered hubs; one hub if undefined. */
  readonly hubs?: readonly [string, ...string[]];
  /** Whether the hub is registered with budgets of moves. */
  readonly hasBudgets?: true;
  /** If events last, or arrive, so much later that the usual time without faults is too short for what follows them. */
  readonly calmMs?: number;
  draw(random: RandomValues): readonly TimedAct<A>[];
  begin(system: System, context: ScenarioContext): Life<A>;
}

export interface ScenarioContext {
  readonly violations: Violations;
  /** The maximum difference between the clocks of two instances. */
  readonly skewMs: number;
}

export interface Life<A extends Act = Act> {
  /** Throws the StatusError of the hub for a rejected request; such acts are ignored. */
  act(act: A): void;
  /** Ends all outages of the hub and its clusters. */
  calm(): void;
  /** Checks the final state, after a period without faults. */
  atRest(): void | Promise<void>;
  /** The waits of hubs, if there are several. */
  readonly figures?: FairnessFigures;
}

/** "create r1 [web, api] 5", for reports. */
export function describeAct({ do: what, ...rest }: Act): string {
  const values = Object.values(rest).map((value) => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value)));
  return [what, ...values].join(' ');
}
