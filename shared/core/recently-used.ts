/** A map that keeps its most recently used entries, so that an instance that serves many hubs has bounded state. */

export interface RecentlyUsedOptions<V> {
  readonly most: number;
  /** Entries that are in use stay, even beyond `most`, until they are idle. All are idle by default. */
  readonly isIdle?: (value: V) => boolean;
  /** Called for each value that is no longer kept. */
  readonly drop?: (value: V) => void;
}

export class RecentlyUsed<V> {
  readonly #kept = new Map<string, V>();
  readonly #options: Required<RecentlyUsedOptions<V>>;
  #replaced: V[] = [];

  constructor({ most, isIdle = () => true, drop = () => undefined }: RecentlyUsedOptions<V>) {
    this.#options = { most, isIdle, drop };
  }

  get(key: string): V | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  /** A replaced value is dropped as soon as it is idle. */
  set(key: string, value: V): void {
    this.delete(key, value);
    this.#kept.set(key, value);
    this.#sweep(value);
  }

  /** Drops the value of the key, unless it is `except`. */
  delete(key: string, except?: V): void {
    const value = this.#kept.get(key);
    this.#kept.delete(key);
    if (value !== undefined && value !== except) this.#replaced.push(value);
    this.#sweep(undefined);
  }

  clear(): void {
    for (const key of [...this.#kept.keys()]) this.delete(key);
  }

  #sweep(added: V | undefined): void {
    const { most, isIdle, drop } = this.#options;
    const idle = this.#replaced.filter((value) => isIdle(value));
    this.#replaced = this.#replaced.filter((value) => !idle.includes(value));
    for (const [key, value] of this.#kept) {
      if (this.#kept.size <= most) break;
      if (value === added || !isIdle(value)) continue;
      this.#kept.delete(key);
      idle.push(value);
    }
    for (const value of idle) drop(value);
  }
}
