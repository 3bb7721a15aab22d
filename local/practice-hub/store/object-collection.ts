/** All objects of one kind in the API's order, that of etcd's keys: by the bytes of "namespace/name". */
import type { Key, KubeObject } from './objects.ts';

/** "a-b/x" sorts before "a/x", because a hyphen is less than a slash; a cluster-scoped object is "/name". */
export function keyText({ namespace, name }: Key): string {
  return `${namespace}/${name}`;
}

export function keyOf({ metadata }: KubeObject): Key {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

export class ObjectCollection {
  readonly #objects = new Map<string, KubeObject>();
  readonly #keys: string[] = [];
  #listed: readonly KubeObject[] | undefined;

  get(key: Key): KubeObject | undefined {
    return this.#objects.get(keyText(key));
  }

  put(object: KubeObject): void {
    const key = keyText(keyOf(object));
    if (!this.#objects.has(key)) this.#keys.splice(this.#position(key), 0, key);
    this.#objects.set(key, object);
    this.#listed = undefined;
  }

  remove(key: Key): void {
    const text = keyText(key);
    if (!this.#objects.delete(text)) return;
    this.#keys.splice(this.#position(text), 1);
    this.#listed = undefined;
  }

  /** Returns the same array until a change, so that a snapshot costs nothing. */
  list(): readonly KubeObject[] {
    this.#listed ??= Object.freeze(this.#keys.flatMap((key) => this.#objects.get(key) ?? []));
    return this.#listed;
  }

  /** The first index whose key is not less. */
  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
