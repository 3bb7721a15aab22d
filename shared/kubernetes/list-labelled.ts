/** The keys of the objects with labels, of kinds that not every hub serves. */
import * as z from 'zod/mini';
import type { Hub } from './hub.ts';
import { objectMeta, parseObject } from './hub-object.ts';
import { listIfServed } from './list-all.ts';
import { keyText, type ObjectKey } from './object-key.ts';
import type { LabelledResource, Resource } from './resource.ts';

const schema = z.object({ metadata: objectMeta });

/** `labelSelector`: as in kubectl -l. */
export async function listLabelled(
  hub: Hub,
  resources: readonly LabelledResource[],
  labelSelector: string,
): Promise<readonly ObjectKey[]> {
  const lists = resources.map(async ({ kind, keyOf }) => {
    const keys = await listIfServed(hub, keysOf(kind), keyText, { labelSelector });
    return keys.map(keyOf);
  });
  return (await Promise.all(lists)).flat();
}

function keysOf(kind: Resource<unknown>): Resource<ObjectKey> {
  return {
    ...kind,
    metadataOnly: true,
    parse: (object) => {
      const { namespace, name } = parseObject(schema, object, kind.kind).metadata;
      return { namespace, name };
    },
  };
}
