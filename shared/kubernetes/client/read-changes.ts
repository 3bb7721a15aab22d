/** Reads the changes of a kind after a version: a watch that ends as soon as it has caught up. */
import * as z from 'zod/mini';
import { asFault, type Fault } from '../../core/fault.ts';
import type { Changes } from '../hub.ts';
import { keyText } from '../object-key.ts';
import { type Resource, resourcePath } from '../resource.ts';
import { isLaterVersion } from '../resource-version.ts';
import { errorStatusFault } from './error-status.ts';
import type { HubClient } from './hub-client.ts';
import { unreadableWatch, watchLines } from './watch-lines.ts';

/** An API server sends a bookmark two seconds before it ends a watch, so after one second. */
const WATCH_SECONDS = 3;
/** More changed objects than this are listed, page by page: a function holds these in memory, a binding with 100 clusters has 100 kB. */
const MOST_CHANGED = 2000;
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
/** Expired; watch is not granted, as by manifests of an earlier version. */
const NOT_FOLLOWED = [410, 403];

const metadata = z.object({
  name: z._default(z.string(), ''),
  namespace: z._default(z.string(), ''),
  resourceVersion: z._default(z.string(), ''),
});
const watchEvent = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.looseObject({
    metadata: z._default(metadata, { name: '', namespace: '', resourceVersion: '' }),
    code: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
});

interface ChangeSource {
  /** The hub's name. */
  readonly hub: string;
  readonly client: HubClient;
  readonly onUnreadable: (fault: Fault) => void;
}

/** The newest version of the kind; undefined if the hub does not serve it. */
async function readVersion({ hub, client }: ChangeSource, resource: Resource<unknown>): Promise<string | undefined> {
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  const response = await client.send({ method: 'GET', path: `${resourcePath(resource)}?limit=1`, accept });
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw errorStatusFault(`hub ${hub}`, response, `list ${resource.plural}`);
  return (response.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

export async function readChanges<T>(
  source: ChangeSource,
  resource: Resource<T>,
  from: string,
): Promise<Changes<T> | undefined> {
  const until = await readVersion(source, resource);
  if (until === from) return { version: from, changed: new Map() };
  // A hub that was restored from a backup is before the version.
  if (until === undefined || isLaterVersion(until, from) !== true) return undefined;
  const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${from}`;
  const { status, text } = await source.client.stream({
    method: 'GET',
    path: `${resourcePath(resource)}?${query}`,
    ...(resource.metadataOnly && { accept: METADATA_ONLY }),
  });
  if (NOT_FOLLOWED.includes(status)) return undefined;
  const what = `watch ${resource.plural}`;
  if (status !== 200) throw errorStatusFault(`hub ${source.hub}`, { status, body: undefined }, what);
  const states = await lastStates(text, {
    from,
    until,
    failed: (body) => errorStatusFault(`hub ${source.hub}`, body, what),
  });
  return states && { version: states.version, changed: parsedStates(source, resource, states.objects) };
}

interface LastStates {
  readonly version: string;
  /** Objects as the API server sent them. */
  readonly objects: ReadonlyMap<string, unknown>;
}

interface VersionRange {
  readonly from: string;
  readonly until: string;
  readonly failed: (error: { readonly status: number; readonly body: unknown }) => Fault;
}

/** Ends with the stream too: what it did not send yet comes after the returned version. */
async function lastStates(
  text: AsyncIterable<string>,
  { from, until, failed }: VersionRange,
): Promise<LastStates | undefined> {
  const objects = new Map<string, unknown>();
  let version = from;
  for await (const lines of watchLines(text)) {
    for (const line of lines) {
      const event = watchEvent.safeParse(line);
      if (!event.success) throw unreadableWatch('a line that is no watch event');
      const { type, object } = event.data;
      if (type === 'ERROR') {
        if (object.code === 410) return undefined;
        throw failed({ status: object.code ?? 500, body: object });
      }
      version = object.metadata.resourceVersion;
      if (type !== 'BOOKMARK') objects.set(keyText(object.metadata), type === 'DELETED' ? undefined : objectOf(line));
    }
    if (objects.size > MOST_CHANGED) return undefined;
    if (isLaterVersion(until, version) !== true) break;
  }
  return { version, objects };
}

function objectOf(line: unknown): unknown {
  return (line as { readonly object: unknown }).object;
}

function parsedStates<T>(
  { onUnreadable }: ChangeSource,
  resource: Resource<T>,
  objects: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, T | undefined> {
  const changed = new Map<string, T | undefined>();
  for (const [key, object] of objects) {
    try {
      changed.set(key, object === undefined ? undefined : resource.parse(object));
    } catch (thrown) {
      onUnreadable(asFault(thrown));
      changed.set(key, undefined);
    }
  }
  return changed;
}
