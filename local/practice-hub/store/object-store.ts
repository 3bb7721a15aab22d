/** The practice hub's objects in memory, with the semantics of Kubernetes' storage, for its API and its controllers. */
import { type Instant, toTimestamp } from '../../../shared/core/time.ts';
import { AdmissionPolicies, type AdmissionWrite } from './admission-policies.ts';
import { ChangeFeed } from './change-feed.ts';
import type { KindDefinition } from './kind-definition.ts';
import { customDefinitions, kindOf, kindOfObject, kinds } from './kinds.ts';
import { chooseName } from './metadata-rules.ts';
import { keyOf, ObjectCollection } from './object-collection.ts';
import { check, decode, type Edit, firstVersion, nextVersion, type Submitted, type Writer } from './object-versions.ts';
import type { Applied, Key, KubeObject, ObjectStore, ServerSideApply, StoreChange, StorePatch } from './objects.ts';
import { jsonPatch, mergePatch } from './patches.ts';
import {
  checkDelete,
  checkFinalizers,
  checkNamespace,
  checkUnborn,
  checkWritten,
  otherNamespace,
} from './preconditions.ts';
import { applied } from './server-side-apply.ts';
import { alreadyExists, notFound, nothingServedHere, StatusError } from './status-error.ts';

/** etcd's limit for one value. */
const OBJECT_LIMIT = 1.5 * 1024 * 1024;
const DEFINITIONS = 'customresourcedefinitions';
const FIRST_NAMESPACES = ['default', 'karmada-system'];

/** Persistence of changes. `json` is the serialized object, created once for the size check and the journal. */
export interface ChangeLog {
  load(): { readonly revision: number; readonly objects: readonly KubeObject[] };
  append(change: StoreChange, json: string): void;
}

export interface StoreOptions {
  readonly now: () => Instant;
  readonly newUid: () => string;
  readonly changeLog?: ChangeLog;
}

/** Methods for the API server beyond those for controllers. */
export interface ApiStore extends ObjectStore {
  create(plural: string, object: unknown, by: Writer): KubeObject;
  /** Stores the result of `edit` on the current object: every PUT and PATCH. */
  edit(plural: string, key: Key, edit: Edit, by: Writer): KubeObject;
  apply(plural: string, key: Key, apply: ServerSideApply, by: Writer): Applied;
  delete(plural: string, key: Key, by: Writer, preconditions?: DeletePreconditions): KubeObject;
  /** The resourceVersion of the latest change. */
  revision(): number;
}

interface DeletePreconditions {
  uid?: string;
  resourceVersion?: string;
}

export function createObjectStore(options: StoreOptions): ApiStore {
  return new MemoryStore(options);
}

class MemoryStore implements ApiStore {
  readonly #options: StoreOptions;
  readonly #collections = new Map(kinds.map((kind) => [kind.storeName, new ObjectCollection()]));
  readonly #feed = new ChangeFeed();
  readonly #policies = new AdmissionPolicies((plural) => this.list(plural));
  #revision: number;

  constructor(options: StoreOptions) {
    this.#options = options;
    const loaded = options.changeLog?.load() ?? { revision: 0, objects: [] };
    this.#revision = loaded.revision;
    for (const object of loaded.objects) {
      const kind = kindOfObject(object);
      if (kind) this.#collection(kind.storeName).put(deepFreeze(object));
    }
    const by = { username: 'system:apiserver', manager: 'practice-hub' };
    for (const name of FIRST_NAMESPACES) {
      if (!this.get('namespaces', { namespace: '', name })) this.create('namespaces', { metadata: { name } }, by);
    }
    for (const object of customDefinitions) {
      if (this.get(DEFINITIONS, keyOf(object))) continue;
      const stamp = { uid: `definition-${object.metadata.name}`, time: toTimestamp(options.now()) };
      this.#commit('ADDED', DEFINITIONS, restamped(firstDefinition(object, by), stamp));
    }
  }

  revision(): number {
    return this.#revision;
  }

  get(plural: string, key: Key): KubeObject | undefined {
    return this.#collection(plural).get(key);
  }

  list(plural: string, namespace?: string): readonly KubeObject[] {
    const all = this.#collection(plural).list();
    return namespace ? all.filter(({ metadata }) => metadata.namespace === namespace) : all;
  }

  onChange(listener: (change: StoreChange) => void): () => void {
    return this.#feed.subscribe(listener);
  }

  create(plural: string, object: unknown, by: Writer): KubeObject {
    return this.#create(plural, object, by);
  }

  #create(plural: string, object: unknown, by: Writer, managedFields?: Edit['managedFields']): KubeObject {
    const kind = this.#kind(plural);
    const sent = decode(kind, asJson(object), by, 'create');
    if (sent.metadata.resourceVersion) {
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    }
    const uid = this.#options.newUid();
    const name = chooseName(kind, sent.metadata, uid);
    const key = { namespace: kind.namespaced ? (sent.metadata.namespace ?? '') : '', name };
    if (kind.namespaced) this.#checkNamespace(kind, key);
    const write = { kind, key, operation: 'CREATE', oldObject: null, username: by.username } as const;
    const submitted = this.#mutated(sent, write);
    const stamp = { now: this.#options.now(), by, ...(managedFields && { managedFields }) };
    const first = firstVersion(kind, submitted, { name, uid }, stamp);
    check(kind, first, name);
    this.#policies.validate({ ...write, object: first });
    if (this.get(plural, key)) throw alreadyExists(kind, name);
    if (by.dryRun) {
      const { resourceVersion: _, ...metadata } = first.metadata;
      return deepFreeze({ ...first, metadata } as KubeObject);
    }
    return this.#commit('ADDED', plural, first);
  }

  patch(plural: string, key: Key, patch: StorePatch, by: Writer): KubeObject {
    const apply = patch.type === 'json' ? jsonPatch : mergePatch;
    const body = asJson(patch.body);
    const { subresource } = patch;
    const edit: Edit = { verb: 'patch', ...(subresource && { subresource }), apply: (current) => apply(current, body) };
    return this.edit(plural, key, edit, by);
  }

  apply(plural: string, key: Key, { config, force, subresource }: ServerSideApply, by: Writer): Applied {
    const kind = this.#kind(plural);
    const current = this.get(plural, key);
    const stamp = { now: this.#options.now(), by, ...(subresource && { subresource }) };
    const { object, managedFields } = applied(kind, { current, config: asJson(config), force }, stamp);
    if (current === undefined && subresource === undefined) {
      checkUnborn(kind, key, config);
      return { object: this.#create(plural, object, by, managedFields), created: true };
    }
    const edit: Edit = { verb: 'patch', apply: () => object, managedFields, ...(subresource && { subresource }) };
    return { object: this.edit(plural, key, edit, by), created: false };
  }

  edit(plural: string, key: Key, edit: Edit, by: Writer): KubeObject {
    const kind = this.#kind(plural);
    if (edit.subresource && !kind.subresources.includes(edit.subresource)) throw nothingServedHere();
    const current = this.#existing(kind, key);
    const sent = decode(kind, edit.apply(current), by, edit.verb);
    checkWritten(kind, current, sent.metadata, edit.verb);
    const write = { kind, key, operation: 'UPDATE', oldObject: current, username: by.username } as const;
    const { subresource, managedFields } = edit;
    const how = { ...(subresource && { subresource }), ...(managedFields && { managedFields }) };
    const stamp = { now: this.#options.now(), by, ...how };
    const stamped = () => nextVersion(kind, current, sent, stamp).metadata.managedFields;
    const submitted = edit.subresource ? sent : this.#mutated(sent, write, stamped);
    const next = nextVersion(kind, current, submitted, stamp);
    if (next === current) return current;
    check(kind, next, key.name, current);
    checkFinalizers(kind, current, next);
    if (!edit.subresource) this.#policies.validate({ ...write, object: next });
    if (by.dryRun) return deepFreeze(next);
    const last = next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
    if (!last || plural !== 'namespaces') return this.#commit(last ? 'DELETED' : 'MODIFIED', plural, next);
    const stored = this.#commit('MODIFIED', plural, next);
    this.#endNamespace(key.name);
    return stored;
  }

  delete(plural: string, key: Key, by: Writer, preconditions: DeletePreconditions = {}): KubeObject {
    const kind = this.#kind(plural);
    const current = this.#existing(kind, key);
    checkDelete(kind, current, preconditions);
    if (plural === 'namespaces') return this.#deleteNamespace(current, by);
    const marked = this.#marked(current);
    const waits = (current.metadata.finalizers ?? []).length > 0;
    if (by.dryRun) return waits ? marked : current;
    if (!waits) return this.#commit('DELETED', plural, current);
    return marked === current ? current : this.#commit('MODIFIED', plural, marked);
  }

  /** The object after the policies' mutations; unknown fields that they add are pruned silently. Updates include managedFields. */
  #mutated(
    sent: Submitted,
    write: Omit<AdmissionWrite, 'object'>,
    stamped?: () => KubeObject['metadata']['managedFields'],
  ): Submitted {
    if (!this.#policies.mutates(write)) return sent;
    const given = stamped ? { ...sent, metadata: { ...sent.metadata, managedFields: stamped() } } : sent;
    const object = this.#policies.mutate({ ...write, object: given });
    const by = { username: write.username, manager: '' };
    return object === given ? sent : decode(write.kind, object, by, 'patch');
  }

  /** Sets deletionTimestamp; the time of the first delete is kept. */
  #marked(current: KubeObject): KubeObject {
    const { metadata } = current;
    if (metadata.deletionTimestamp !== undefined) return current;
    const deletionTimestamp = toTimestamp(this.#options.now());
    const generation = metadata.generation + 1;
    return { ...current, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: 0, generation } };
  }

  /** Deleting a namespace deletes its objects; it stays, terminating, until the last object with a finalizer is gone. */
  #deleteNamespace(namespace: KubeObject, by: Writer): KubeObject {
    const { name } = namespace.metadata;
    if (name === 'default') {
      const message = `namespaces "${name}" is forbidden: this namespace may not be deleted`;
      throw new StatusError(403, 'Forbidden', message, { name, kind: 'namespaces' });
    }
    const marked = { ...this.#marked(namespace), status: { phase: 'Terminating' } };
    if (by.dryRun || namespace.metadata.deletionTimestamp !== undefined) return marked;
    const stored = this.#commit('MODIFIED', 'namespaces', marked);
    for (const plural of kinds.filter((kind) => kind.namespaced).map(({ storeName }) => storeName)) {
      for (const object of this.list(plural, name)) this.delete(plural, keyOf(object), by);
    }
    this.#endNamespace(name);
    return stored;
  }

  #endNamespace(name: string): void {
    const namespace = this.get('namespaces', { namespace: '', name });
    if (namespace?.metadata.deletionTimestamp === undefined || namespace.metadata.finalizers?.length) return;
    if (kinds.some((kind) => kind.namespaced && this.list(kind.storeName, name).length > 0)) return;
    this.#commit('DELETED', 'namespaces', namespace);
  }

  /** Numbers the change, writes it to the journal, then publishes it. If the journal cannot be written, the change fails. */
  #commit(type: StoreChange['type'], plural: string, next: KubeObject): KubeObject {
    const resourceVersion = String(this.#revision + 1);
    const object = deepFreeze({ ...next, metadata: { ...next.metadata, resourceVersion } });
    const json = JSON.stringify(object);
    if (Buffer.byteLength(json) > OBJECT_LIMIT && type !== 'DELETED') {
      // A real API server returns 500 here, because etcd's error has no code of its own.
      throw new StatusError(413, 'RequestEntityTooLarge', 'etcdserver: request is too large');
    }
    const collection = this.#collection(plural);
    const previous = collection.get(keyOf(object));
    const change: StoreChange = { type, plural, object, ...(previous && { previous }) };
    this.#options.changeLog?.append(change, json);
    this.#revision += 1;
    if (type === 'DELETED') collection.remove(keyOf(object));
    else collection.put(object);
    this.#policies.changed(plural);
    this.#feed.notify(change);
    if (type === 'DELETED' && object.metadata.namespace !== undefined) this.#endNamespace(object.metadata.namespace);
    return object;
  }

  #checkNamespace(kind: KindDefinition, key: Key): void {
    if (key.namespace === '') throw otherNamespace();
    const namespace = this.get('namespaces', { namespace: '', name: key.namespace });
    if (!namespace) throw notFound({ group: '', kind: 'Namespace', plural: 'namespaces' }, key.namespace);
    checkNamespace(kind, namespace, key);
  }

  #existing(kind: KindDefinition, key: Key): KubeObject {
    const object = this.get(kind.storeName, key);
    if (!object) throw notFound(kind, key.name);
    return object;
  }

  #kind(plural: string): KindDefinition {
    const kind = kindOf(plural);
    if (!kind) throw nothingServedHere();
    return kind;
  }

  #collection(plural: string): ObjectCollection {
    const collection = this.#collections.get(plural);
    if (!collection) throw nothingServedHere();
    return collection;
  }
}

const firstDefinitions = new Map<KubeObject, KubeObject>();

/** A CustomResourceDefinition as every store first has it: the 18 take 6 ms, which thousands of stores in tests need not. */
function firstDefinition(object: KubeObject, by: Writer): KubeObject {
  const known = firstDefinitions.get(object);
  if (known !== undefined) return known;
  const kind = kindOf(DEFINITIONS);
  if (kind === undefined) throw nothingServedHere();
  const { name } = object.metadata;
  const first = firstVersion(kind, decode(kind, asJson(object), by, 'create'), { name, uid: '' }, { now: 0, by });
  check(kind, first, name);
  firstDefinitions.set(object, deepFreeze(first));
  return first;
}

function restamped(first: KubeObject, { uid, time }: { readonly uid: string; readonly time: string }): KubeObject {
  const managedFields = first.metadata.managedFields?.map((entry) => ({ ...entry, time })) ?? [];
  return { ...first, metadata: { ...first.metadata, uid, creationTimestamp: time, managedFields } };
}

/** A deep copy without undefined fields: controllers may pass any object, and the store freezes its own. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
