/** The shared client of one API server: its concurrency limit, its credential, and retries after throttling. */
import type { Instant } from '../../core/time.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { type ConcurrencyLimiter, TROUBLES } from './concurrency-limiter.ts';
import { isLimited } from './error-status.ts';
import type { ApiRequest, ApiResponse, ApiStream, Transport } from './transport.ts';

/** Attempts of a throttled request here, if Retry-After is at most MAX_PAUSE_MS; after that the message waits in its queue. */
const ATTEMPTS = 3;
const MAX_PAUSE_MS = 5000;
/** The longest a stream may take. A watch by a function ends after some seconds. */
const STREAM_MS = 15_000;

export interface HubClient {
  /** Of the last response. */
  readonly serverTime?: Instant | undefined;
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Counts as one request until the first byte of the response. */
  stream(request: ApiRequest): Promise<ApiStream>;
  /** A client for paths below this one, which the API server proxies. */
  behind(path: string): HubClient;
}

export interface HubClientParts {
  readonly transport: Transport;
  readonly limiter: ConcurrencyLimiter;
  /** Absent for a client of one user. */
  readonly breaker?: CircuitBreaker | undefined;
  /** The transport with its credential read again, after the hub rejected the current one (401). */
  readonly renew?: (() => Promise<Transport>) | undefined;
}

export class LimitedHubClient implements HubClient {
  #transport: Transport;
  readonly #limiter: ConcurrencyLimiter;
  readonly #breaker: CircuitBreaker | undefined;
  readonly #renew: (() => Promise<Transport>) | undefined;
  #renewing: Promise<Transport> | undefined;
  #serverTime: Instant | undefined;

  constructor({ transport, limiter, breaker, renew }: HubClientParts) {
    this.#transport = transport;
    this.#limiter = limiter;
    this.#breaker = breaker;
    this.#renew = renew;
  }

  get serverTime(): Instant | undefined {
    return this.#serverTime;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#sendKnown(sending(request), {
        evaluated: limitOf,
        isOfOneObject: isOfOneObject(request),
      });
      this.#serverTime = response.serverTime;
      const again = isLimited(response) && attempt < ATTEMPTS && (response.retryAfterMs ?? 0) <= MAX_PAUSE_MS;
      if (!again) return response;
    }
  }

  stream(request: ApiRequest): Promise<ApiStream> {
    return this.#sendKnown(streaming(request), { evaluated: limitOf, isOfOneObject: false });
  }

  /** An unavailable member (503) neither throttles the hub's window nor is retried here. */
  behind(path: string): HubClient {
    const passing = (response: Answer) => (response.status === 429 ? limitOf(response) : { limited: false });
    const options = { evaluated: passing, isOfOneObject: false };
    const below = (request: ApiRequest) => ({ ...request, path: `${path}${request.path}` });
    return {
      send: (request) => this.#sendKnown(sending(below(request)), options),
      stream: (request) => this.#sendKnown(streaming(below(request)), options),
      behind: (further) => this.behind(`${path}${further}`),
    };
  }

  /** After a 401 the credential is read again once, and the request is sent again once. */
  async #sendKnown<A extends Answer>(by: Sending<A>, options: AttemptOptions): Promise<A> {
    const used = this.#transport;
    const response = await this.#limited((timeoutMs) => by(used, timeoutMs), options);
    if (response.status !== 401 || this.#renew === undefined) return response;
    await this.#replace(used, this.#renew);
    return this.#limited((timeoutMs) => by(this.#transport, timeoutMs), options);
  }

  async #limited<A extends Answer>(
    send: (timeoutMs: number) => Promise<A>,
    { evaluated, isOfOneObject }: AttemptOptions,
  ): Promise<A> {
    const breaker = this.#breaker;
    if (breaker === undefined) return this.#limiter.run(send, evaluated);
    await breaker.assertClosed();
    const before = this.#limiter.troubles;
    const watched = (timeoutMs: number) => breaker.whileResponding(send(timeoutMs), { isOfOneObject });
    try {
      const answer = await this.#limiter.run(watched, evaluated);
      if (!evaluated(answer).limited) await breaker.responded();
      return answer;
    } finally {
      // Not for a request that was not sent, as at the end of an invocation.
      const { troubles } = this.#limiter;
      if (troubles > before && (troubles >= TROUBLES || breaker.isProbing)) await breaker.trip();
    }
  }

  /** Concurrent rejections renew the credential once. */
  async #replace(used: Transport, renew: () => Promise<Transport>): Promise<void> {
    if (this.#transport !== used) return;
    this.#renewing ??= renew().finally(() => {
      this.#renewing = undefined;
    });
    this.#transport = await this.#renewing;
  }
}

interface AttemptOptions {
  readonly evaluated: typeof limitOf;
  /** Otherwise it may take as long as its timeout: a page of a list, a watch, a request to a member. */
  readonly isOfOneObject: boolean;
}

type Answer = Pick<ApiResponse, 'status' | 'retryAfterMs'>;

type Sending<A extends Answer> = (transport: Transport, timeoutMs: number) => Promise<A>;

function sending(request: ApiRequest): Sending<ApiResponse> {
  return (transport, timeoutMs) => transport.send(request, timeoutMs);
}

function streaming(request: ApiRequest): Sending<ApiStream> {
  return (transport, timeoutMs) => {
    const silentMs = Math.min(timeoutMs, STREAM_MS);
    return transport.stream(request, { signal: AbortSignal.timeout(silentMs), silentMs });
  };
}

function isOfOneObject({ path }: ApiRequest): boolean {
  return !/[?&]limit=/.test(path);
}

function limitOf(response: Answer): { limited: boolean; retryAfterMs?: number } {
  if (!isLimited(response)) return { limited: false };
  return { limited: true, retryAfterMs: Math.min(response.retryAfterMs ?? 1000, MAX_PAUSE_MS) };
}
