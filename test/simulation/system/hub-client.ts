/** The hub client of an instance: the product's adapter on a network with faults. */

import { Fault } from '../../../shared/core/fault.ts';
import type { CircuitBreaker } from '../../../shared/kubernetes/client/circuit-breaker.ts';
import type { ApiRequest, ApiResponse, ApiStream, Transport } from '../../../shared/kubernetes/client/transport.ts';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import type { FaultKind } from '../injected-fault.ts';
import { type RawAnswer, type RawRequest, rawOf, responseOf } from './api-wire.ts';
import type { FunctionCode } from './function-code.ts';
import type { Instance } from './instance.ts';

/** The page size of lists, so small that small hubs have several pages. */
const PAGE = 3;
/** A stored list is replaced when it is older, so stale lists are about this old. */
const STALE_MS = 30_000;
const OUTAGE_ANSWER_MS = 30;

/** What every request gets while a hub is out of order. */
export type Outage = 'hangs' | 'answers 429' | 'answers 500';

export interface Hubside {
  readonly name: string;
  /** Before the names of its effects, if there are several hubs. */
  readonly effectPrefix: string;
  readonly outage: Outage | undefined;
  answer(request: RawRequest): RawAnswer;
  /** Answers a read from the watch cache of the server. */
  answerFromCache(request: RawRequest, name: string): RawAnswer;
  watch(request: ApiRequest): ApiStream;
  /** Writes an annotation to the object at this path as another client. */
  touch(path: string): void;
  /** Whether an object that can't be parsed was stored. */
  readonly hasPoison: boolean;
  /** The credential that the API server accepts, and the one in the secret. */
  readonly accepted: number;
  readonly inSecret: number;
  /** Records that an old list was returned, and of when. */
  answeredAsOf(at: number): void;
  now(): number;
  /** The duration of every response, in addition to the network latency. */
  readonly slowMs: number;
  readonly hubInFlight: number;
  /** Of a request. */
  readonly timeoutMs: number;
}

interface Kept {
  readonly at: number;
  readonly response: ApiResponse;
}

export function hubOf(
  { instance, code }: { readonly instance: Instance; readonly code: FunctionCode },
  side: Hubside,
  breaker?: CircuitBreaker,
): Hub {
  const limiter = new code.client.ConcurrencyLimiter({
    max: side.hubInFlight,
    now: () => instance.now(),
    wait: (ms) => instance.wait(ms),
    timeLeft: code.timeLeft,
  });
  const network = () => code.port<Transport>(new Network(instance, side));
  const renew = () =>
    instance.effect('read the secret', ['throttled'], (injected) => {
      if (injected === 'throttled')
        throw new Fault('limited', 'secret: rate exceeded', { reason: 'ThrottlingException' });
      return network();
    });
  const client = new code.client.LimitedHubClient({ transport: network(), limiter, breaker, renew });
  const onUnreadable = (fault: Fault) => {
    if (!side.hasPoison) throw fault;
  };
  return new code.client.KubernetesHub(side.name, { client, onUnreadable });
}

const throttling: ApiResponse = {
  status: 429,
  body: { reason: 'TooManyRequests', message: 'slow down' },
  retryAfterMs: 2000,
};
const serverError: ApiResponse = { status: 500, body: { reason: 'InternalError', message: 'etcd has no leader' } };

const unauthorized: ApiResponse = { status: 401, body: { reason: 'Unauthorized', message: 'Unauthorized' } };

const statusOf: Readonly<Record<string, number>> = { limited: 429, 'server error': 500, 'page expired': 410 };

async function* nothing(): AsyncGenerator<string> {
  yield* [];
}

interface NamedFault {
  readonly injected: FaultKind | undefined;
  /** The name of the effect. */
  readonly name: string;
}

class Network implements Transport {
  readonly #instance: Instance;
  readonly #side: Hubside;
  readonly #lists = new Map<string, Kept>();
  readonly #credential: number;

  constructor(instance: Instance, side: Hubside) {
    this.#instance = instance;
    this.#side = side;
    this.#credential = side.inSecret;
  }

  async send(request: ApiRequest, timeoutMs = Number.POSITIVE_INFINITY): Promise<ApiResponse> {
    const [path = ''] = request.path.split('?');
    const { slowMs, outage, effectPrefix } = this.#side;
    if (outage !== undefined) return this.#answerInOutage(request, outage, timeoutMs);
    const response = await this.#instance.effect(
      `${effectPrefix}${request.method} ${path}`,
      possibleFaults(request),
      (injected, name) => this.#carry(request, { injected, name }),
    );
    if (slowMs > 0) await this.#instance.wait(Math.min(slowMs, timeoutMs));
    if (slowMs > timeoutMs) throw unreached(request);
    return response;
  }

  async #answerInOutage(request: ApiRequest, outage: Outage, timeoutMs: number): Promise<ApiResponse> {
    await this.#instance.wait(outage === 'hangs' ? Math.min(this.#side.timeoutMs, timeoutMs) : OUTAGE_ANSWER_MS);
    if (outage === 'hangs') throw unreached(request);
    return outage === 'answers 429' ? throttling : serverError;
  }

  /** A watch can fail, end early, or return 410; what it returns is never old, because it follows a list. */
  async stream(request: ApiRequest): Promise<ApiStream> {
    if (this.#side.outage !== undefined) throw unreached(request);
    const [path = ''] = request.path.split('?');
    const possible = ['unreachable', 'limited', 'server error', 'page expired'] as const;
    return this.#instance.effect(`${this.#side.effectPrefix}WATCH ${path}`, possible, (injected) => {
      if (injected === 'unreachable') throw unreached(request);
      if (this.#credential !== this.#side.accepted) return { status: unauthorized.status, text: nothing() };
      const status = statusOf[injected ?? ''];
      return status === undefined ? this.#side.watch(request) : { status, text: nothing() };
    });
  }

  close(): void {}

  #carry(request: ApiRequest, { injected, name }: NamedFault): ApiResponse {
    if (this.#credential !== this.#side.accepted) return unauthorized;
    switch (injected) {
      case 'unreachable':
        throw unreached(request);
      case 'limited':
        return throttling;
      case 'server error':
        return serverError;
      case 'page expired':
        return { status: 410, body: { reason: 'Expired', message: 'the continue token is too old' } };
      case 'stale list':
        return this.#answerOld(request);
      case 'stale read':
        return responseOf(this.#side.answerFromCache(inSmallPages(request), name));
      case 'reply lost':
        this.#answer(request);
        throw unreached(request);
      case 'other writer':
        this.#side.touch(request.path.split('?')[0] ?? '');
        return this.#answer(request);
      default:
        return this.#answer(request);
    }
  }

  #answerOld(request: ApiRequest): ApiResponse {
    const kept = this.#lists.get(request.path);
    if (kept === undefined) return this.#answer(request);
    this.#side.answeredAsOf(kept.at);
    return kept.response;
  }

  #answer(request: ApiRequest): ApiResponse {
    const response = responseOf(this.#side.answer(inSmallPages(request)));
    if (isList(request)) this.#keep(request.path, response);
    return response;
  }

  #keep(path: string, response: ApiResponse): void {
    const now = this.#side.now();
    if (now - (this.#lists.get(path)?.at ?? 0) > STALE_MS) this.#lists.set(path, { at: now, response });
  }
}

function inSmallPages(request: ApiRequest): RawRequest {
  return rawOf(isList(request) ? { ...request, path: request.path.replace(/limit=\d+/, `limit=${PAGE}`) } : request);
}

function isList({ method, path }: ApiRequest): boolean {
  return method === 'GET' && path.includes('limit=');
}

function possibleFaults(request: ApiRequest): readonly FaultKind[] {
  const always = ['unreachable', 'limited', 'server error'] as const;
  if (request.method !== 'GET') return [...always, 'reply lost', 'other writer'];
  if (!isList(request)) return request.path.includes('resourceVersion=') ? [...always, 'stale read'] : always;
  return [...always, request.path.includes('continue=') ? 'page expired' : 'stale list'];
}

function unreached({ method, path }: ApiRequest): Fault {
  return new Fault('retryable', `${method} ${path}: no answer in time`, { reason: 'HubUnreachable' });
}
