/** Applies objects to the practice hub as `kubectl apply` would: creates new ones, and replaces the spec of others. */
import { kindOfObject } from './store/kinds.ts';
import { keyOf } from './store/object-collection.ts';
import type { Actor, KubeObject, ObjectStore } from './store/objects.ts';

export function applyManifests(store: ObjectStore, manifests: readonly { readonly object: object }[], by: Actor): void {
  for (const { object } of manifests as readonly { readonly object: KubeObject }[]) {
    const plural = kindOfObject(object)?.storeName ?? object.kind;
    const key = keyOf(object);
    if (store.get(plural, key) === undefined) store.create(plural, object, by);
    else store.patch(plural, key, { type: 'json', body: [{ op: 'add', path: '/spec', value: object.spec }] }, by);
  }
}
