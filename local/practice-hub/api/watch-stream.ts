/** A watch as an HTTP response: one JSON line per event until the timeout, the client's disconnect, or too long a backlog. */
import type http from 'node:http';
import { storeNameOf } from '../store/kind-definition.ts';
import type { ApiStore } from '../store/object-store.ts';
import { invalid, StatusError } from '../store/status-error.ts';
import { selection } from './reads.ts';
import { type RepresentedKind, showBookmark, showObject } from './representations.ts';
import { type PracticeRequest, resourceVersionOf, wholeNumber } from './request.ts';
import type { StreamedEvent, Watches } from './watches.ts';

const DEFAULT_TIMEOUT_SECONDS = 1800;
const BOOKMARK_EVERY_MS = 15_000;
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
  const send = (event: StreamedEvent) => {
    if (event.type === 'BOOKMARK') line(event.type, showBookmark(context.view(), event.resourceVersion));
    else line(event.type, showObject(context.view(), event.object));
  };
  let stop: () => void;
  try {
    stop = context.watches.watch({ plural: storeNameOf(kind), matches, resourceVersion }, send);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    line('ERROR', error.toStatus());
    response.end();
    return;
  }
  const bookmark = () => send({ type: 'BOOKMARK', resourceVersion: String(context.store.revision()) });
  const bookmarks = ['true', '1'].includes(query.get('allowWatchBookmarks') ?? '');
  const ticking = bookmarks ? setInterval(bookmark, BOOKMARK_EVERY_MS) : undefined;
  const ending = setTimeout(() => {
    if (bookmarks) bookmark();
    response.end();
  }, timeoutMs);
  response.on('close', () => {
    stop();
    clearInterval(ticking);
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
