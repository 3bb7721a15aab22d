/** The hub port on a Kubernetes API server. */
import { asFault, Fault } from '../../core/fault.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Instant } from '../../core/time.ts';
import type {
  Changes,
  Freshness,
  Hub,
  Identity,
  ListOptions,
  NewObject,
  Patch,
  Preconditions,
  Written,
} from '../hub.ts';
import { keyText, type ObjectKey } from '../object-key.ts';
import { apiVersionOf, FIELD_MANAGER, type Resource, resourcePath } from '../resource.ts';
import { errorStatusFault } from './error-status.ts';
import type { HubClient } from './hub-client.ts';
import { readChanges } from './read-changes.ts';
import { findAmongPages, type HubPage } from './read-many.ts';
import type { ApiResponse } from './transport.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const METADATA_ONLY_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const LIST_RESTARTS = 3;
/** Far above any real list: five million objects in pages of 500. */
const LIST_PAGES = 10_000;

export interface HubParts {
  readonly client: HubClient;
  /** Called for each object that a list omits because it can't be parsed. */
  readonly onUnreadable: (fault: Fault) => void;
}

export class KubernetesHub implements Hub {
  readonly name: string;
  readonly #client: HubClient;
  readonly #onUnreadable: (fault: Fault) => void;

  constructor(name: string, { client, onUnreadable }: HubParts) {
    this.name = name;
    this.#client = client;
    this.#onUnreadable = onUnreadable;
  }

  get serverTime(): Instant | undefined {
    return this.#client.serverTime;
  }

  member(cluster: string): Hub {
    const proxy = `/apis/cluster.karmada.io/v1alpha1/clusters/${encodeURIComponent(cluster)}/proxy`;
    const client = this.#client.behind(proxy);
    return new KubernetesHub(`${this.name}/${cluster}`, { client, onUnreadable: this.#onUnreadable });
  }

  async get<T>(resource: Resource<T>, key: ObjectKey, freshness: Freshness = {}): Promise<T | undefined> {
    const accept = resource.metadataOnly && METADATA_ONLY;
    const response = await this.#read(resourcePath(resource, key), freshness, accept || undefined);
    return response.status === 404
      ? undefined
      : resource.parse(accepted(this.name, response, `get ${resource.plural}`));
  }

  async identify(
    resource: Resource<unknown>,
    key: ObjectKey,
    freshness: Freshness = {},
  ): Promise<Identity | undefined> {
    const response = await this.#read(resourcePath(resource, key), freshness, METADATA_ONLY);
    if (response.status === 404) return undefined;
    const { metadata } = accepted(this.name, response, `get ${resource.plural}`) as { metadata: Identity };
    return { uid: metadata.uid, generation: metadata.generation };
  }

  /** A hub restored from a backup never reaches the requested version and returns 504: then its current state is read. */
  async #read(path: string, { notOlderThan }: Freshness, accept: string | undefined): Promise<ApiResponse> {
    const live = { method: 'GET', path, ...(accept !== undefined && { accept }) } as const;
    if (notOlderThan === undefined) return this.#client.send(live);
    const kept = { ...live, path: `${path}?resourceVersion=${encodeURIComponent(notOlderThan)}` };
    const response = await this.#client.send(kept);
    return response.status === 504 ? this.#client.send(live) : response;
  }

  async getMany<T>(
    resource: Resource<T>,
    keys: readonly ObjectKey[],
    onFault: (fault: Fault) => void = raise,
  ): Promise<ReadonlyMap<string, T>> {
    const namespaces = groupBy(keys, ({ namespace }) => namespace);
    const found = await Promise.all(
      [...namespaces].map(([namespace, wanted]) =>
        findAmongPages(wanted, {
          getOne: (key) => this.get(resource, key),
          pages: (first) => this.#pages(resource, { namespace }, first),
          pageSize: resource.pageSize,
          parse: resource.parse,
          onFault,
        }),
      ),
    );
    return new Map(found.flatMap((objects) => [...objects]).map(([key, object]) => [keyText(key), object]));
  }

  async *list<T>(resource: Resource<T>, options: ListOptions = {}): AsyncIterable<readonly T[]> {
    for await (const page of this.#pages(resource, options))
      yield page.items.flatMap((item) => this.#readable(resource, item));
  }

  /** An object that can't be parsed is reported and omitted, so that the rest of its page is still usable. */
  #readable<T>(resource: Resource<T>, item: unknown): T[] {
    try {
      return [resource.parse(item)];
    } catch (thrown) {
      this.#onUnreadable(asFault(thrown));
      return [];
    }
  }

  async *#pages(
    resource: Resource<unknown>,
    { namespace = '', onVersion, from = '', onHandled, ...selectors }: ListOptions,
    first = resource.pageSize,
  ): AsyncIterable<HubPage> {
    const selected = selectorQuery(selectors);
    let token = from;
    const tokens = new Set<string>();
    for (let restarts = 0; ; ) {
      const limit = token === '' ? first : resource.pageSize;
      const query = `?limit=${limit}${selected}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
      const response = await this.#client.send({
        method: 'GET',
        path: `${resourcePath(resource, { namespace })}${query}`,
        ...(resource.metadataOnly && { accept: METADATA_ONLY_LIST }),
      });
      if (response.status === 410 && token !== '' && restarts < LIST_RESTARTS) {
        restarts += 1;
        token = continueOf(response.body);
        tokens.clear();
        continue;
      }
      const page = toPage(accepted(this.name, response, `list ${resource.plural}`));
      if (token === '') onVersion?.(page.resourceVersion);
      yield page;
      onHandled?.(page.continue);
      if (page.continue === '') return;
      token = page.continue;
      if (tokens.has(token)) throw endless(this.name, resource, 'repeats a continue token');
      tokens.add(token);
      if (tokens.size >= LIST_PAGES) throw endless(this.name, resource, `has more than ${LIST_PAGES} pages`);
    }
  }

  changes<T>(resource: Resource<T>, from: string): Promise<Changes<T> | undefined> {
    return readChanges({ hub: this.name, client: this.#client, onUnreadable: this.#onUnreadable }, resource, from);
  }

  async create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>> {
    const { namespace = '' } = object.metadata;
    const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
    const response = await this.#client.send({ method: 'POST', path: resourcePath(resource, { namespace }), body });
    return this.#written(response, `create ${resource.plural}`, resource.parse);
  }

  async patch<T>(resource: Resource<T>, key: ObjectKey, { merge, subresource }: Patch): Promise<Written<T>> {
    const path = `${resourcePath(resource, key)}${subresource ? `/${subresource}` : ''}`;
    const response = await this.#client.send({
      method: 'PATCH',
      path,
      body: merge,
      contentType: MERGE_PATCH,
      ...(resource.metadataOnly && { accept: METADATA_ONLY }),
    });
    return this.#written(response, `patch ${resource.plural}`, resource.parse);
  }

  async apply<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>> {
    const { namespace = '', name } = object.metadata;
    const path = `${resourcePath(resource, { namespace, name })}?fieldManager=${FIELD_MANAGER}&force=true`;
    // JSON is YAML too.
    const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
    const response = await this.#client.send({ method: 'PATCH', path, body, contentType: APPLY_PATCH });
    return this.#written(response, `apply ${resource.plural}`, resource.parse);
  }

  async delete(resource: Resource<unknown>, key: ObjectKey, preconditions: Preconditions): Promise<Written<undefined>> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    const response = await this.#client.send({ method: 'DELETE', path: resourcePath(resource, key), body });
    return this.#written(response, `delete ${resource.plural}`, () => undefined);
  }

  #written<T>(response: ApiResponse, what: string, parse: (object: unknown) => T): Written<T> {
    if (response.status === 404) return { result: 'missing' };
    if (response.status === 409) return { result: 'conflict' };
    assertAccepted(this.name, response, what);
    let read: { readonly object: T } | undefined;
    return {
      result: 'done',
      get object() {
        return (read ??= { object: parse(response.body) }).object;
      },
    };
  }
}

function endless(hub: string, { plural }: Resource<unknown>, what: string): Fault {
  return new Fault('retryable', `hub ${hub}: the list of ${plural} ${what}; it would never end`, {
    reason: 'EndlessList',
  });
}

function selectorQuery({ labelSelector, named }: Pick<ListOptions, 'labelSelector' | 'named'>): string {
  const byLabel = labelSelector === undefined ? '' : `&labelSelector=${encodeURIComponent(labelSelector)}`;
  const byName = named === undefined ? '' : `&fieldSelector=${encodeURIComponent(`metadata.name=${named}`)}`;
  return `${byLabel}${byName}`;
}

function raise(fault: Fault): never {
  throw fault;
}

function toPage(list: unknown): HubPage {
  const { items, metadata } = list as {
    items?: readonly unknown[] | null;
    metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  };
  const { resourceVersion = '', continue: token = '', remainingItemCount: remaining = 0 } = metadata ?? {};
  return { items: items ?? [], resourceVersion, continue: token, remaining };
}

/** The token in a response of status 410, with which the list goes on in the API server's present state; '' to begin again. */
function continueOf(status: unknown): string {
  const { metadata } = (status ?? {}) as { metadata?: { continue?: string } };
  return metadata?.continue ?? '';
}

/** The body of a success; else a Fault. */
function accepted(hub: string, response: ApiResponse, what: string): unknown {
  assertAccepted(hub, response, what);
  return response.body;
}

function assertAccepted(hub: string, response: ApiResponse, what: string): void {
  if (response.status < 200 || response.status >= 300) throw errorStatusFault(`hub ${hub}`, response, what);
}
