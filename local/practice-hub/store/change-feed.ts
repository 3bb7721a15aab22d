/** Calls the store's listeners for each change, synchronously and in order, even if a listener itself writes. */
import type { StoreChange } from './objects.ts';

type ChangeListener = (change: StoreChange) => void;

export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>();
  /** Changes that wait until all listeners have received the previous change. */
  readonly #pending: StoreChange[] = [];
  #notifying = false;

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws only after all listeners were called: the change is stored, whatever a listener does. */
  notify(change: StoreChange): void {
    this.#pending.push(change);
    if (this.#notifying) return;
    this.#notifying = true;
    const errors: unknown[] = [];
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          if (this.#listeners.has(listener)) listener(next);
        } catch (error) {
          errors.push(error);
        }
      }
    }
    this.#notifying = false;
    if (errors.length > 0) throw new AggregateError(errors, 'a listener of the practice hub failed');
  }
}
