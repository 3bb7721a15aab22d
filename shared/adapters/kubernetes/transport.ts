/**
 * A lean pooled HTTP client for one Kubernetes API server. Why not the client library: docs/decisions (own transport).
 * HTTP/1.1 with keep-alive: a pool spreads over the API servers behind one address, which one HTTP/2 session does not.
 */
import http from 'node:http';
import https from 'node:https';
import { Fault } from '../../model/fault.ts';
import type { Instant } from '../../model/time.ts';
import type { Connection } from './connection.ts';
import { type Credential, credentialOf } from './credential.ts';

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
  /** When it was given, by the server's own clock, in whole seconds. */
  readonly serverTime?: Instant;
}

export interface TransportOptions {
  readonly maxSockets: number;
  readonly timeoutMs: number;
  /** Who a hub's managedFields and audit log say it was. */
  readonly userAgent?: string;
  /** Asked for each request; the connection's own token or token file unless given. */
  readonly credential?: Credential;
}

/** An answer that goes on for as long as the server and the signal let it. */
export interface ApiStream {
  readonly status: number;
  readonly text: AsyncIterable<string>;
}

export interface Transport {
  send(request: ApiRequest): Promise<ApiResponse>;
  /** For watches. Ends with the server's answer; reading it throws a retryable Fault where the connection breaks or is silent for too long. */
  stream(request: ApiRequest, limits: StreamLimits): Promise<ApiStream>;
  close(): void;
}

export interface StreamLimits {
  readonly signal: AbortSignal;
  /** Silence after which the connection counts as broken. */
  readonly silentMs: number;
}

/** Resolves with any answer the server gave; rejects with a retryable Fault where there was none. */
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

  async function send(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await collect(await begin(request, AbortSignal.timeout(timeoutMs)), request);
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

async function* textOf(response: http.IncomingMessage, fault: (error: Error) => Fault): AsyncGenerator<string> {
  try {
    for await (const part of response.setEncoding('utf8')) yield String(part);
  } catch (thrown) {
    throw fault(thrown as Error);
  } finally {
    response.destroy();
  }
}

async function collect(response: http.IncomingMessage, { method }: ApiRequest): Promise<ApiResponse> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const retryAfter = Number(response.headers['retry-after']);
  const serverTime = Date.parse(response.headers.date ?? '');
  const rest = {
    status: response.statusCode ?? 0,
    ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
    ...(Number.isFinite(serverTime) && { serverTime }),
  };
  return method === 'GET' ? { ...rest, body: parseBody(text) } : unread(rest, text);
}

/** What a write is answered, parsed when it is looked at: of 3,000 patches that went through nobody reads the answers, 3 kB each. */
function unread(rest: Omit<ApiResponse, 'body'>, text: string): ApiResponse {
  return {
    ...rest,
    get body() {
      return parseBody(text);
    },
  };
}

/** An API server answers JSON; what stands between may answer anything. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}

function unreachable(url: URL, { method, path }: ApiRequest, error: Error): Fault {
  if (error instanceof Fault) return error;
  const what = error.name === 'TimeoutError' || error.name === 'AbortError' ? 'no answer in time' : error.message;
  return new Fault('retryable', `${method} ${path.split('?')[0] ?? ''} at ${url.host}: ${what}`, {
    reason: 'HubUnreachable',
    cause: error,
  });
}
