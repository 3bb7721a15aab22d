/** Watches: changes since a resourceVersion, then new ones. For the API server; keeps a bounded ring of changes. */
import type { ApiStore } from '../store/object-store.ts';
import type { KubeObject, StoreChange } from '../store/objects.ts';
import { expired } from '../store/status-error.ts';
import type { Matches } from './selectors.ts';

export type StreamedEvent =
  | { readonly type: StoreChange['type']; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export interface WatchRequest {
  readonly plural: string;
  readonly matches: Matches;
  /** "" or "0": all objects as ADDED, then new changes. */
  readonly resourceVersion: string;
}

export class Watches {
  readonly #store: ApiStore;
  readonly #limit: number;
  #changes: StoreChange[] = [];
  /** The version of the last dropped change. */
  #forgotten: number;

  constructor(store: ApiStore, limit = 20_000) {
    this.#store = store;
    this.#limit = limit;
    this.#forgotten = store.revision();
    store.onChange((change) => this.#remember(change));
  }

  /**
   * Sends past changes at once and new ones as they come; returns a function that ends the watch. Throws 410 Expired for a
   * resourceVersion that is too old, and for one from the future (after a restart; a real API server would wait for it).
   */
  watch(request: WatchRequest, send: (event: StreamedEvent) => void): () => void {
    const { plural, matches, resourceVersion } = request;
    const see = (change: StoreChange) => {
      const event = change.plural === plural ? asSeen(change, matches) : undefined;
      if (event) send(event);
    };
    const now = this.#store.revision();
    const fromNow = resourceVersion === '' || resourceVersion === '0';
    const from = fromNow ? now : Number(resourceVersion);
    if (from < this.#forgotten || from > now) {
      throw expired(`too old resource version: ${from} (${this.#forgotten})`);
    }
    if (fromNow) {
      for (const object of this.#store.list(plural)) if (matches(object)) send({ type: 'ADDED', object });
    } else {
      for (const change of this.#changes) if (revisionOf(change) > from) see(change);
    }
    return this.#store.onChange((change) => {
      if (revisionOf(change) > now) see(change);
    });
  }

  #remember(change: StoreChange): void {
    this.#changes.push(change);
    // Trimmed in bulk: removing the first element of a long array on each change takes time linear in its length.
    if (this.#changes.length < this.#limit * 1.1) return;
    const cut = this.#changes.length - this.#limit;
    const last = this.#changes[cut - 1];
    this.#forgotten = last ? revisionOf(last) : this.#forgotten;
    this.#changes = this.#changes.slice(cut);
  }
}

function revisionOf({ object }: StoreChange): number {
  return Number(object.metadata.resourceVersion);
}

/** With a selector, an object is ADDED when it begins to match, and DELETED when it stops. */
function asSeen({ type, object, previous }: StoreChange, matches: Matches): StreamedEvent | undefined {
  const before = type !== 'ADDED' && previous !== undefined && matches(previous);
  const after = type !== 'DELETED' && matches(object);
  if (before && after) return { type: 'MODIFIED', object };
  if (after) return { type: 'ADDED', object };
  return before ? { type: 'DELETED', object } : undefined;
}
