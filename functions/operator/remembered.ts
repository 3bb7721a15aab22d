/** Keeps an answer that is dear to read for a while, so that ten pages that are open cost a hub what one does. */
import type { Instant } from '../../shared/model/time.ts';

/** What was read is kept for at least so long, */
const LEAST_MS = 1000;
/** and for so many times as long as reading it took: a sixth of the time at most goes into reading. */
const TIMES = 5;
const MOST_KEPT = 32;

interface Kept<T> {
  readonly value: Promise<T>;
  /** Absent while it is being read. */
  until?: Instant;
}

export class Remembered<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #leastMs: number;

  constructor(leastMs = LEAST_MS) {
    this.#leastMs = leastMs;
  }

  /** Whoever asks while it is being read waits for the same reading; one that failed is not kept. */
  async of(key: string, now: () => Instant, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    const began = now();
    if (kept !== undefined && (kept.until === undefined || began < kept.until)) return kept.value;
    const fresh: Kept<T> = { value: read() };
    this.#kept.delete(key);
    this.#kept.set(key, fresh);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return await fresh.value;
    } catch (thrown) {
      if (this.#kept.get(key) === fresh) this.#kept.delete(key);
      throw thrown;
    } finally {
      const ended = now();
      fresh.until = ended + Math.max(this.#leastMs, TIMES * (ended - began));
    }
  }
}
