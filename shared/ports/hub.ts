/** A hub: the Kubernetes API of a Karmada or Open Cluster Management control plane. */
import type { ObjectKey } from '../model/object-key.ts';
import type { Resource } from '../model/resource.ts';

/**
 * What became of a conditional write. `missing`: the object is not there (404). `conflict`: it is not as it was read
 * (409): read again. Everything else is thrown as a Fault.
 */
export type Written<T> =
  | { readonly verdict: 'done'; readonly object: T }
  | { readonly verdict: 'missing' }
  | { readonly verdict: 'conflict' };

export interface Patch {
  /** A JSON merge patch (RFC 7386). With metadata.resourceVersion in it, the write is conditional. */
  readonly merge: object;
  readonly subresource?: 'status';
}

/** A delete goes through only for this object in this version. */
export interface Preconditions {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object to be created; apiVersion and kind are its resource's. */
export interface NewObject {
  readonly metadata: { readonly name: string; readonly namespace?: string } & Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Who an object is, without its body: cheap for large objects. */
export interface Identity {
  readonly uid: string;
  readonly generation: number;
}

/** Which objects of a kind: those of a namespace, those that a label selector takes. */
export interface Within {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

export interface Hub {
  readonly name: string;
  /** A member cluster, reached through the hub's proxy (cluster.karmada.io/v1alpha1, clusters/proxy), within the hub's budget. */
  member(cluster: string): Hub;
  /** A live read; undefined where there is no such object. */
  get<T>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined>;
  /** A live read of metadata only; undefined where there is no such object. */
  identify(resource: Resource<unknown>, key: ObjectKey): Promise<Identity | undefined>;
  /** Reads many in as few requests as it can; keys without an object are absent from the map, which is keyed by keyText. */
  getMany<T>(resource: Resource<T>, keys: readonly ObjectKey[]): Promise<ReadonlyMap<string, T>>;
  /** All objects of a kind, page by page, in the API's order. A page that expired (410) starts the list anew, so an object may come twice; one that can't be read is reported and left out. */
  list<T>(resource: Resource<T>, within?: Within): AsyncIterable<readonly T[]>;
  /** `conflict`: there is one of that name. The object is written as it is, with its metadata. */
  create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>>;
  patch<T>(resource: Resource<T>, key: ObjectKey, patch: Patch): Promise<Written<T>>;
  delete(resource: Resource<unknown>, key: ObjectKey, preconditions: Preconditions): Promise<Written<undefined>>;
}

/** Who calls the hook, as the request shows it; a part that it does not show is empty. */
export interface Caller {
  readonly bearer: string;
  /** Subject of the client certificate that the endpoint has verified against its truststore. */
  readonly subject: string;
}

export interface Hubs {
  /** The hub of this name; a terminal Fault where none is configured or its connection does not parse. */
  connect(name: string): Promise<Hub>;
  /** Whether the caller may raise events for the hub; false as well where the hub is unknown. */
  mayRaiseEvents(name: string, caller: Caller): Promise<boolean>;
  /** Whether this is a key of the hub's admission webhook; false as well where the hub is unknown. */
  holdsReviewKey(name: string, key: string): Promise<boolean>;
  /** Whether the hub's connection says how its members are asked about their replicas. */
  hasEstimator(name: string): Promise<boolean>;
  /** The user name by which the hub knows us; undefined where its connection does not say. */
  accountOf(name: string): Promise<string | undefined>;
}
