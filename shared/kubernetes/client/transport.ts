/**
 * A minimal pooled HTTP client for one Kubernetes API server. docs/decisions (own transport) gives the reasons against the client library.
 * HTTP/1.1 with keep-alive: a pool distributes over the API servers behind one address, which one HTTP/2 session does not.
 */
import http from 'node:http';
import https from 'node:https';
import { Fault, HUB_UNREACHABLE } from '../../core/fault.ts';
import type { SpanStart } from '../../core/span.ts';
import type { Instant } from '../../core/time.ts';
import { inSpan, noteSpan } from '../../core/tracing.ts';
import type { Connection } from './connection.ts';
import { type Credential, credentialOf } from './credential.ts';

const MIB = 1024 * 1024;
/**
 * Maximum size of a response, in bytes: otherwise an endless body exhausts the function's memory. A page of 500 bindings
 * with 100 clusters each has about 50 MiB; a write returns one object, which an API server limits to 3 MiB; an error is a Status.
 */
const LIMITS = { read: 128 * MIB, write: 8 * MIB, error: MIB };

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly accept?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs?: number;
  /** The Date header: the server's time of the response, in whole seconds. */
  readonly serverTime?: Instant;
}

export interface TransportOptions {
  readonly maxSockets: number;
  readonly timeoutMs: number;
  /** Shown in a hub's managedFields and audit log. */
  readonly userAgent?: string;
  /** Used for each request; the connection's own token or token file by default. */
  readonly credential?: Credential;
}

/** A response that streams until the server or the signal ends it. */
export interface ApiStream {
  readonly status: number;
  readonly text: AsyncIterable<string>;
}

export interface Transport {
  /** `timeoutMs`: overrides the default timeout if it is shorter. */
  send(request: ApiRequest, timeoutMs?: number): Promise<ApiResponse>;
  /** For watches. Ends with the server's response; reading throws a retryable Fault if the connection breaks or is idle for too long. */
  stream(request: ApiRequest, limits: StreamLimits): Promise<ApiStream>;
  close(): void;
}

export interface StreamLimits {
  readonly signal: AbortSignal;
  /** Idle time after which the connection counts as broken. */
  readonly silentMs: number;
}

/** Resolves with any response of the server; rejects with a retryable Fault if there is none. */
export function createTransport(
  connection: Connection,
  { maxSockets, timeoutMs, userAgent = 'evenkeel', credential = credentialOf(connection) }: TransportOptions,
): Transport {
  const url = new URL(connection.server);
  const secure = url.protocol === 'https:';
  const pool = { keepAlive: true, maxSockets };
  const agent = secure
    ? new https.Agent({
        ...pool,
        ca: connection.caData,
        cert: connection.clientCertificateData,
        key: connection.clientKeyData,
      })
    : new http.Agent(pool);
  const base = url.pathname.replace(/\/$/, '');

  async function begin(request: ApiRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    const bearer = await credential.bearer();
    const payload = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers = {
      accept: request.accept ?? 'application/json',
      'user-agent': userAgent,
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(payload !== undefined && {
        'content-type': request.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
    };
    const options = { agent, method: request.method, path: `${base}${request.path}`, headers, signal };
    const target = {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || undefined,
    };
    return new Promise((resolve, reject) => {
      const sent = (secure ? https : http).request({ ...target, ...options }, resolve);
      sent.on('error', reject);
      sent.end(payload);
    });
  }

  function send(request: ApiRequest, atMost = timeoutMs): Promise<ApiResponse> {
    return inSpan(
      () => spanOf(request, url),
      () => answered(request, atMost),
    );
  }

  async function answered(request: ApiRequest, atMost: number): Promise<ApiResponse> {
    try {
      const signal = AbortSignal.timeout(Math.min(timeoutMs, atMost));
      const response = await collect(await begin(request, signal), request);
      noteSpan({ 'http.response.status_code': response.status });
      return response;
    } catch (thrown) {
      throw unreachable(url, request, thrown as Error);
    }
  }

  async function stream(request: ApiRequest, { signal, silentMs }: StreamLimits): Promise<ApiStream> {
    try {
      const response = await begin(request, signal);
      response.setTimeout(silentMs, () => response.destroy(new Error(`nothing came for ${silentMs / 1000} s`)));
      return { status: response.statusCode ?? 0, text: textOf(response, (error) => unreachable(url, request, error)) };
    } catch (thrown) {
      throw unreachable(url, request, thrown as Error);
    }
  }

  return { send, stream, close: () => agent.destroy() };
}

/** The method alone names it, as OpenTelemetry has it for paths without a template. */
function spanOf({ method, path }: ApiRequest, { hostname }: URL): SpanStart {
  const attributes = {
    'http.request.method': method,
    'url.path': path.split('?')[0] ?? '',
    'server.address': hostname,
  };
  return { name: method, kind: 'Client', attributes };
}

/** A loop over a stream destroys it where it is left early. */
async function* textOf(response: http.IncomingMessage, fault: (error: Error) => Fault): AsyncGenerator<string> {
  try {
    for await (const part of response.setEncoding('utf8')) yield String(part);
  } catch (thrown) {
    throw fault(thrown as Error);
  }
}

/** Destroys the connection if the response exceeds its limit. */
async function collect(response: http.IncomingMessage, { method }: ApiRequest): Promise<ApiResponse> {
  const parts: Buffer[] = [];
  const { statusCode = 0 } = response;
  const limit = statusCode >= 300 ? LIMITS.error : method === 'GET' ? LIMITS.read : LIMITS.write;
  let bytes = 0;
  for await (const part of response) {
    parts.push(part as Buffer);
    bytes += (part as Buffer).byteLength;
    if (bytes > limit) throw new ResponseTooLarge(`the response (status ${statusCode}) has more than ${limit} bytes`);
  }
  const text = Buffer.concat(parts).toString('utf8');
  const retryAfter = Number(response.headers['retry-after']);
  const serverTime = Date.parse(response.headers.date ?? '');
  const rest = {
    status: statusCode,
    ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
    ...(Number.isFinite(serverTime) && { serverTime }),
  };
  const type = response.headers['content-type'] ?? '';
  // An API server responds with JSON; a proxy in front of it may respond 200 with an HTML page while the API server is down.
  if (statusCode < 300 && !/^application\/json\b/.test(type))
    throw new Error(`${statusCode} without JSON: ${cut(text)}`);
  return method === 'GET' ? { ...rest, body: bodyOf(rest, text) } : unread(rest, text);
}

/** For writes whose response body may not be needed: the body is parsed on first access. Of 3,000 patches most bodies, 3 kB each, are never read. */
function unread(rest: Omit<ApiResponse, 'body'>, text: string): ApiResponse {
  return {
    ...rest,
    get body() {
      return bodyOf(rest, text);
    },
  };
}

/** A proxy may send an error body in any format. */
function bodyOf({ status }: Pick<ApiResponse, 'status'>, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (status >= 300) return { message: cut(text) };
    throw new Fault('retryable', `the hub answered ${status} with broken JSON: ${cut(text)}`, {
      reason: 'BrokenResponse',
    });
  }
}

function cut(text: string): string {
  return text.slice(0, 200);
}

function unreachable(url: URL, { method, path }: ApiRequest, error: Error): Fault {
  if (error instanceof Fault) return error;
  const what = error.name === 'TimeoutError' || error.name === 'AbortError' ? 'no answer in time' : error.message;
  return new Fault('retryable', `${method} ${path.split('?')[0] ?? ''} at ${url.host}: ${what}`, {
    reason: error instanceof ResponseTooLarge ? error.name : HUB_UNREACHABLE,
    cause: error,
  });
}

class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}
