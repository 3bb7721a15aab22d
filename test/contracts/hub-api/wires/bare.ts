/** Node's own HTTP and nothing else, so that what is tested is the server. */
import http from 'node:http';
import https from 'node:https';
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';
import type { Wire, WireRequest } from './wire.ts';

const TIMEOUT_MS = 20_000;

export function bareWire(connection: Connection): Wire {
  return async (request) => {
    const response = await open(connection, request);
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return {
      code: response.statusCode ?? 0,
      headers: headersOf(response),
      text: Buffer.concat(parts).toString('utf8'),
    };
  };
}

/** Resolves when the head of the answer is there; the rest comes as it comes. */
export function open(
  { server, caData, clientCertificateData, clientKeyData, token }: Connection,
  { method, path, headers, body }: WireRequest,
): Promise<http.IncomingMessage> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  // Explicit, because Node sends a DELETE's body without a length otherwise.
  const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) };
  const options = {
    method,
    headers: { ...authorization, ...headers, ...length },
    ca: caData,
    cert: clientCertificateData,
    key: clientKeyData,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const url = `${server}${path}`;
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? https.request(url, options) : http.request(url, options);
    request.on('response', resolve);
    request.on('error', reject);
    request.end(payload);
  });
}

function headersOf({ headers }: http.IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}
