/** The values of something over time: a function may act on any that it had while the function ran. */
export class Timeline<T> {
  readonly #values: { readonly since: number; readonly value: T }[] = [];

  set(since: number, value: T): void {
    this.#values.push({ since, value });
  }

  /** The last value, and since when it is. */
  get last(): { readonly since: number; readonly value: T } | undefined {
    return this.#values.at(-1);
  }

  /** All that it had from one moment to another. */
  during(from: number, to: number): readonly T[] {
    return this.#values
      .filter(({ since }, i) => since <= to && (this.#values[i + 1]?.since ?? Number.POSITIVE_INFINITY) >= from)
      .map(({ value }) => value);
  }
}
