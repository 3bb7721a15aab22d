/** Caches an expensive answer, so that ten open pages cost a hub as much as one. */
import type { Instant } from '../core/time.ts';

/** Minimum time to live. */
const LEAST_MS = 1000;
/** The time to live as a multiple of the read time, so that reads take at most a sixth of the time. */
const TIMES = 5;
/** Answers about a hub may have megabytes. */
const MOST_KEPT = 32;

interface CachedValue<T> {
  readonly value: Promise<T>;
  /** Absent while it is being read. */
  until?: Instant;
}

export class Remembered<T> {
  readonly #kept = new Map<string, CachedValue<T>>();
  readonly #leastMs: number;
  readonly #most: number;

  readonly #times: number;

  /** `times`: 0 for cheap reads, whose answers must not get older while reads are slow. */
  constructor(leastMs = LEAST_MS, most = MOST_KEPT, times = TIMES) {
    this.#leastMs = leastMs;
    this.#most = most;
    this.#times = times;
  }

  /** Concurrent callers share one read; a failed read is not cached. */
  async of(key: string, now: () => Instant, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    const began = now();
    if (kept !== undefined && (kept.until === undefined || began < kept.until)) return kept.value;
    const fresh: CachedValue<T> = { value: read() };
    this.#kept.delete(key);
    this.#kept.set(key, fresh);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return await fresh.value;
    } catch (thrown) {
      if (this.#kept.get(key) === fresh) this.#kept.delete(key);
      throw thrown;
    } finally {
      const ended = now();
      fresh.until = ended + Math.max(this.#leastMs, this.#times * (ended - began));
    }
  }
}
