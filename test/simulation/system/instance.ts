/**
 * An instance of a function, as Lambda runs it: it handles one delivery at a time, keeps its memory between deliveries, and may crash in
 * the middle of one. Each of its calls to other systems is an effect: it has latency in both directions, and may have a fault.
 */
import type { Clock } from '../../../local/clock.ts';
import type { FaultInjector } from '../fault-injector.ts';
import type { FaultKind } from '../injected-fault.ts';
import type { RandomValues } from '../random-values.ts';

export interface InstanceContext {
  readonly clock: Clock;
  readonly random: RandomValues;
  readonly injector: FaultInjector;
}

/** The maximum latency of a request or a response; most are far shorter. */
const TRAVEL_MS = 120;
const SLOW_MS = 8000;

export class Instance {
  readonly #context: InstanceContext;
  /** The difference between its clock and that of the hub. */
  readonly #skewMs: () => number;
  #delivery = '';
  readonly #effects = new Map<string, number>();
  #die: (() => void) | undefined;
  #dead = false;

  constructor(context: InstanceContext, skewMs: () => number) {
    this.#context = context;
    this.#skewMs = skewMs;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  now(): number {
    return this.#context.clock.now() + this.#skewMs();
  }

  /** Runs one delivery; rejects if the instance crashes or the timeout ends. */
  async deliver<T>(name: string, timeoutMs: number, handle: () => Promise<T>): Promise<T> {
    this.#delivery = name;
    this.#effects.clear();
    const death = new Promise<never>((_, reject) => {
      this.#die = () => reject(new Error(`${name} died`));
    });
    const cancel = this.#context.clock.after(timeoutMs, () => void this.crash());
    try {
      return await Promise.race([handle(), death]);
    } finally {
      cancel();
    }
  }

  /** Calls `act` with the fault if it is one of `may`; crashes and slowness are simulated here. */
  async effect<T>(
    what: string,
    may: readonly FaultKind[],
    act: (injected: FaultKind | undefined, name: string) => T | Promise<T>,
  ): Promise<T> {
    const name = this.#nameOf(what);
    const { injector, random } = this.#context;
    const injected = injector.at(name, [...may, 'crash before', 'crash after', 'slow']);
    const travel = (way: string) => random.of(`${way} ${name}`) ** 3 * TRAVEL_MS;
    await this.wait(travel('there'));
    if (injected === 'crash before') return this.crash();
    const given = await this.#settled(() => act(injected, name));
    await this.wait(travel('back') + (injected === 'slow' ? random.of(`slow ${name}`) * SLOW_MS : 0));
    if (injected === 'crash after') return this.crash();
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

  /** Never resolves in a crashed instance. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#context.clock.after(ms, resolve));
    if (this.#dead) await new Promise(() => {});
  }

  /** Never resolves. */
  crash(): Promise<never> {
    this.#dead = true;
    this.#die?.();
    return new Promise(() => {});
  }
}
