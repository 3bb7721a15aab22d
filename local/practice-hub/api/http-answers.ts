/** Answers that concern no object: health, discovery, refusals. For the API server. */
import type http from 'node:http';
import { StatusError } from '../store/status-error.ts';
import { discover } from './discovery.ts';
import { openapi } from './openapi.ts';
import { methodNotAllowed } from './request.ts';

const HEALTH = ['/healthz', '/livez', '/readyz'];

/** A web page that had its own name point to this machine would else be a client too. */
export function refuseForeignHost(request: http.IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (['127.0.0.1', 'localhost', '[::1]', ''].includes(host)) return;
  throw new StatusError(403, 'Forbidden', `the practice hub is not served as ${host}, only on loopback`);
}

/** Health, discovery and OpenAPI; false where the path is none of these. */
export function answerDocument(request: http.IncomingMessage, response: http.ServerResponse, path: string): boolean {
  if (HEALTH.includes(path)) {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ok');
    return true;
  }
  const document = discover(path, request.headers.host ?? '') ?? openapi(path);
  if (!document) return false;
  if (request.method !== 'GET') throw methodNotAllowed();
  if (/protobuf/.test(request.headers.accept ?? '') && !/json/.test(request.headers.accept ?? '')) {
    throw new StatusError(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  return true;
}

export function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = error instanceof Error ? error.message : 'something that is not an Error was thrown';
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ reason: '', message, field: '' }],
  });
}

export function sendFailure(response: http.ServerResponse, failure: StatusError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // Whatever of the body is still to come is not read.
  if (failure.code === 413) response.setHeader('connection', 'close');
  response.writeHead(failure.code, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(failure.toStatus())}\n`);
}
