/** Decides which events of a watch to publish, and the resourceVersion up to which the watch has come. For the bridge. */
import { keyText, type ObjectKey } from '../shared/kubernetes/object-key.ts';

/** An event of a watch: about one object, or about the watch itself. */
export type WatchEvent =
  | {
      readonly type: 'Changed';
      readonly namespace: string;
      readonly name: string;
      /** Changes with the desired state: uid, generation, and whether it is being deleted or gone. */
      readonly wish: string;
      readonly resourceVersion: string;
    }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string }
  | { readonly type: 'Expired' }
  | { readonly type: 'Failed'; readonly message: string };

export interface BatchedChanges {
  /** Objects whose desired state changed, each once, in the order of their first change. */
  readonly keys: readonly ObjectKey[];
  /** Objects with other changes, each once: of their status, or their metadata. */
  readonly statuses: readonly ObjectKey[];
  /** All events up to here are included; undefined if the watch must restart. */
  readonly resourceVersion: string | undefined;
  /** Why the watch ended; undefined if it did not. */
  readonly ended: string | undefined;
  /** By keyText. */
  readonly wishes: ReadonlyMap<string, string>;
}

/**
 * Desired states that were already published are skipped: Evenkeel's own writes of status come through the same watch, and
 * would cause an event per write. An entry that was evicted from `published` only causes a second event.
 */
export function batchChanges(events: readonly WatchEvent[], from: string, published: PublishedChanges): BatchedChanges {
  const keys = new Map<string, ObjectKey>();
  const statuses = new Map<string, ObjectKey>();
  const wishes = new Map<string, string>();
  let resourceVersion: string | undefined = from;
  let ended: string | undefined;
  for (const event of events) {
    if (event.type === 'Expired') {
      resourceVersion = undefined;
      ended = 'the hub no longer has that version';
      break;
    }
    if (event.type === 'Failed') {
      ended = event.message;
      break;
    }
    resourceVersion = event.resourceVersion;
    if (event.type !== 'Changed') continue;
    const { namespace, name, wish } = event;
    const text = keyText({ namespace, name });
    if (published.of(text) === wish) {
      statuses.set(text, { namespace, name });
      continue;
    }
    keys.set(text, { namespace, name });
    wishes.set(text, wish);
  }
  // A consumer of the change reads the status too.
  const rest = [...statuses].filter(([text]) => !keys.has(text)).map(([, key]) => key);
  return { keys: [...keys.values()], statuses: rest, resourceVersion, ended, wishes };
}

/** The last published desired states, of a bounded number of objects: the oldest entry is evicted first. */
export class PublishedChanges {
  readonly #wishes = new Map<string, string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#wishes.size;
  }

  of(key: string): string | undefined {
    return this.#wishes.get(key);
  }

  remember(wishes: ReadonlyMap<string, string>): void {
    for (const [key, wish] of wishes) {
      this.#wishes.delete(key);
      this.#wishes.set(key, wish);
    }
    for (const key of this.#wishes.keys()) {
      if (this.#wishes.size <= this.#limit) return;
      this.#wishes.delete(key);
    }
  }
}
