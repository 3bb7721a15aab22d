/**
 * A lean pooled HTTP client for one Kubernetes API server. Why not the client library: docs/decisions (own transport).
 * HTTP/1.1 with keep-alive: a pool spreads over the API servers behind one address, which one HTTP/2 session does not.
 */
import http from 'node:http';
import https from 'node:https';
import { Fault } from '../../model/fault.ts';
import type { Connection } from './connection.ts';

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
}

export interface TransportOptions {
  readonly maxSockets: number;
  readonly timeoutMs: number;
  /** Who a hub's managedFields and audit log say it was. */
  readonly userAgent?: string;
}

export interface Transport {
  send(request: ApiRequest): Promise<ApiResponse>;
  close(): void;
}

/** Resolves with any answer the server gave; rejects with a retryable Fault where there was none. */
export function createTransport(
  connection: Connection,
  { maxSockets, timeoutMs, userAgent = 'evenkeel' }: TransportOptions,
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
  const authorization = connection.token === undefined ? {} : { authorization: `Bearer ${connection.token}` };

  function send(request: ApiRequest): Promise<ApiResponse> {
    const payload = request.body === undefined ? undefined : JSON.stringify(request.body);
    const headers = {
      accept: request.accept ?? 'application/json',
      'user-agent': userAgent,
      ...authorization,
      ...(payload !== undefined && {
        'content-type': request.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
    };
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(unreachable(url, request, error));
      const options = {
        agent,
        method: request.method,
        path: `${base}${request.path}`,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
      };
      const target = {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || undefined,
      };
      const sent = (secure ? https : http).request({ ...target, ...options }, (response) => {
        collect(response).then(resolve, failed);
      });
      sent.on('error', failed);
      sent.end(payload);
    });
  }

  return { send, close: () => agent.destroy() };
}

async function collect(response: http.IncomingMessage): Promise<ApiResponse> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const retryAfter = Number(response.headers['retry-after']);
  return {
    status: response.statusCode ?? 0,
    body: parseBody(text),
    ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
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
  const what = error.name === 'TimeoutError' || error.name === 'AbortError' ? 'no answer in time' : error.message;
  return new Fault('retryable', `${method} ${path.split('?')[0] ?? ''} at ${url.host}: ${what}`, {
    reason: 'HubUnreachable',
    cause: error,
  });
}
