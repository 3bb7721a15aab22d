/** A kind of history: what is there, what people and the hub's own parts do, and what must hold. */
import type { parseSettings } from '../../../shared/settings.ts';
import type { Lots } from '../lots.ts';
import type { System } from '../system/system.ts';
import type { Violations } from '../violations.ts';

/** One that no longer makes sense (its object is gone) does nothing. */
export type Act = { readonly do: string } & Readonly<Record<string, unknown>>;

export interface TimedAct<A extends Act = Act> {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly act: A;
}

export interface Scenario<A extends Act = Act> {
  readonly settings: NonNullable<Parameters<typeof parseSettings>[0]>;
  draw(lots: Lots): readonly TimedAct<A>[];
  begin(system: System, context: Around): Life<A>;
}

export interface Around {
  readonly violations: Violations;
  /** How far the clocks of two instances may be apart. */
  readonly skewMs: number;
}

export interface Life<A extends Act = Act> {
  /** Throws the hub's StatusError where it refuses: what people ask for and it refuses is theirs to mend. */
  act(act: A): void;
  /** All of the hub's own that went away or broke is back. */
  calm(): void;
  /** Looks at what must be so once everything had its time, with nothing going wrong any more. */
  atRest(): void | Promise<void>;
}

/** "create r1 [web, api] 5": for people who read a history. */
export function describeAct({ do: what, ...rest }: Act): string {
  const said = Object.values(rest).map((value) => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value)));
  return [what, ...said].join(' ');
}
