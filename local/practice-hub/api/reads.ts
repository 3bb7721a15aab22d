/** get and list as requests to the store. For the API server. */
import { storeNameOf } from '../store/kind-definition.ts';
import type { ApiStore } from '../store/object-store.ts';
import type { KubeObject } from '../store/objects.ts';
import { expired, notFound, StatusError } from '../store/status-error.ts';
import type { ListPages, Page } from './list-pages.ts';
import { type PracticeRequest, resourceVersionOf, subresourceOf, wholeNumber } from './request.ts';
import { scaleOf } from './scale.ts';
import { fieldSelector, labelSelector, type Matches } from './selectors.ts';

export function get(store: ApiStore, request: PracticeRequest): KubeObject {
  const { kind, key } = request;
  const subresource = subresourceOf(request);
  const object = store.get(storeNameOf(kind), key);
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

export function list(store: ApiStore, pages: ListPages, request: PracticeRequest): Page {
  const { kind, key, query } = request;
  const limit = wholeNumber(query, 'limit') ?? 0;
  const token = query.get('continue');
  const path = `${key.namespace}/${storeNameOf(kind)}`;
  if (token) return pages.next(token, limit, path);
  const selected = query.has('fieldSelector') || query.has('labelSelector');
  const matches = selection(request);
  const all = store.list(storeNameOf(kind));
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
