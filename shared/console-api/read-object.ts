/** Reads an object of a kind that several APIs may serve. */
import type { Hub } from '../kubernetes/hub.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';

/** Of the first resource that has it; undefined if none has. */
export async function readObject<T>(
  hub: Hub,
  resources: readonly Resource<T>[],
  key: ObjectKey,
): Promise<T | undefined> {
  for (const resource of resources) {
    const object = await hub.get(resource, key);
    if (object !== undefined) return object;
  }
  return undefined;
}
