/**
 * Watches: changes since a resourceVersion, from a bounded ring of changes, then new ones. As an HTTP response, one JSON
 * line per event until the timeout, the client's disconnect, or too long a backlog.
 */
import type http from 'node:http';
import type { ApiStore } from '../store/object-store.ts';
import type { StoreChange } from '../store/objects.ts';
import { expired, invalid, StatusError } from '../store/status-error.ts';
import { type RepresentedKind, showBookmark, showObject } from './representations.ts';
import { type PracticeRequest, resourceVersionOf, wholeNumber } from './request.ts';
import { selection } from './requests.ts';
import type { Matches } from './selectors.ts';

export type StreamedEvent = Pick<StoreChange, 'type' | 'object'>;

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

const DEFAULT_TIMEOUT_SECONDS = 1800;
const BOOKMARK_EVERY_MS = 15_000;
const BOOKMARK_BEFORE_END_MS = 2000;
/** The maximum backlog: a client that reads too slowly is disconnected. */
const UNREAD_LIMIT = 64 * 1024 * 1024;

/** The context of a stream besides the request. `view` is created for each event, for the ages in a Table. */
export interface WatchContext {
  readonly store: ApiStore;
  readonly watches: Watches;
  readonly view: () => RepresentedKind;
}

export function streamWatch(request: PracticeRequest, context: WatchContext, response: http.ServerResponse): void {
  const { query, kind } = request;
  rejectInitialEvents(query);
  const matches = selection(request);
  const resourceVersion = resourceVersionOf(query);
  const timeoutMs = Math.min(wholeNumber(query, 'timeoutSeconds') || DEFAULT_TIMEOUT_SECONDS, 86_400) * 1000;
  response.writeHead(200, { 'content-type': 'application/json' });
  // Without this, the headers would wait for the first event.
  response.flushHeaders();
  const line = (type: string, object: object) => {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > UNREAD_LIMIT) response.destroy();
    else response.write(`${JSON.stringify({ type, object })}\n`);
  };
  const send = ({ type, object }: StreamedEvent) => line(type, showObject(context.view(), object));
  let stop: () => void;
  try {
    stop = context.watches.watch({ plural: kind.storeName, matches, resourceVersion }, send);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    line('ERROR', error.toStatus());
    response.end();
    return;
  }
  const bookmark = () => line('BOOKMARK', showBookmark(context.view(), String(context.store.revision())));
  const bookmarks = ['true', '1'].includes(query.get('allowWatchBookmarks') ?? '');
  const ticking = bookmarks ? setInterval(bookmark, BOOKMARK_EVERY_MS) : undefined;
  // As kube-apiserver: two seconds before the end, if the watch is that long.
  const marking = setTimeout(() => bookmarks && bookmark(), Math.max(timeoutMs - BOOKMARK_BEFORE_END_MS, 0));
  const ending = setTimeout(() => response.end(), timeoutMs);
  response.on('close', () => {
    stop();
    clearInterval(ticking);
    clearTimeout(marking);
    clearTimeout(ending);
  });
}

/** 422, as a server without the WatchList feature: clients then list and watch instead. */
function rejectInitialEvents(query: URLSearchParams): void {
  if (!query.has('sendInitialEvents')) return;
  const message = 'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
  const names = { group: 'meta.k8s.io', kind: 'ListOptions', plural: '' };
  throw invalid(names, '', [{ reason: 'FieldValueForbidden', message, field: 'sendInitialEvents' }]);
}
