/** A clock that only moves when it is advanced, so that an hour of a deployment takes as long as its functions run. */
import type { Clock } from '../../local/clock.ts';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

export class HourClock implements Clock {
  #now = Date.now();
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
    }
    this.#now = end;
  }
}
