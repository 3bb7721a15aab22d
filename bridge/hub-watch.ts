/** A metadata-only watch of one kind on a hub: a few hundred bytes per event, however large the objects are. */
import * as z from 'zod/mini';
import { digest } from '../shared/core/digest.ts';
import { errorStatusFault } from '../shared/kubernetes/client/error-status.ts';
import type { Transport } from '../shared/kubernetes/client/transport.ts';
import { unreadableWatch, watchLines } from '../shared/kubernetes/client/watch-lines.ts';
import { type Resource, resourcePath } from '../shared/kubernetes/resource.ts';
import type { WatchEvent } from './changes.ts';
import type { WatchSource } from './follow-hub.ts';

const AS_METADATA = 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const AS_METADATA_LIST = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** The API server ends a watch after its timeoutSeconds. */
const WATCH_SECONDS = 300;
/** Bookmarks come about once a minute, so a watch that is silent for longer has a broken connection. */
const SILENT_MS = 90_000;

const metadata = z.object({
  name: z.string(),
  namespace: z._default(z.string(), ''),
  uid: z.string(),
  resourceVersion: z.string(),
  generation: z._default(z.number(), 0),
  deletionTimestamp: z.optional(z.string()),
  labels: z.optional(z.record(z.string(), z.string())),
  annotations: z.optional(z.record(z.string(), z.string())),
});
const changed = z.object({ type: z.enum(['ADDED', 'MODIFIED', 'DELETED']), object: z.object({ metadata }) });
const bookmark = z.object({
  type: z.literal('BOOKMARK'),
  object: z.object({ metadata: z.object({ resourceVersion: z.string() }) }),
});
const failed = z.object({
  type: z.literal('ERROR'),
  object: z.object({ code: z._default(z.number(), 0), message: z._default(z.string(), '') }),
});
const collection = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

export interface WatchOptions {
  /** Whether labels and annotations belong to the desired state, although no generation counts them. */
  readonly withWords?: boolean;
}

export class HubWatch implements WatchSource {
  readonly #transport: Transport;
  readonly #resource: Resource<unknown>;
  readonly #withWords: boolean;

  constructor(transport: Transport, resource: Resource<unknown>, { withWords = false }: WatchOptions = {}) {
    this.#transport = transport;
    this.#resource = resource;
    this.#withWords = withWords;
  }

  async version(): Promise<string> {
    const path = `${resourcePath(this.#resource)}?limit=1`;
    const { status, body } = await this.#transport.send({
      method: 'GET',
      path,
      accept: `application/json;${AS_METADATA_LIST}`,
    });
    const list = collection.safeParse(body);
    if (status !== 200 || !list.success)
      throw errorStatusFault('the hub', { status, body }, `list ${this.#resource.plural}`);
    return list.data.metadata.resourceVersion;
  }

  async *watch(from: string, signal: AbortSignal): AsyncGenerator<readonly WatchEvent[]> {
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${from}`;
    const request = {
      method: 'GET' as const,
      path: `${resourcePath(this.#resource)}?${query}`,
      accept: `application/json;${AS_METADATA}`,
    };
    const { status, text } = await this.#transport.stream(request, { signal, silentMs: SILENT_MS });
    if (status === 410) {
      yield [{ type: 'Expired' }];
      return;
    }
    if (status !== 200)
      throw errorStatusFault('the hub', { status, body: undefined }, `watch ${this.#resource.plural}`);
    for await (const lines of watchLines(text)) yield lines.map((line) => toEvent(line, this.#withWords));
  }
}

function toEvent(json: unknown, withWords: boolean): WatchEvent {
  const object = changed.safeParse(json);
  if (object.success) return toChange(object.data, withWords);
  const mark = bookmark.safeParse(json);
  if (mark.success) return { type: 'Bookmark', resourceVersion: mark.data.object.metadata.resourceVersion };
  const error = failed.safeParse(json);
  if (!error.success) throw unreadableWatch('a line that is no watch event');
  const { code, message } = error.data.object;
  return code === 410 ? { type: 'Expired' } : { type: 'Failed', message: `${code} ${message}` };
}

function toChange({ type, object }: z.output<typeof changed>, withWords: boolean): WatchEvent {
  const { name, namespace, uid, generation, deletionTimestamp, resourceVersion, labels, annotations } = object.metadata;
  const words = withWords ? digest(JSON.stringify([labels, annotations])) : '';
  const wish = `${uid}/${generation}/${words}/${type === 'DELETED' ? 'gone' : (deletionTimestamp ?? '')}`;
  return { type: 'Changed', namespace, name, wish, resourceVersion };
}
