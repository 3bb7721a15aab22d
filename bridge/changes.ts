/** Decides which of a watch's events are worth a hint, and how far the watch has come. For the bridge. */

import { keyText, type ObjectKey } from '../shared/model/object-key.ts';

/** What a watch tells of one object, or of itself. */
export type WatchEvent =
  | {
      readonly type: 'Changed';
      readonly namespace: string;
      readonly name: string;
      /** What differs where somebody's wish changed: uid, generation, whether it is being deleted or gone. */
      readonly wish: string;
      readonly resourceVersion: string;
    }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string }
  | { readonly type: 'Expired' }
  | { readonly type: 'Failed'; readonly message: string };

export interface Heard {
  /** Of objects whose wish changed, each once, in the order of their first change. */
  readonly keys: readonly ObjectKey[];
  /** Of objects that changed all the same, each once: their status was written, or their metadata. */
  readonly statuses: readonly ObjectKey[];
  /** Up to here nothing is missing; undefined where the watch has to begin anew. */
  readonly resourceVersion: string | undefined;
  /** Why the watch ended, where it did. */
  readonly ended: string | undefined;
  /** By keyText. */
  readonly wishes: ReadonlyMap<string, string>;
}

/**
 * Wishes that were told before are not told again: our own writing of status comes by the same watch, and would be an
 * echo a write. What is forgotten of them is only told once more.
 */
export function hear(events: readonly WatchEvent[], from: string, told: Told): Heard {
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
    if (told.of(text) === wish) {
      statuses.set(text, { namespace, name });
      continue;
    }
    keys.set(text, { namespace, name });
    wishes.set(text, wish);
  }
  // Whoever looks for the wish sees the status too.
  const rest = [...statuses].filter(([text]) => !keys.has(text)).map(([, key]) => key);
  return { keys: [...keys.values()], statuses: rest, resourceVersion, ended, wishes };
}

/** The wishes told last, of a bounded number of objects: the one that was told longest ago is forgotten first. */
export class Told {
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
