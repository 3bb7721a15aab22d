/** The practice hub's HTTP server: from a request to the store and back, and to the audit log. Loopback only. */
import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { stringify } from 'yaml';
import type { Instant } from '../../../shared/core/time.ts';
import type { ApiStore } from '../store/object-store.ts';
import { asStatusError, nothingServedHere, StatusError } from '../store/status-error.ts';
import { type AuditLog, auditEvent } from './audit.ts';
import { discover } from './discovery.ts';
import { asksForOpenapiV2Protobuf, OPENAPI_V2_PROTOBUF, openapi, openapiV2Protobuf } from './openapi.ts';
import { includeObjectOf, negotiate, type RepresentedKind } from './representations.ts';
import {
  mediaTypeOf,
  methodNotAllowed,
  type PracticeRequest,
  parseBody,
  readBody,
  type Target,
  targetOf,
} from './request.ts';
import { Requests } from './requests.ts';
import { answerReview, isReview } from './reviews.ts';
import { streamWatch, Watches } from './watches.ts';

export interface ApiServerOptions {
  readonly store: ApiStore;
  readonly now: () => Instant;
  /** If set, a request without one of these tokens gets 401. */
  readonly requireToken?: boolean;
  /** User names by bearer token. */
  readonly users: ReadonlyMap<string, string>;
  readonly audit?: AuditLog;
}

const DEFAULT_USER = 'kubernetes-admin';

export function apiHandler(options: ApiServerOptions): http.RequestListener {
  const server = new ApiServer(options);
  return (request, response) => {
    server.answer(request, response).catch(() => response.destroy());
  };
}

class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #requests: Requests;
  readonly #watches: Watches;

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#requests = new Requests({ ...options, newId: randomUUID });
    this.#watches = new Watches(options.store);
  }

  async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const receivedAt = this.#options.now();
    let asked: PracticeRequest | undefined;
    let failure: StatusError | undefined;
    try {
      const url = urlOf(request);
      rejectForeignHost(request);
      const username = this.#userOf(request);
      if (isReview(request.method, url.pathname)) {
        const asking = parseBody(await readBody(request), mediaTypeOf(request.headers), 'the review');
        const answer = answerReview(url.pathname, asking, username);
        response.writeHead(201, { 'content-type': 'application/json' }).end(`${JSON.stringify(answer)}\n`);
      } else if (!answerDocument(request, response, url.pathname)) {
        const target = targetOf(request.method ?? 'GET', url.pathname, url.searchParams);
        if (!target) throw nothingServedHere();
        asked = { ...target, query: url.searchParams, headers: request.headers, body: Buffer.alloc(0), username };
        asked = { ...asked, body: await readBody(request) };
        this.#serve(asked, response);
      }
    } catch (error) {
      failure = asStatusError(error);
      sendFailure(response, failure);
    }
    if (!asked || !this.#options.audit) return;
    const done = { asked, uri: request.url ?? '/', receivedAt, ...(failure && { failure }) };
    // A watch ends with its stream.
    if (asked.verb === 'watch' && !failure) response.on('close', () => this.#record(done, response.statusCode));
    else this.#record(done, response.statusCode);
  }

  #serve(request: PracticeRequest, response: http.ServerResponse): void {
    const { store } = this.#options;
    const representation = negotiate(request.headers.accept);
    const includeObject = includeObjectOf(request.query);
    const view = (): RepresentedKind => ({
      kind: request.kind,
      now: this.#options.now(),
      as: representation.of,
      includeObject,
    });
    if (request.verb === 'watch') {
      streamWatch(request, { store, watches: this.#watches, view }, response);
      return;
    }
    const reply = this.#requests.perform(request, view());
    const headers = reply.warnings.map((text) => `299 - ${JSON.stringify(text)}`);
    if (headers.length > 0) response.setHeader('warning', headers);
    const yaml = representation.mediaType === 'application/yaml';
    response.writeHead(reply.code, { 'content-type': representation.mediaType });
    response.end(yaml ? stringify(reply.body) : `${JSON.stringify(reply.body)}\n`);
  }

  #userOf(request: http.IncomingMessage): string {
    const { requireToken, users } = this.#options;
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const user = token === undefined ? undefined : users.get(token);
    if (user === undefined && requireToken) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    return user ?? DEFAULT_USER;
  }

  #record(done: HandledRequest, code: number): void {
    const { asked, uri, receivedAt, failure } = done;
    this.#options.audit?.record(
      auditEvent(
        {
          target: asked,
          uri,
          username: asked.username,
          userAgent: asked.headers['user-agent'] ?? '',
          body: asked.verb === 'create' ? bodyIfReadable(asked) : undefined,
          code: failure?.code ?? code,
          ...(failure && { failure: auditStatus(failure) }),
          receivedAt,
          answeredAt: this.#options.now(),
        },
        randomUUID(),
      ),
    );
  }
}

/** Not parsed by the URL class alone, which takes a path that begins with two slashes for another host. */
function urlOf({ url = '/' }: http.IncomingMessage): URL {
  return new URL(`http://practice-hub${url.startsWith('/') ? url : '/'}`);
}

interface HandledRequest {
  readonly asked: PracticeRequest;
  readonly uri: string;
  readonly receivedAt: Instant;
  readonly failure?: StatusError;
}

/** In an audit event a Status has neither kind nor apiVersion. */
function auditStatus(failure: StatusError): object {
  const { kind: _, apiVersion: __, ...rest } = failure.toStatus() as Record<string, unknown>;
  return rest;
}

function bodyIfReadable(request: Target & Pick<PracticeRequest, 'body' | 'headers'>): unknown {
  try {
    return parseBody(request.body, mediaTypeOf(request.headers), '');
  } catch {
    return undefined;
  }
}

const HEALTH = ['/healthz', '/livez', '/readyz'];

/** Protects against requests of web pages and against DNS rebinding. */
function rejectForeignHost(request: http.IncomingMessage): void {
  const { host = '', origin } = request.headers;
  const name = host.replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]', ''].includes(name))
    throw new StatusError(403, 'Forbidden', `the practice hub is not served as ${name}, only on loopback`);
  // Browsers send the Origin of a page; API clients do not.
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    throw new StatusError(403, 'Forbidden', `the practice hub rejects requests from pages of ${origin}`);
}

/** Health, discovery and OpenAPI; false for other paths. */
function answerDocument(request: http.IncomingMessage, response: http.ServerResponse, path: string): boolean {
  if (HEALTH.includes(path)) {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ok');
    return true;
  }
  const document = discover(path, request.headers.host ?? '') ?? openapi(path);
  if (!document) return false;
  if (request.method !== 'GET') throw methodNotAllowed();
  const { accept = '' } = request.headers;
  if (asksForOpenapiV2Protobuf(path, accept)) {
    response.writeHead(200, { 'content-type': OPENAPI_V2_PROTOBUF }).end(openapiV2Protobuf());
    return true;
  }
  if (/protobuf/.test(accept) && !/json/.test(accept)) {
    throw new StatusError(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  return true;
}

function sendFailure(response: http.ServerResponse, failure: StatusError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The rest of the body is not read.
  if (failure.code === 413) response.setHeader('connection', 'close');
  response.writeHead(failure.code, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(failure.toStatus())}\n`);
}
