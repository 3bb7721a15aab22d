/** Keys of one hub's recently received audit events, so that a repeated batch costs nothing. */

/** About 250 bytes each: two generations of them are 2.5 MB a hub. */
const GENERATION = 5000;
const MAX_KEY = 600;

/**
 * A set in two generations: when the younger is full the older is forgotten, so that at least the last 5,000 are known and never
 * more than 10,000 are held. What was forgotten is only done again: an event is a hint.
 */
export class RecentAudits {
  #young = new Set<string>();
  #old: ReadonlySet<string> = new Set();

  has(key: string): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  add(keys: Iterable<string>): void {
    for (const key of keys) {
      if (key.length > MAX_KEY) continue;
      if (this.#young.size >= GENERATION) {
        this.#old = this.#young;
        this.#young = new Set();
      }
      this.#young.add(key);
    }
  }
}
