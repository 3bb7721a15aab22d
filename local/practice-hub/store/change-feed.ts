/** Tells the store's listeners of each change, synchronously and in order, even where a listener itself writes. */
import type { Change } from './objects.ts';

type Listener = (change: Change) => void;

export class ChangeFeed {
  readonly #listeners = new Set<Listener>();
  /** A listener's own write waits here until everybody has heard of the change it answers to. */
  readonly #untold: Change[] = [];
  #telling = false;

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws only after everybody has heard: the change is in, whatever one listener makes of it. */
  tell(change: Change): void {
    this.#untold.push(change);
    if (this.#telling) return;
    this.#telling = true;
    const errors: unknown[] = [];
    for (let next = this.#untold.shift(); next; next = this.#untold.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          if (this.#listeners.has(listener)) listener(next);
        } catch (error) {
          errors.push(error);
        }
      }
    }
    this.#telling = false;
    if (errors.length > 0) throw new AggregateError(errors, 'a listener of the practice hub failed');
  }
}
