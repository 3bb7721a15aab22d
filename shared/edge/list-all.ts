/** Reads all objects of a kind that a hub has, for whoever needs them together. */
import { asFault } from '../model/fault.ts';
import type { Resource } from '../model/resource.ts';
import type { Hub, Within } from '../ports/hub.ts';

/** A list that began anew names an object twice: by its key the one read last counts. */
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

/** The same of a kind that not every hub serves: none where this one does not. */
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

/** Pages, for whoever has no need to hold all of them; undefined where the hub does not serve the kind. The first is read at once. */
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

/** Of the kind, or of its whole group. */
export function isNotServed(thrown: unknown): boolean {
  const { reason } = asFault(thrown);
  return reason === 'NotFound' || reason === 'Http404';
}
