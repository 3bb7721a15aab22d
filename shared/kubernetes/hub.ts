/** A hub: the Kubernetes API of a Karmada or Open Cluster Management control plane. */
import type { Fault } from '../core/fault.ts';
import type { Instant } from '../core/time.ts';
import type { HubFeature } from './hub-features.ts';
import type { Pause } from './hub-pause.ts';
import type { ObjectKey } from './object-key.ts';
import type { Resource } from './resource.ts';

/**
 * The result of a conditional write. `missing`: the object does not exist (404). `conflict`: it changed since it was read
 * (409): read again. All other errors are thrown as a Fault.
 */
export type Written<T> =
  /** `object`, after the write, is parsed on access, which throws a Fault if it is invalid. */
  { readonly result: 'done'; readonly object: T } | { readonly result: 'missing' } | { readonly result: 'conflict' };

export interface Patch {
  /** A JSON merge patch (RFC 7386). With metadata.resourceVersion, the write is conditional. */
  readonly merge: object;
  readonly subresource?: 'status';
}

/** A delete succeeds only for this object in this version. */
export interface Preconditions {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object to be created; apiVersion and kind are its resource's. */
export interface NewObject {
  readonly metadata: { readonly name: string; readonly namespace?: string } & Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** The identity of an object, without its body: cheap for large objects. */
export interface Identity {
  readonly uid: string;
  readonly generation: number;
}

/**
 * Minimum freshness of a read. By default it is live. `notOlderThan`: at least that resourceVersion, if
 * that suffices: the API server then answers from its cache, and a large object costs it a tenth or less.
 */
export interface Freshness {
  readonly notOlderThan?: string | undefined;
}

/** Selects objects of a kind: by namespace, or by label selector. */
export interface Within {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

export interface ListOptions extends Within {
  /** Only objects of this name, of all namespaces. */
  readonly named?: string;
  /** Receives the resourceVersion that the list shows, before its first page; again if the list restarts. */
  readonly onVersion?: (resourceVersion: string) => void;
  /** Continues an earlier list with the page of this token; '' is the first page. */
  readonly from?: string;
  /** Receives the token of the next page, or '' after the last, when a page is handled: the caller requests what follows it. */
  readonly onHandled?: (next: string) => void;
}

/** What changed of a kind after a version. */
export interface Changes<T> {
  /** All changes up to this version are in `changed`. */
  readonly version: string;
  /** The last state of each changed object, by keyText; undefined if it was deleted or is invalid. */
  readonly changed: ReadonlyMap<string, T | undefined>;
}

export interface Hub {
  readonly name: string;
  /** The hub's clock in its last response, in whole seconds. Absent before the first, and without a Date header. */
  readonly serverTime?: Instant | undefined;
  /** A member cluster, through the hub's proxy (cluster.karmada.io/v1alpha1, clusters/proxy), within the hub's concurrency limit. */
  member(cluster: string): Hub;
  /** A live read; undefined if the object does not exist. */
  get<T>(resource: Resource<T>, key: ObjectKey, freshness?: Freshness): Promise<T | undefined>;
  /** A live read of metadata only; undefined if the object does not exist. */
  identify(resource: Resource<unknown>, key: ObjectKey, freshness?: Freshness): Promise<Identity | undefined>;
  /**
   * Reads many in as few requests as possible; keys without an object are absent from the map, which is keyed by keyText. `onFault` receives
   * the errors of unreadable objects, which are absent too; without it the first such Fault is thrown.
   */
  getMany<T>(
    resource: Resource<T>,
    keys: readonly ObjectKey[],
    onFault?: (fault: Fault) => void,
  ): Promise<ReadonlyMap<string, T>>;
  /** All objects of a kind, page by page, in the API's order. If a page expired (410), the list goes on in the API server's present state, or restarts, so an object may occur twice; an invalid object is reported and omitted. */
  list<T>(resource: Resource<T>, options?: ListOptions): AsyncIterable<readonly T[]>;
  /**
   * The changes after this version until now. Undefined if they can't be followed, so that a list is needed: the hub has forgotten the version or is
   * before it, does not serve the kind, may not be watched, or thousands of objects changed. An invalid object is reported.
   */
  changes<T>(resource: Resource<T>, from: string): Promise<Changes<T> | undefined>;
  /** `conflict`: an object of that name exists. The object is written unchanged, with its metadata. */
  create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>>;
  patch<T>(resource: Resource<T>, key: ObjectKey, patch: Patch): Promise<Written<T>>;
  /**
   * Server-side apply with the field manager `evenkeel` and force: creates the object, or sets the given fields and preserves
   * other fields. `conflict`: metadata.resourceVersion was given and is outdated.
   */
  apply<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>>;
  delete(resource: Resource<unknown>, key: ObjectKey, preconditions: Preconditions): Promise<Written<undefined>>;
}

export interface Hubs {
  /** Names of all registered hubs that are not being removed. */
  names(): Promise<readonly string[]>;
  /**
   * The hub of this name, for writes: throws a Fault `HubPaused` while it is paused, and a terminal Fault if it is not registered or its
   * connection does not parse.
   */
  connect(name: string): Promise<Hub>;
  /** The same, also while it is paused: for users' reads. */
  open(name: string): Promise<Hub>;
  /** Read again, or at most a second old. */
  pauseOf(name: string): Promise<Pause | undefined>;
  /** Whether the hub's connection has an estimator for its members. */
  hasEstimator(name: string): Promise<boolean>;
  /** Whether the hub is registered with the feature. Sends no request to the hub. */
  uses(name: string, feature: HubFeature): Promise<boolean>;
}
