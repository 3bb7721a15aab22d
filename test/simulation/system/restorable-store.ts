/** The objects of a hub that can be restored from a backup: the store is replaced, and its listeners stay. */
import { kinds } from '../../../local/practice-hub/store/kinds.ts';
import { keyOf, keyText } from '../../../local/practice-hub/store/object-collection.ts';
import { type ApiStore, createObjectStore, type StoreOptions } from '../../../local/practice-hub/store/object-store.ts';
import type { KubeObject, StoreChange } from '../../../local/practice-hub/store/objects.ts';

type Listener = (change: StoreChange) => void;

export interface Backup {
  readonly revision: number;
  /** By plural name of the kind. */
  readonly objects: ReadonlyMap<string, readonly KubeObject[]>;
}

export class RestorableStore implements ApiStore {
  readonly #options: StoreOptions;
  readonly #listeners = new Map<Listener, () => void>();
  #store: ApiStore;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#store = createObjectStore(options);
  }

  backup(): Backup {
    const objects = new Map(kinds.map(({ storeName }) => [storeName, this.#store.list(storeName)] as const));
    return { revision: this.#store.revision(), objects };
  }

  /** Calls the listeners for changes that a controller finds when it lists all objects. */
  announce(changes: readonly StoreChange[]): void {
    for (const change of changes) for (const listener of [...this.#listeners.keys()]) listener(change);
  }

  /** Replaces all objects without a change for the listeners. Versions continue from `revision`. */
  replace({ objects, revision }: Backup): void {
    const load = () => ({ revision, objects: [...objects.values()].flat() });
    this.#store = createObjectStore({ ...this.#options, changeLog: { load, append: () => undefined } });
    for (const listener of this.#listeners.keys()) this.#listeners.set(listener, this.#store.onChange(listener));
  }

  revision: ApiStore['revision'] = () => this.#store.revision();
  get: ApiStore['get'] = (plural, key) => this.#store.get(plural, key);
  list: ApiStore['list'] = (plural, namespace) => this.#store.list(plural, namespace);
  create: ApiStore['create'] = (plural, object, by) => this.#store.create(plural, object, by);
  patch: ApiStore['patch'] = (plural, key, patch, by) => this.#store.patch(plural, key, patch, by);
  edit: ApiStore['edit'] = (plural, key, edit, by) => this.#store.edit(plural, key, edit, by);
  apply: ApiStore['apply'] = (plural, key, apply, by) => this.#store.apply(plural, key, apply, by);
  delete: ApiStore['delete'] = (plural, key, by, preconditions) => this.#store.delete(plural, key, by, preconditions);

  onChange(listener: Listener): () => void {
    this.#listeners.set(listener, this.#store.onChange(listener));
    return () => {
      this.#listeners.get(listener)?.();
      this.#listeners.delete(listener);
    };
  }
}

/** The changes from one state of a hub to another, as a controller finds them that lists all objects. */
export function changesBetween(before: Backup, after: Backup): readonly StoreChange[] {
  return kinds.flatMap(({ storeName: plural }) => {
    const [old, now] = [before, after].map(
      ({ objects }) =>
        new Map(
          (objects.get(plural) ?? []).map((object) => [`${keyText(keyOf(object))} ${object.metadata.uid}`, object]),
        ),
    ) as [Map<string, KubeObject>, Map<string, KubeObject>];
    const gone = [...old]
      .filter(([key]) => !now.has(key))
      .map(([, object]) => ({ type: 'DELETED', plural, object, previous: object }) as const);
    const others = [...now].flatMap(([key, object]): readonly StoreChange[] => {
      const previous = old.get(key);
      if (previous === undefined) return [{ type: 'ADDED', plural, object }];
      return previous.metadata.resourceVersion === object.metadata.resourceVersion
        ? []
        : [{ type: 'MODIFIED', plural, object, previous }];
    });
    return [...gone, ...others];
  });
}
