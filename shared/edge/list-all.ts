/** Reads all objects of a kind that a hub has, for whoever needs them together. */
import { asFault } from '../model/fault.ts';
import type { Resource } from '../model/resource.ts';
import type { Hub } from '../ports/hub.ts';

/** A list that began anew names an object twice: by its key the one read last counts. */
export async function listAll<T>(hub: Hub, kind: Resource<T>, key: (object: T) => string): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for await (const page of hub.list(kind)) for (const object of page) found.set(key(object), object);
  return [...found.values()];
}

/** The same of a kind that not every hub serves: none where this one does not. */
export async function listIfServed<T>(hub: Hub, kind: Resource<T>, key: (object: T) => string): Promise<readonly T[]> {
  try {
    return await listAll(hub, kind, key);
  } catch (thrown) {
    const { reason } = asFault(thrown);
    if (reason === 'NotFound' || reason === 'Http404') return [];
    throw thrown;
  }
}
