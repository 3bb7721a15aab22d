/** A hub: the Kubernetes API of a Karmada or Open Cluster Management control plane. */
import type { Pause } from '../model/hub-pause.ts';
import type { ObjectKey } from '../model/object-key.ts';
import type { Resource } from '../model/resource.ts';

/**
 * What became of a conditional write. `missing`: the object is not there (404). `conflict`: it is not as it was read
 * (409): read again. Everything else is thrown as a Fault.
 */
export type Written<T> =
  /** `object`, as the write left it, is read when it is asked for: a Fault then where it can't be. */
  { readonly verdict: 'done'; readonly object: T } | { readonly verdict: 'missing' } | { readonly verdict: 'conflict' };

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

/**
 * How new a read has to be. By default as new as the hub itself. `notOlderThan`: as new as that resourceVersion, where
 * that is enough: the API server then answers from memory, and a large object costs it a tenth or less.
 */
export interface Freshness {
  readonly notOlderThan?: string | undefined;
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
  get<T>(resource: Resource<T>, key: ObjectKey, freshness?: Freshness): Promise<T | undefined>;
  /** A live read of metadata only; undefined where there is no such object. */
  identify(resource: Resource<unknown>, key: ObjectKey, freshness?: Freshness): Promise<Identity | undefined>;
  /** Reads many in as few requests as it can; keys without an object are absent from the map, which is keyed by keyText. */
  getMany<T>(resource: Resource<T>, keys: readonly ObjectKey[]): Promise<ReadonlyMap<string, T>>;
  /** All objects of a kind, page by page, in the API's order. A page that expired (410) starts the list anew, so an object may come twice; one that can't be read is reported and left out. */
  list<T>(resource: Resource<T>, within?: Within): AsyncIterable<readonly T[]>;
  /** `conflict`: there is one of that name. The object is written as it is, with its metadata. */
  create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>>;
  patch<T>(resource: Resource<T>, key: ObjectKey, patch: Patch): Promise<Written<T>>;
  /**
   * Server-side apply by the field manager `evenkeel`, with force: creates the object, or makes it say what is said here and leaves
   * alone what others say beside it. `conflict`: metadata.resourceVersion was given and is not the object's any more.
   */
  apply<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>>;
  delete(resource: Resource<unknown>, key: ObjectKey, preconditions: Preconditions): Promise<Written<undefined>>;
}

/** Who calls the hook, as the request shows it; a part that it does not show is empty. */
export interface Caller {
  readonly bearer: string;
  /** Subject of the client certificate that the endpoint has verified against its truststore. */
  readonly subject: string;
}

export interface Hubs {
  /** Of all that are configured. */
  names(): Promise<readonly string[]>;
  /**
   * The hub of this name, for our own work: a Fault `HubPaused` while it is paused. A terminal Fault where none is configured or its
   * connection does not parse.
   */
  connect(name: string): Promise<Hub>;
  /** The same also while it is paused: for people's questions, which write nothing. */
  open(name: string): Promise<Hub>;
  /** Read anew, or as of a second ago at most. */
  pauseOf(name: string): Promise<Pause | undefined>;
  /** Whether the caller may raise events for the hub; false as well where the hub is unknown. */
  mayRaiseEvents(name: string, caller: Caller): Promise<boolean>;
  /** Whether this is a key of the hub's admission webhook; false as well where the hub is unknown. */
  holdsReviewKey(name: string, key: string): Promise<boolean>;
  /** Whether the hub's connection says how its members are asked about their replicas. */
  hasEstimator(name: string): Promise<boolean>;
  /** The user name by which the hub knows us; undefined where its connection does not say. */
  accountOf(name: string): Promise<string | undefined>;
}
