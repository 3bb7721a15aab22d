/** Lists all objects of a kind on a hub. */
import { asFault, isNotServed } from '../core/fault.ts';
import type { Hub, Within } from './hub.ts';
import { type Resource, unread } from './resource.ts';

/** A restarted list may return an object twice: the last one read wins. */
export async function listAll<T>(
  hub: Hub,
  kind: Resource<T>,
  key: (object: T) => string,
  within?: Within,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for await (const page of hub.list(kind, within)) for (const object of page) found.set(key(object), object);
  return [...found.values()];
}

/** The same for a kind that not every hub serves: empty if the hub does not serve it. */
export async function listIfServed<T>(
  hub: Hub,
  kind: Resource<T>,
  key: (object: T) => string,
  within?: Within,
): Promise<readonly T[]> {
  try {
    return await listAll(hub, kind, key, within);
  } catch (thrown) {
    if (isNotServed(thrown)) return [];
    throw thrown;
  }
}

/** Pages, for callers that do not need all objects at once; undefined if the hub does not serve the kind. The first page is read immediately. */
export async function pagesIfServed<T>(
  hub: Hub,
  kind: Resource<T>,
  within?: Within,
): Promise<AsyncIterable<readonly T[]> | undefined> {
  const pages = hub.list(kind, within)[Symbol.asyncIterator]();
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

/** Whether the hub has an object of the kind: reads the metadata of one. False if it does not serve the kind, or we may not list it. */
export async function hasAny(hub: Hub, kind: Resource<unknown>): Promise<boolean> {
  try {
    const first = await hub
      .list({ ...unread(kind), pageSize: 1 })
      [Symbol.asyncIterator]()
      .next();
    return first.done !== true && first.value.length > 0;
  } catch (thrown) {
    if (isNotServed(thrown) || asFault(thrown).reason === 'Forbidden') return false;
    throw thrown;
  }
}
