/** A binding of either scope as the practice hub's controllers read it, and its key in their queues. */
import { isDeepStrictEqual } from 'node:util';
import { type PlacedBinding, parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import type { Key, KubeObject, ObjectStore, StoreChange } from '../store/objects.ts';

export const bindingPlurals: readonly string[] = ['resourcebindings', 'clusterresourcebindings'];

export type BindingView = PlacedBinding & { readonly plural: string; readonly key: Key };

const read = new WeakMap<KubeObject, BindingView>();

/** Parses each version once: scheduler and members read the same one, and objects from the store are immutable. */
export function readBinding(plural: string, object: KubeObject): BindingView {
  const known = read.get(object);
  if (known !== undefined) return known;
  const binding = parsePlacedBinding(object);
  const view = { ...binding, plural, key: { namespace: binding.metadata.namespace, name: binding.metadata.name } };
  read.set(object, view);
  return view;
}

/** "resourcebindings/shop/web-deployment": plural, namespace and name; no part contains a slash. */
export function workKey(plural: string, { namespace, name }: Key): string {
  return `${plural}/${namespace}/${name}`;
}

export function readWorkKey(key: string): { plural: string; key: Key } {
  const [plural = '', namespace = '', name = ''] = key.split('/');
  return { plural, key: { namespace, name } };
}

export function getByWorkKey(store: ObjectStore, key: string): KubeObject | undefined {
  const at = readWorkKey(key);
  return store.get(at.plural, at.key);
}

/** The binding of a key in a queue. */
export function bindingAt(store: ObjectStore, key: string): BindingView | undefined {
  const object = getByWorkKey(store, key);
  return object && readBinding(readWorkKey(key).plural, object);
}

/** Whether anything but the status changed. */
export function specChanged({ type, object, previous }: StoreChange): boolean {
  return type !== 'MODIFIED' || previous === undefined || !isDeepStrictEqual(object.spec, previous.spec);
}
