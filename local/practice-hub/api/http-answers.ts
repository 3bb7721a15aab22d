/** Responses without an object: health, discovery, errors. For the API server. */
import type http from 'node:http';
import { StatusError } from '../store/status-error.ts';
import { discover } from './discovery.ts';
import { asksForOpenapiV2Protobuf, OPENAPI_V2_PROTOBUF, openapi, openapiV2Protobuf } from './openapi.ts';
import { methodNotAllowed } from './request.ts';

const HEALTH = ['/healthz', '/livez', '/readyz'];

/** Protects against requests of web pages and against DNS rebinding. */
export function rejectForeignHost(request: http.IncomingMessage): void {
  const { host = '', origin } = request.headers;
  const name = host.replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]', ''].includes(name))
    throw new StatusError(403, 'Forbidden', `the practice hub is not served as ${name}, only on loopback`);
  // Browsers send the Origin of a page; API clients do not.
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    throw new StatusError(403, 'Forbidden', `the practice hub rejects requests from pages of ${origin}`);
}

/** Health, discovery and OpenAPI; false for other paths. */
export function answerDocument(request: http.IncomingMessage, response: http.ServerResponse, path: string): boolean {
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
  // The rest of the body is not read.
  if (failure.code === 413) response.setHeader('connection', 'close');
  response.writeHead(failure.code, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(failure.toStatus())}\n`);
}
