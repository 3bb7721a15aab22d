/** Background garbage collection by ownerReferences, as in Kubernetes; an owner's name with a different uid is no owner. */
import { kindOfObject } from '../store/kinds.ts';
import { keyOf } from '../store/object-collection.ts';
import type { KubeObject } from '../store/objects.ts';
import { garbageCollector as by } from './actors.ts';
import { getByWorkKey, readWorkKey, workKey } from './binding-view.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export function createGarbageCollector({ store, loop }: ControllerContext): Controller {
  const queue = loop.queue(collect);
  /** Keys of the objects that name an owner, by the owner's uid. */
  const dependents = new Map<string, Set<string>>();

  /** Deletes an object only if none of its owners exists; an owner that was deleted before it was referenced counts as deleted. */
  function collect(key: string): void {
    const object = getByWorkKey(store, key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    const owners = ownersOf(object);
    const left = owners.filter((owner) => isThere(owner, object));
    if (left.length === owners.length) return;
    const at = readWorkKey(key);
    if (left.length === 0) store.delete(at.plural, at.key, by, { uid: object.metadata.uid });
    else store.patch(at.plural, at.key, { type: 'merge', body: { metadata: { ownerReferences: left } } }, by);
  }

  function isThere(owner: OwnerReference, { metadata }: KubeObject): boolean {
    const served = kindOfObject(owner);
    // Whether an owner of a kind that is not served here exists is unknown.
    if (served === undefined) return true;
    const namespace = served.namespaced ? (metadata.namespace ?? '') : '';
    return store.get(served.storeName, { namespace, name: owner.name })?.metadata.uid === owner.uid;
  }

  function forget(uid: string, key: string): void {
    const keys = dependents.get(uid);
    keys?.delete(key);
    if (keys?.size === 0) dependents.delete(uid);
  }

  return {
    onChange({ type, plural, object }) {
      const key = workKey(plural, keyOf(object));
      if (type === 'DELETED') {
        for (const dependent of dependents.get(object.metadata.uid) ?? []) queue.add(dependent);
        dependents.delete(object.metadata.uid);
        for (const { uid } of ownersOf(object)) forget(uid, key);
        return;
      }
      for (const { uid } of ownersOf(object)) {
        dependents.set(uid, (dependents.get(uid) ?? new Set()).add(key));
      }
      if (type === 'ADDED' && ownersOf(object).length > 0) queue.add(key);
    },
  };
}

function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  const owners = metadata.ownerReferences;
  return Array.isArray(owners) ? (owners as readonly OwnerReference[]) : [];
}
