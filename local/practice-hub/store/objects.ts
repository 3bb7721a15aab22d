/** The practice hub's objects as its API serves them, and the interface of their store. */

export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Update' | 'Apply';
  apiVersion: string;
  time: string;
  subresource?: string;
  fieldsType?: 'FieldsV1';
  fieldsV1?: object;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
  [field: string]: unknown;
}

/** Any object. Objects from the store are frozen: use a patch for changes. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<ObjectMeta>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface Key {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** The user of a request; shown in audit events and managedFields. */
export interface Actor {
  readonly username: string;
  readonly manager: string;
}

export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Plural name of the kind, "resourcebindings". */
  readonly plural: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

export interface StorePatch {
  readonly type: 'merge' | 'json';
  readonly body: unknown;
  readonly subresource?: 'status';
}

export interface ServerSideApply {
  readonly config: unknown;
  /** Takes ownership of conflicting fields. */
  readonly force: boolean;
  readonly subresource?: 'status';
}

export interface Applied {
  readonly object: KubeObject;
  readonly created: boolean;
}

/**
 * The store behind the API, also used directly by the hub's own controllers. Every rejection is thrown as a StatusError
 * with the code, reason and message the API server would answer (400, 404, 409 Conflict, 409 AlreadyExists, 410, 422).
 */
export interface ObjectStore {
  create(plural: string, object: unknown, by: Actor): KubeObject;
  get(plural: string, key: Key): KubeObject | undefined;
  /** In the API's order: namespace, then name. */
  list(plural: string, namespace?: string): readonly KubeObject[];
  patch(plural: string, key: Key, patch: StorePatch, by: Actor): KubeObject;
  /** A server-side apply; creates the object if it does not exist. */
  apply(plural: string, key: Key, apply: ServerSideApply, by: Actor): Applied;
  delete(plural: string, key: Key, by: Actor, preconditions?: { uid?: string; resourceVersion?: string }): KubeObject;
  /** Called after each change, in order, synchronously; returns the unsubscribe function. */
  onChange(listener: (change: StoreChange) => void): () => void;
}
