/** Applies objects to the practice hub as `kubectl apply` would: creates new ones, and replaces the spec of others. */
import { apiVersionOf, storeNameOf } from './store/kind-definition.ts';
import { kinds } from './store/kinds.ts';
import { keyOf } from './store/object-collection.ts';
import type { Actor, KubeObject, ObjectStore } from './store/objects.ts';

export function applyManifests(store: ObjectStore, manifests: readonly { readonly object: object }[], by: Actor): void {
  for (const { object } of manifests as readonly { readonly object: KubeObject }[]) {
    const served = kinds.find((kind) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion);
    const plural = served === undefined ? object.kind : storeNameOf(served);
    const key = keyOf(object);
    if (store.get(plural, key) === undefined) store.create(plural, object, by);
    else store.patch(plural, key, { type: 'json', body: [{ op: 'add', path: '/spec', value: object.spec }] }, by);
  }
}
