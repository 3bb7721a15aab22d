/** What is wrong with a whole deployment for a while, in addition to the faults of single effects. The scenario `outages` sets it. */

import type { Clock } from '../../../local/clock.ts';
import type { FunctionName } from '../../../shared/bus/functions.ts';
import { Fault } from '../../../shared/core/fault.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** A call of a function to a store of the table. */
interface RecordedCall {
  readonly at: number;
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export class Adversity {
  /** The function whose clock is off, and how far it is ahead. */
  clockOff: { readonly function: FunctionName; readonly aheadMs: number } | undefined;
  isTableThrottled = false;
  /** While true, nothing of the deployment runs, and no event arrives. */
  isRegionLost = false;
  /** How much longer each event travels. */
  busDelayMs = 0;
  readonly #clock: Clock;
  #calls: RecordedCall[] | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  aheadMs(name: FunctionName): number {
    return this.clockOff?.function === name ? this.clockOff.aheadMs : 0;
  }

  /** Records all calls to the table from now on, so that it can be restored. */
  record(): void {
    this.#calls = [];
  }

  /** Throws while the tables are throttled. */
  assertServed(name: string): void {
    if (this.isTableThrottled) throw new Fault('limited', `${name}: rate exceeded`, { reason: 'ThrottlingException' });
  }

  /** The store for one call; throws while the table is throttled. */
  tableCall<T extends object>(name: string, store: T): T {
    this.assertServed(name);
    const calls = this.#calls;
    if (calls === undefined) return store;
    const recording =
      (method: string) =>
      (...args: readonly unknown[]) => {
        calls.push({ at: this.#clock.now(), store: name, method, args: structuredClone(args) });
        return (store as Record<string, Call>)[method]?.(...args);
      };
    return new Proxy(store, { get: (_, method: string) => recording(method) });
  }

  /** Repeats the calls up to this time on empty stores, which then have the rows of that time; forgets the later ones. */
  replay(until: number, storeOf: (name: string) => object): void {
    this.#calls = (this.#calls ?? []).filter(({ at }) => at <= until);
    for (const { store, method, args } of this.#calls) {
      // A call that failed then fails again.
      void (storeOf(store) as Record<string, Call>)[method]?.(...structuredClone(args)).catch(() => undefined);
    }
  }
}
