/** The hub port on a Kubernetes API server. */
import { asFault, type Fault } from '../../model/fault.ts';
import { FIELD_MANAGER } from '../../model/field-manager.ts';
import { keyText, type ObjectKey } from '../../model/object-key.ts';
import { apiVersionOf, type Resource, resourcePath } from '../../model/resource.ts';
import type { Freshness, Hub, Identity, NewObject, Patch, Preconditions, Within, Written } from '../../ports/hub.ts';
import type { Line } from './hub-line.ts';
import { findAmongPages, type HubPage } from './read-many.ts';
import { refusal } from './refusal.ts';
import type { ApiResponse } from './transport.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const METADATA_ONLY_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const LIST_RESTARTS = 3;

export interface HubParts {
  readonly line: Line;
  /** Told of each object in a list that was left out because it can't be read. */
  readonly onUnreadable: (fault: Fault) => void;
}

export class KubernetesHub implements Hub {
  readonly name: string;
  readonly #line: Line;
  readonly #onUnreadable: (fault: Fault) => void;

  constructor(name: string, { line, onUnreadable }: HubParts) {
    this.name = name;
    this.#line = line;
    this.#onUnreadable = onUnreadable;
  }

  member(cluster: string): Hub {
    const proxy = `/apis/cluster.karmada.io/v1alpha1/clusters/${encodeURIComponent(cluster)}/proxy`;
    const line = this.#line.behind(proxy);
    return new KubernetesHub(`${this.name}/${cluster}`, { line, onUnreadable: this.#onUnreadable });
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

  /** A hub restored from a backup never gets as far as the version that is asked for, and says so (504): then what it has is the truth. */
  async #read(path: string, { notOlderThan }: Freshness, accept: string | undefined): Promise<ApiResponse> {
    const live = { method: 'GET', path, ...(accept !== undefined && { accept }) } as const;
    if (notOlderThan === undefined) return this.#line.send(live);
    const kept = { ...live, path: `${path}?resourceVersion=${encodeURIComponent(notOlderThan)}` };
    const response = await this.#line.send(kept);
    return response.status === 504 ? this.#line.send(live) : response;
  }

  async getMany<T>(resource: Resource<T>, keys: readonly ObjectKey[]): Promise<ReadonlyMap<string, T>> {
    const namespaces = Map.groupBy(keys, ({ namespace }) => namespace);
    const found = await Promise.all(
      [...namespaces].map(([namespace, wanted]) =>
        findAmongPages(wanted, {
          getOne: (key) => this.get(resource, key),
          pages: (first) => this.#pages(resource, { namespace }, first),
          pageSize: resource.pageSize,
          parse: resource.parse,
        }),
      ),
    );
    return new Map(found.flatMap((objects) => [...objects]).map(([key, object]) => [keyText(key), object]));
  }

  async *list<T>(resource: Resource<T>, within: Within = {}): AsyncIterable<readonly T[]> {
    for await (const page of this.#pages(resource, within))
      yield page.items.flatMap((item) => this.#readable(resource, item));
  }

  /** One object that can't be read is reported and left out: the others of its page are not to suffer for it. */
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
    { namespace = '', labelSelector }: Within,
    first = resource.pageSize,
  ): AsyncIterable<HubPage> {
    const selected = labelSelector === undefined ? '' : `&labelSelector=${encodeURIComponent(labelSelector)}`;
    let token = '';
    for (let restarts = 0; ; ) {
      const limit = token === '' ? first : resource.pageSize;
      const query = `?limit=${limit}${selected}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
      const response = await this.#line.send({
        method: 'GET',
        path: `${resourcePath(resource, { namespace })}${query}`,
        ...(resource.metadataOnly && { accept: METADATA_ONLY_LIST }),
      });
      if (response.status === 410 && token !== '' && restarts < LIST_RESTARTS) {
        restarts += 1;
        token = '';
        continue;
      }
      const page = toPage(accepted(this.name, response, `list ${resource.plural}`));
      yield page;
      if (page.continue === '') return;
      token = page.continue;
    }
  }

  async create<T>(resource: Resource<T>, object: NewObject): Promise<Written<T>> {
    const { namespace = '' } = object.metadata;
    const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
    const response = await this.#line.send({ method: 'POST', path: resourcePath(resource, { namespace }), body });
    return this.#written(response, `create ${resource.plural}`, resource.parse);
  }

  async patch<T>(resource: Resource<T>, key: ObjectKey, { merge, subresource }: Patch): Promise<Written<T>> {
    const path = `${resourcePath(resource, key)}${subresource ? `/${subresource}` : ''}`;
    const response = await this.#line.send({
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
    const response = await this.#line.send({ method: 'PATCH', path, body, contentType: APPLY_PATCH });
    return this.#written(response, `apply ${resource.plural}`, resource.parse);
  }

  async delete(resource: Resource<unknown>, key: ObjectKey, preconditions: Preconditions): Promise<Written<undefined>> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    const response = await this.#line.send({ method: 'DELETE', path: resourcePath(resource, key), body });
    return this.#written(response, `delete ${resource.plural}`, () => undefined);
  }

  #written<T>(response: ApiResponse, what: string, parse: (object: unknown) => T): Written<T> {
    if (response.status === 404) return { verdict: 'missing' };
    if (response.status === 409) return { verdict: 'conflict' };
    assertAccepted(this.name, response, what);
    let read: { readonly object: T } | undefined;
    return {
      verdict: 'done',
      get object() {
        return (read ??= { object: parse(response.body) }).object;
      },
    };
  }
}

function toPage(list: unknown): HubPage {
  const { items, metadata } = list as {
    items?: readonly unknown[] | null;
    metadata?: { continue?: string; remainingItemCount?: number };
  };
  return { items: items ?? [], continue: metadata?.continue ?? '', remaining: metadata?.remainingItemCount ?? 0 };
}

/** The body of a success; else a Fault. */
function accepted(hub: string, response: ApiResponse, what: string): unknown {
  assertAccepted(hub, response, what);
  return response.body;
}

function assertAccepted(hub: string, response: ApiResponse, what: string): void {
  if (response.status < 200 || response.status >= 300) throw refusal(`hub ${hub}`, response, what);
}
