/** The practice hub's API without HTTP: passes a request to the store, and returns the response. Reads are here. */
import type { Instant } from '../../../shared/core/time.ts';
import type { ApiStore } from '../store/object-store.ts';
import type { KubeObject } from '../store/objects.ts';
import { expired, notFound, StatusError } from '../store/status-error.ts';
import { ListPages, type Page } from './list-pages.ts';
import { type RepresentedKind, showObject, showPage } from './representations.ts';
import { methodNotAllowed, type PracticeRequest, resourceVersionOf, subresourceOf, wholeNumber } from './request.ts';
import { scaleOf } from './scale.ts';
import { fieldSelector, labelSelector, type Matches } from './selectors.ts';
import { create, patch, type Reply, remove, update } from './writes.ts';

export interface ApiAnswer {
  readonly code: number;
  readonly body: object;
  readonly warnings: readonly string[];
}

export interface RequestsOptions {
  readonly store: ApiStore;
  readonly now: () => Instant;
  /** Names the lists whose further pages are kept. */
  readonly newId: () => string;
}

export class Requests {
  readonly #store: ApiStore;
  readonly #pages: ListPages;

  constructor({ store, now, newId }: RequestsOptions) {
    this.#store = store;
    this.#pages = new ListPages(now, newId);
  }

  /** Executes the request. Throws a StatusError if it is rejected. */
  perform(request: PracticeRequest, view: RepresentedKind): ApiAnswer {
    switch (request.verb) {
      case 'get':
        return { code: 200, body: showObject(view, get(this.#store, request)), warnings: [] };
      case 'list':
        return { code: 200, body: showPage(view, list(this.#store, this.#pages, request)), warnings: [] };
      case 'create':
        return shown(create(this.#store, request), view);
      case 'update':
        return shown(update(this.#store, request), view);
      case 'patch':
        return shown(patch(this.#store, request), view);
      case 'delete':
        return shown(remove(this.#store, request), view);
      case 'watch':
      case 'deletecollection':
        throw methodNotAllowed();
    }
  }
}

function shown(reply: Reply, view: RepresentedKind): ApiAnswer {
  const body = 'object' in reply ? showObject(view, reply.object) : reply.status;
  return { code: reply.code, body, warnings: reply.warnings };
}

function get(store: ApiStore, request: PracticeRequest): KubeObject {
  const { kind, key } = request;
  const subresource = subresourceOf(request);
  const object = store.get(kind.storeName, key);
  if (!object) throw notFound(kind, key.name);
  return subresource === 'scale' ? scaleOf(kind, object) : object;
}

export function selection({ query, key, kind }: PracticeRequest): Matches {
  const byField = fieldSelector(query.get('fieldSelector') ?? '', kind.selectableFields);
  const byLabel = labelSelector(query.get('labelSelector') ?? '');
  const { namespace } = key;
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) && byField(object) && byLabel(object);
}

function list(store: ApiStore, pages: ListPages, request: PracticeRequest): Page {
  const { kind, key, query } = request;
  const limit = wholeNumber(query, 'limit') ?? 0;
  const token = query.get('continue');
  const path = `${key.namespace}/${kind.storeName}`;
  if (token) return pages.next(token, limit, path);
  const selected = query.has('fieldSelector') || query.has('labelSelector');
  const matches = selection(request);
  const all = store.list(kind.storeName);
  const items = selected || key.namespace !== '' ? all.filter(matches) : all;
  checkVersion(store.revision(), query);
  return pages.first({ items, resourceVersion: String(store.revision()), selected }, limit, path);
}

/** Only the current version can be listed: older versions exist only as open pages. */
function checkVersion(current: number, query: URLSearchParams): void {
  const wanted = Number(resourceVersionOf(query));
  if (wanted > current) {
    throw new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version', field: '' }],
      retryAfterSeconds: 1,
    });
  }
  if (query.get('resourceVersionMatch') === 'Exact' && wanted !== current) {
    throw expired(`The resourceVersion for the provided list is too old.`);
  }
}
