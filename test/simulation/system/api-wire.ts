/** Calls the hub's API without a network; requests and responses are serialized as text, as on a real one. */
import type { IncomingHttpHeaders } from 'node:http';
import { includeObjectOf, negotiate, showObject } from '../../../local/practice-hub/api/representations.ts';
import { targetOf } from '../../../local/practice-hub/api/request.ts';
import { Requests } from '../../../local/practice-hub/api/requests.ts';
import type { ApiStore } from '../../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import { asStatusError, nothingServedHere } from '../../../local/practice-hub/store/status-error.ts';
import type { Instant } from '../../../shared/core/time.ts';
import type { ApiRequest, ApiResponse } from '../../../shared/kubernetes/client/transport.ts';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: string | undefined;
  readonly username: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

const ACCOUNT = 'system:serviceaccount:evenkeel:evenkeel';

/** A request of our client, as the server receives it. */
export function rawOf({ method, path, accept, contentType, body }: ApiRequest): RawRequest {
  return {
    method,
    path,
    headers: {
      accept: accept ?? 'application/json',
      'content-type': contentType ?? 'application/json',
      'user-agent': 'evenkeel',
    },
    body: body && JSON.stringify(body),
    username: ACCOUNT,
  };
}

export function responseOf({ status, text }: RawAnswer): ApiResponse {
  return { status, body: JSON.parse(text) as unknown };
}

/** The number of versions of an object in the watch cache. */
const KEPT = 12;

export class ApiWire {
  readonly #requests: Requests;
  readonly #now: () => Instant;
  readonly #versions = new Map<string, KubeObject[]>();

  constructor(store: ApiStore, now: () => Instant) {
    let lists = 0;
    this.#now = now;
    this.#requests = new Requests({ store, now, newId: () => `list-${++lists}` });
    store.onChange(({ plural, object }) => {
      const { namespace = '', name } = object.metadata;
      const versions = this.#versions.get(`${plural} ${namespace} ${name}`) ?? [];
      this.#versions.set(`${plural} ${namespace} ${name}`, [...versions, object].slice(-KEPT));
    });
  }

  /** Empties the watch cache, as a restart of the server does. */
  forgetVersions(): void {
    this.#versions.clear();
  }

  /** Answers a read with a minimum resourceVersion by any newer version in the watch cache, even if the object is deleted since. */
  answerFromCache(request: RawRequest, lot: number): RawAnswer {
    const url = new URL(`http://hub${request.path}`);
    const target = targetOf(request.method, url.pathname, url.searchParams);
    const wanted = Number(url.searchParams.get('resourceVersion'));
    if (!target || !Number.isFinite(wanted)) return this.answer(request);
    const { namespace, name } = target.key;
    const versions = (this.#versions.get(`${target.kind.storeName} ${namespace} ${name}`) ?? []).filter(
      ({ metadata }) => Number(metadata.resourceVersion) >= wanted,
    );
    const found = versions[Math.floor(lot * versions.length)];
    if (found === undefined) return this.answer(request);
    const { of: as } = negotiate(request.headers.accept);
    const view = { kind: target.kind, now: this.#now(), as, includeObject: 'None' as const };
    return { status: 200, text: JSON.stringify(showObject(view, found)) };
  }

  answer({ method, path, headers, body = '', username }: RawRequest): RawAnswer {
    try {
      const url = new URL(`http://hub${path}`);
      const target = targetOf(method, url.pathname, url.searchParams);
      if (!target) throw nothingServedHere();
      const request = { ...target, query: url.searchParams, headers, body: Buffer.from(body), username };
      const { of: as } = negotiate(headers.accept);
      const view = { kind: target.kind, now: this.#now(), as, includeObject: includeObjectOf(url.searchParams) };
      const { code, body: answered } = this.#requests.perform(request, view);
      return { status: code, text: JSON.stringify(answered) };
    } catch (thrown) {
      const failure = asStatusError(thrown);
      return { status: failure.code, text: JSON.stringify(failure.toStatus()) };
    }
  }
}
