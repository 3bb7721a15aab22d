/** The hub port straight on the practice hub's store: a hub without a network, on which a test can make any call fail. */
import { fieldSelector, labelSelector } from '../../local/practice-hub/api/selectors.ts';
import { type StreamedEvent, Watches } from '../../local/practice-hub/api/watches.ts';
import { kinds } from '../../local/practice-hub/store/kinds.ts';
import type { ApiStore } from '../../local/practice-hub/store/object-store.ts';
import { StatusError } from '../../local/practice-hub/store/status-error.ts';
import { Fault } from '../../shared/core/fault.ts';
import type {
  Changes,
  Hub,
  Identity,
  ListOptions,
  NewObject,
  Patch,
  Preconditions,
  Written,
} from '../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { apiVersionOf, type Resource } from '../../shared/kubernetes/resource.ts';

export interface HubCall {
  readonly verb: 'get' | 'identify' | 'list' | 'watch' | 'create' | 'patch' | 'apply' | 'delete';
  readonly plural: string;
  readonly name: string;
  readonly subresource?: string;
  /** Of an apply: the same name is applied in many. */
  readonly namespace?: string;
}

/** Stands in a call's way: what it throws, the caller gets. `after` runs when the call was carried out: throwing then is a lost reply. */
export interface Interference {
  before?: (call: HubCall) => void;
  after?: (call: HubCall) => void;
}

const us = { username: 'system:serviceaccount:evenkeel:evenkeel', manager: 'evenkeel' };

export class StoreHub implements Hub {
  readonly name: string;
  readonly calls: HubCall[] = [];
  /** Member clusters that can be reached through this hub. */
  readonly members = new Map<string, Hub>();
  interference: Interference = {};
  /** True while a call of ours changes the store and notifies its listeners. */
  isWriting = false;
  readonly #store: ApiStore;
  #watches: Watches;

  constructor(name: string, store: ApiStore) {
    this.name = name;
    this.#store = store;
    this.#watches = new Watches(store);
  }

  /** Watches from a version before now return 410. */
  forgetVersions(): void {
    this.#watches = new Watches(this.#store);
  }

  member(cluster: string): Hub {
    const member = this.members.get(cluster);
    if (member === undefined) throw passing('ClusterNotFound');
    return member;
  }

  async get<T>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    return this.#do({ verb: 'get', plural: resource.plural, name: key.name }, () => {
      const object = this.#store.get(storeName(resource), key);
      return object && resource.parse(object);
    });
  }

  async identify(resource: Resource<unknown>, key: ObjectKey): Promise<Identity | undefined> {
    return this.#do({ verb: 'identify', plural: resource.plural, name: key.name }, () => {
      const object = this.#store.get(storeName(resource), key);
      return object && { uid: object.metadata.uid, generation: object.metadata.generation };
    });
  }

  async getMany<T>(resource: Resource<T>, keys: readonly ObjectKey[]): Promise<ReadonlyMap<string, T>> {
    return this.#do({ verb: 'list', plural: resource.plural, name: '' }, () => {
      const found = keys.flatMap((key) => {
        const object = this.#store.get(storeName(resource), key);
        return object ? [[keyText(key), resource.parse(object)] as const] : [];
      });
      return new Map(found);
    });
  }

  async *list<T>(resource: Resource<T>, within: ListOptions = {}): AsyncIterable<readonly T[]> {
    const byLabel = labelSelector(within.labelSelector ?? '');
    const byName = fieldSelector(within.named === undefined ? '' : `metadata.name=${within.named}`);
    yield this.#do({ verb: 'list', plural: resource.plural, name: '' }, () => {
      within.onVersion?.(String(this.#store.revision()));
      return this.#store
        .list(storeName(resource), within.namespace)
        .filter((object) => byLabel(object) && byName(object))
        .map(resource.parse);
    });
  }

  async changes<T>(resource: Resource<T>, from: string): Promise<Changes<T> | undefined> {
    const { plural } = resource;
    return this.#do({ verb: 'watch', plural, name: '' }, () => {
      const changed = new Map<string, T | undefined>();
      const see = ({ type, object }: StreamedEvent) => {
        const { namespace = '', name } = object.metadata;
        changed.set(keyText({ namespace, name }), type === 'DELETED' ? undefined : resource.parse(object));
      };
      try {
        const request = { plural: storeName(resource), matches: () => true, resourceVersion: from };
        this.#watches.watch(request, see)();
      } catch (thrown) {
        if (thrown instanceof StatusError && thrown.code === 410) return undefined;
        throw thrown;
      }
      return { version: String(this.#store.revision()), changed };
    });
  }

  async create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>> {
    return this.#write({ verb: 'create', plural: resource.plural, name: object.metadata.name }, () => {
      const whole = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
      return resource.parse(this.#store.create(storeName(resource), whole, us));
    });
  }

  async patch<T>(resource: Resource<T>, key: ObjectKey, { merge, subresource }: Patch): Promise<Written<T>> {
    const call = {
      verb: 'patch',
      plural: resource.plural,
      name: key.name,
      ...(subresource && { subresource }),
    } as const;
    return this.#write(call, () => {
      const patch = { type: 'merge', body: merge, ...(subresource && { subresource }) } as const;
      return resource.parse(this.#store.patch(storeName(resource), key, patch, us));
    });
  }

  async apply<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>> {
    const { namespace = '', name } = object.metadata;
    return this.#write({ verb: 'apply', plural: resource.plural, name, namespace }, () => {
      const config = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
      const key = { namespace, name };
      return resource.parse(this.#store.apply(storeName(resource), key, { config, force: true }, us).object);
    });
  }

  async delete(resource: Resource<unknown>, key: ObjectKey, preconditions: Preconditions): Promise<Written<undefined>> {
    return this.#write({ verb: 'delete', plural: resource.plural, name: key.name }, () => {
      this.#store.delete(storeName(resource), key, us, { ...preconditions });
      return undefined;
    });
  }

  #do<T>(call: HubCall, action: () => T): T {
    this.calls.push(call);
    this.interference.before?.(call);
    const result = this.#acting(action);
    this.interference.after?.(call);
    return result;
  }

  #acting<T>(action: () => T): T {
    this.isWriting = true;
    try {
      return action();
    } finally {
      this.isWriting = false;
    }
  }

  #write<T>(call: HubCall, action: () => T): Written<T> {
    try {
      return { result: 'done', object: this.#do(call, action) };
    } catch (thrown) {
      if (!(thrown instanceof StatusError)) throw thrown;
      if (thrown.code === 404) return { result: 'missing' };
      if (thrown.code === 409) return { result: 'conflict' };
      throw new Fault('retryable', thrown.message, { reason: thrown.reason });
    }
  }
}

/** What the store calls it; of a kind that is not served, as it would. */
export function storeName({ group, plural }: Pick<Resource<unknown>, 'group' | 'plural'>): string {
  const kind = kinds.find((each) => each.group === group && each.plural === plural);
  return kind === undefined ? plural : kind.storeName;
}

/** A passing trouble, as a hub that is busy or away makes it. */
export function passing(reason = 'HubUnreachable'): Fault {
  return new Fault('retryable', `the hub: ${reason}`, { reason });
}
