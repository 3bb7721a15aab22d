/** Runs a task on requests of the HTTP API. Every response is JSON with the fix for an error. */
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Environment } from '../aws/client-config.ts';
import { asFault, type Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { ownValue } from '../core/own-value.ts';
import type { Caller } from '../kubernetes/hook-access.ts';
import { awsContext } from './aws-context.ts';
import { type BodyLimit, readText } from './http-body.ts';
import { inRequest, invocationOf, makePorts, type PortFactories, untimed } from './moment.ts';

export interface HttpRequest {
  /** From the route's path: `{hub}`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly caller: Caller;
  /** Size of the body as received. */
  readonly bytes: number;
  /** The decompressed body: read only after authentication, because decompression costs CPU. */
  text(limit: BodyLimit): Promise<string>;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpTask<P extends object, M = undefined> {
  /** Per-instance cache between requests; bounded, and never required for correctness. */
  readonly remember?: () => M;
  readonly run: (request: HttpRequest, ports: P & InvocationContext, memory: M) => Promise<HttpResponse>;
}

export function httpTask<P extends object, M = undefined>(task: HttpTask<P, M>): HttpTask<P, M> {
  return task;
}

/** An error response: `{"error": "…"}`. */
export function problem(status: number, error: string): HttpResponse {
  return { status, body: { error } };
}

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export function onHttp<P extends object, M = undefined>(
  task: HttpTask<P, M>,
  factories: PortFactories<P>,
  platform: { readonly context: (environment: Environment) => InvocationContext } = { context: awsContext },
): HttpHandler {
  let ports: (P & InvocationContext) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.context(process.env), process.env));
  const memory = task.remember?.() as M;
  const handle = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const request = toRequest(event);
    const ports = made();
    const { status, body, headers } = await task
      .run(request, ports, memory)
      .catch((thrown: unknown) => rejection(asFault(thrown), request, ports));
    return {
      statusCode: status,
      headers: { 'content-type': 'application/json', ...headers },
      body: `${JSON.stringify(body)}\n`,
    };
  };
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>(untimed)
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler((event, context) => inRequest(context, made().exportSpans, () => handle(event)));
}

/** Status codes of the caller's errors, by reason. */
const callersFaults: Readonly<Record<string, number>> = {
  UnreadableBody: 400,
  BodyTooLarge: 413,
  UnsupportedBody: 415,
  TooManyEvents: 429,
};

/** A caller's error is a 4xx with a message; an error of ours is a 503, so that the caller retries. */
function rejection(fault: Fault, { bytes }: HttpRequest, { telemetry }: InvocationContext): HttpResponse {
  const { reason, retryClass, message, retryAfterMs = 1000 } = fault;
  telemetry.outcome('EK101', { reason, retryClass, error: message, bytes });
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const headers = { 'retry-after': String(seconds) };
  const callers = ownValue(callersFaults, reason);
  if (callers !== undefined) return { ...problem(callers, message), ...(retryClass === 'limited' && { headers }) };
  if (retryClass === 'terminal') return problem(500, `the deployment is not set up for this: ${reason}; see its log`);
  return { ...problem(503, 'not taken in; send it again'), headers };
}

function toRequest(event: APIGatewayProxyEventV2): HttpRequest {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const { authorization = '', ...headers } = event.headers;
  const packed = {
    bytes,
    contentType: headers['content-type'] ?? '',
    contentEncoding: headers['content-encoding'] ?? '',
  };
  return {
    parameters: { ...event.pathParameters },
    caller: {
      bearer: /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : '',
      subject: subjectOf(event),
    },
    bytes: bytes.byteLength,
    text: (limit) => readText(packed, limit),
  };
}

/** Only the endpoint with mutual TLS sets it, after it has verified the certificate. */
function subjectOf({ requestContext }: Partial<APIGatewayProxyEventV2>): string {
  return requestContext?.authentication?.clientCert.subjectDN ?? '';
}
