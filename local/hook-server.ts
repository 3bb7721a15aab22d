/** The hook's URL in the local run: an HTTP server that hands requests to the function as API Gateway does. */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpHandler } from '../shared/edge/http-task.ts';
import type { KeyPair } from './hook-access.ts';
import { localContext } from './queue.ts';

/** API Gateway refuses larger payloads before the function hears of them. */
const GATEWAY_LIMIT = 10 * 1024 * 1024;

export interface HookServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Over TLS where a key pair is given. */
export async function startHookServer(handler: HttpHandler, port: number, tls?: KeyPair): Promise<HookServer> {
  const serve: http.RequestListener = (request, response) => {
    answer(handler, request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.writeHead(500).end(),
    );
  };
  const server = tls ? https.createServer(tls, serve) : http.createServer(serve);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(handler: HttpHandler, request: http.IncomingMessage) {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const hub = /^\/hubs\/([^/]+)\/audit$/.exec(path)?.[1];
  if (hub === undefined || request.method !== 'POST')
    return json(404, { error: 'POST /hubs/{hub}/audit is all there is' });
  const body = await collect(request);
  if (body === undefined) return json(413, { error: `the body has more than ${GATEWAY_LIMIT} bytes` });
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const event = {
    headers,
    pathParameters: { hub: decodeURIComponent(hub) },
    body,
    isBase64Encoded: false,
    rawPath: path,
  };
  const {
    statusCode,
    headers: sent,
    body: text,
  } = await handler(event as unknown as APIGatewayProxyEventV2, localContext('cluster-hook'));
  return { status: statusCode ?? 200, headers: sent as Record<string, string>, body: text };
}

function json(status: number, body: object) {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(body)}\n` };
}

/** Undefined where it is too large; what is over the limit is read and dropped, so that the caller can read the answer. */
async function collect(request: http.IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).byteLength;
    if (bytes <= GATEWAY_LIMIT) parts.push(part as Buffer);
  }
  return bytes > GATEWAY_LIMIT ? undefined : Buffer.concat(parts).toString('utf8');
}
