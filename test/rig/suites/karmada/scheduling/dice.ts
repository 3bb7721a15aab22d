/** A seeded random number generator, so that a failing case can be repeated. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from `min` to `max`, inclusive. */
  number(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** True with a probability of `chance` percent. */
  percent(chance: number): boolean {
    return this.#next() * 100 < chance;
  }

  one<T>(of: readonly T[]): T {
    return of[this.number(0, of.length - 1)] as T;
  }

  /** A subset in the same order; each element with the same probability. */
  some<T>(of: readonly T[], chance = 50): readonly T[] {
    return of.filter(() => this.percent(chance));
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.number(0, 15).toString(16)).join('');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** A counter with mixed bits (the finalizer of splitmix32). */
  #next(): number {
    let x = (this.#state = (this.#state + 0x9e3779b9) >>> 0);
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  }
}
