/**
 * An instance of a function, as Lambda runs it: it handles one delivery at a time, keeps its memory between them, and may die in the
 * middle of one. Everything it does to the world is an effect: it takes time on the way there and back, and something may befall it.
 */
import type { Clock } from '../../../local/clock.ts';
import type { Fate } from '../fate.ts';
import type { Lots } from '../lots.ts';
import type { MishapKind } from '../mishap.ts';

export interface Around {
  readonly clock: Clock;
  readonly lots: Lots;
  readonly fate: Fate;
}

/** Of the way there, and of the way back: up to so much, mostly far less. */
const TRAVEL_MS = 120;
const SLOW_MS = 8000;

export class Instance {
  readonly #context: Around;
  /** How far its clock is from the hub's. */
  readonly skewMs: number;
  #delivery = '';
  readonly #effects = new Map<string, number>();
  #die: (() => void) | undefined;
  #dead = false;

  constructor(context: Around, skewMs: number) {
    this.#context = context;
    this.skewMs = skewMs;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  now(): number {
    return this.#context.clock.now() + this.skewMs;
  }

  /** Runs one delivery; rejects where the instance dies in it, as it does when its time is over. */
  async deliver<T>(name: string, timeoutMs: number, handle: () => Promise<T>): Promise<T> {
    this.#delivery = name;
    this.#effects.clear();
    const death = new Promise<never>((_, reject) => {
      this.#die = () => reject(new Error(`${name} died`));
    });
    const cancel = this.#context.clock.after(timeoutMs, () => void this.#crash());
    try {
      return await Promise.race([handle(), death]);
    } finally {
      cancel();
    }
  }

  /** `act` is told what befell, of those kinds that are its own to play; deaths and slowness are played here. */
  async effect<T>(
    what: string,
    may: readonly MishapKind[],
    act: (mishap: MishapKind | undefined, name: string) => T | Promise<T>,
  ): Promise<T> {
    const name = this.#nameOf(what);
    const { fate, lots } = this.#context;
    const mishap = fate.at(name, [...may, 'crash before', 'crash after', 'slow']);
    const travel = (way: string) => lots.of(`${way} ${name}`) ** 3 * TRAVEL_MS;
    await this.wait(travel('there'));
    if (mishap === 'crash before') return this.#crash();
    const given = await this.#settled(() => act(mishap, name));
    await this.wait(travel('back') + (mishap === 'slow' ? lots.of(`slow ${name}`) * SLOW_MS : 0));
    if (mishap === 'crash after') return this.#crash();
    if ('thrown' in given) throw given.thrown;
    return given.value;
  }

  async #settled<T>(act: () => T | Promise<T>): Promise<{ value: T } | { thrown: unknown }> {
    try {
      return { value: await act() };
    } catch (thrown) {
      return { thrown };
    }
  }

  #nameOf(what: string): string {
    const base = `${this.#delivery} ${what}`;
    const turn = (this.#effects.get(base) ?? 0) + 1;
    this.#effects.set(base, turn);
    return `${base} ${turn}`;
  }

  /** A dead instance never goes on. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#context.clock.after(ms, resolve));
    if (this.#dead) await new Promise(() => {});
  }

  #crash(): Promise<never> {
    this.#dead = true;
    this.#die?.();
    return new Promise(() => {});
  }
}
