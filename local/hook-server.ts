/** The hook's URL in the local run: an HTTP server that passes requests to the function as API Gateway does. */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpHandler } from '../shared/runtime/http-task.ts';
import type { KeyPair } from './hook-access.ts';
import { localContext } from './invocation.ts';

/** API Gateway rejects larger payloads before it invokes the function. */
const GATEWAY_LIMIT = 10 * 1024 * 1024;
/** The request timeout of an API server: a slower sender only holds its connection. */
const DEADLINE_MS = 30_000;

export interface HookRoute {
  /** A segment in braces is a parameter: "/hubs/{hub}/audit". */
  readonly path: string;
  readonly handler: HttpHandler;
}

export interface HookServer {
  readonly url: string;
  close(): Promise<void>;
}

/** With TLS if a key pair is given. An incomplete request at the deadline gets 408 and is closed. */
export async function startHookServer(
  routes: readonly HookRoute[],
  port: number,
  tls?: KeyPair,
  deadlineMs: number = DEADLINE_MS,
): Promise<HookServer> {
  const serve: http.RequestListener = (request, response) => {
    answer(routes, request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.writeHead(500).end(),
    );
  };
  const limits = {
    requestTimeout: deadlineMs,
    headersTimeout: deadlineMs,
    connectionsCheckingInterval: Math.min(1000, deadlineMs / 4),
  };
  const server = tls ? https.createServer({ ...tls, ...limits }, serve) : http.createServer(limits, serve);
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

async function answer(routes: readonly HookRoute[], request: http.IncomingMessage) {
  // Each request of a server has one; the type is that of a client's answers too.
  const path = (request.url as string).replace(/\?.*/, '');
  const found = request.method === 'POST' ? find(routes, path) : undefined;
  if (found === undefined)
    return json(404, { error: `there is only ${routes.map((route) => `POST ${route.path}`).join(', ')}` });
  const body = await collect(request);
  if (body === undefined) return json(413, { error: `the body has more than ${GATEWAY_LIMIT} bytes` });
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const packed = !/^(application\/json|text\/)/.test(request.headers['content-type'] ?? 'text/plain');
  const event = {
    headers,
    pathParameters: found.parameters,
    // As the gateway does for bodies that are not text by their type.
    body: body.toString(packed ? 'base64' : 'utf8'),
    isBase64Encoded: packed,
    rawPath: path,
  };
  const {
    statusCode,
    headers: sent,
    body: text,
  } = await found.handler(event as unknown as APIGatewayProxyEventV2, localContext('cluster-hook'));
  return { status: statusCode ?? 200, headers: sent as Record<string, string>, body: text };
}

function find(routes: readonly HookRoute[], path: string) {
  for (const { path: template, handler } of routes) {
    const parameters = match(template, path);
    if (parameters !== undefined) return { handler, parameters };
  }
  return undefined;
}

/** The parameters of a path; undefined if it does not match, or cannot be decoded. */
function match(template: string, path: string): Record<string, string> | undefined {
  if (!isDecodable(path)) return undefined;
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== value : value === '') return undefined;
    const decoded = name === undefined ? value : decode(value);
    if (decoded === undefined) return undefined;
    if (name !== undefined) parameters[name] = decoded;
  }
  return parameters;
}

/** Undefined for "%" and other invalid encodings. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function json(status: number, body: object) {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(body)}\n` };
}

/** Undefined if it is too large; the excess is read and dropped, so that the caller can read the response. */
async function collect(request: http.IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).byteLength;
    if (bytes <= GATEWAY_LIMIT) parts.push(part as Buffer);
  }
  return bytes > GATEWAY_LIMIT ? undefined : Buffer.concat(parts);
}
