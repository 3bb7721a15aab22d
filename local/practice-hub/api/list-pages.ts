/** Paginated lists: all pages of a list show the same version, regardless of later writes. For the API server. */
import type { Instant } from '../../../shared/core/time.ts';
import type { KubeObject } from '../store/objects.ts';
import { badRequest, expired } from '../store/status-error.ts';

export interface Page {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

export interface Listing {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** With a selector the API server omits the remaining item count. */
  readonly selected: boolean;
}

interface Snapshot extends Listing {
  readonly takenAt: Instant;
  /** A token is valid only for the list that issued it. */
  readonly path: string;
}

const KEPT = 64;
const KEPT_FOR = 5 * 60_000;

export class ListPages {
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #now: () => Instant;
  readonly #newId: () => string;

  constructor(now: () => Instant, newId: () => string) {
    this.#now = now;
    this.#newId = newId;
  }

  /** The first page; keeps the rest for later pages. */
  first(listing: Listing, limit: number, path: string): Page {
    if (limit <= 0 || listing.items.length <= limit) return pageOf(listing, 0, listing.items.length);
    const id = this.#newId();
    this.#snapshots.set(id, { ...listing, takenAt: this.#now(), path });
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > KEPT && oldest !== undefined) this.#snapshots.delete(oldest);
    return pageOf(listing, 0, limit, id);
  }

  /** The page of a token; 410 Expired if its list is no longer kept, 400 for an invalid token. */
  next(token: string, limit: number, path: string): Page {
    const [, id, start] = /^([\w-]+)\.(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
    if (id === undefined || start === undefined) {
      throw badRequest('invalid continue token: continue key is not valid');
    }
    const snapshot = this.#snapshots.get(id);
    if (!snapshot || snapshot.path !== path || this.#now() - snapshot.takenAt > KEPT_FOR) {
      this.#snapshots.delete(id);
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
      );
    }
    const from = Math.min(Number(start), snapshot.items.length);
    return pageOf(snapshot, from, limit > 0 ? from + limit : snapshot.items.length, id);
  }
}

function pageOf({ items, resourceVersion, selected }: Listing, from: number, to: number, id?: string): Page {
  const remaining = items.length - to;
  const more = remaining > 0 && id !== undefined;
  return {
    items: from === 0 && remaining <= 0 ? items : items.slice(from, to),
    resourceVersion,
    ...(more && { continueToken: Buffer.from(`${id}.${to}`).toString('base64url') }),
    ...(more && !selected && { remainingItemCount: remaining }),
  };
}
