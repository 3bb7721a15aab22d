/** Lists all objects of a kind on a hub. */
import { asFault, isNotServed } from '../core/fault.ts';
import type { Hub, ListOptions } from './hub.ts';
import { keyText, type ObjectKey } from './object-key.ts';
import { type Resource, unread } from './resource.ts';

/** A restarted list may return an object twice: the last one read wins. */
export async function listAll<T>(
  hub: Hub,
  kind: Resource<T>,
  key: (object: T) => string,
  options?: ListOptions,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for await (const page of hub.list(kind, options)) for (const object of page) found.set(key(object), object);
  return [...found.values()];
}

/** The same for a kind that not every hub serves: empty if the hub does not serve it. */
export async function listIfServed<T>(
  hub: Hub,
  kind: Resource<T>,
  key: (object: T) => string,
  options?: ListOptions,
): Promise<readonly T[]> {
  try {
    return await listAll(hub, kind, key, options);
  } catch (thrown) {
    if (isNotServed(thrown)) return [];
    throw thrown;
  }
}

/** Those in some namespaces, of a kind that not every hub serves: of one namespace alone, or those of several among all. */
export async function listInNamespaces<T>(
  hub: Hub,
  kind: Resource<T>,
  { namespaces, keyOf }: { readonly namespaces: ReadonlySet<string>; readonly keyOf: (object: T) => ObjectKey },
): Promise<readonly T[]> {
  const [only] = namespaces.size === 1 ? namespaces : [];
  const within = only === undefined ? {} : { namespace: only };
  const found = await listIfServed(hub, kind, (object) => keyText(keyOf(object)), within);
  return found.filter((object) => namespaces.has(keyOf(object).namespace));
}

/** Pages, for callers that do not need all objects at once; undefined if the hub does not serve the kind. The first page is read immediately. */
export async function pagesIfServed<T>(
  hub: Hub,
  kind: Resource<T>,
  options?: ListOptions,
): Promise<AsyncIterable<readonly T[]> | undefined> {
  const pages = hub.list(kind, options)[Symbol.asyncIterator]();
  try {
    return following(await pages.next(), pages);
  } catch (thrown) {
    if (isNotServed(thrown)) return undefined;
    throw thrown;
  }
}

async function* following<T>(first: IteratorResult<T>, pages: AsyncIterator<T>): AsyncGenerator<T> {
  for (let page = first; page.done !== true; page = await pages.next()) yield page.value;
}

/** Whether the hub serves the kind, and we may list it. */
export async function mayList(hub: Hub, kind: Resource<unknown>): Promise<boolean> {
  return (await firstOf(hub, kind)) !== undefined;
}

/** Whether the hub has an object of the kind: reads the metadata of one. False if it does not serve the kind, or we may not list it. */
export async function hasAny(hub: Hub, kind: Resource<unknown>): Promise<boolean> {
  return ((await firstOf(hub, kind)) ?? []).length > 0;
}

/** Undefined if the hub does not serve the kind, or we may not list it. */
async function firstOf(hub: Hub, kind: Resource<unknown>): Promise<readonly unknown[] | undefined> {
  try {
    const first = await hub
      .list({ ...unread(kind), pageSize: 1 })
      [Symbol.asyncIterator]()
      .next();
    return first.done === true ? [] : first.value;
  } catch (thrown) {
    if (isNotServed(thrown) || asFault(thrown).reason === 'Forbidden') return undefined;
    throw thrown;
  }
}

/** The changes of several kinds. */
export interface ChangesOfKinds<T> {
  /** By plural: all changes up to this resourceVersion are in `changed`. */
  readonly versions: Readonly<Record<string, string>>;
  readonly changed: ReadonlyMap<string, T | undefined>;
}

/**
 * The changes after these versions, of each kind that has one. Undefined if those of one kind can't be followed. A watch may wait a second for its
 * bookmark, so the kinds are read at once.
 */
export async function changesOf<T>(
  hub: Hub,
  kinds: readonly Resource<T>[],
  after: Readonly<Record<string, string>>,
): Promise<ChangesOfKinds<T> | undefined> {
  const versions: Record<string, string> = {};
  const changed = new Map<string, T | undefined>();
  const followed = kinds.flatMap((kind) => {
    const from = after[kind.plural];
    return from === undefined ? [] : [{ kind, from }];
  });
  const read = await Promise.all(
    followed.map(async ({ kind, from }) => ({ kind, changes: await hub.changes(kind, from) })),
  );
  for (const { kind, changes } of read) {
    if (changes === undefined) return undefined;
    versions[kind.plural] = changes.version;
    for (const [key, object] of changes.changed) changed.set(key, object);
  }
  return { versions, changed };
}
