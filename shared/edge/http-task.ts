/** Runs a task on requests of the HTTP API, and answers every caller with JSON that says what to do. */
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { asFault, type Fault } from '../model/fault.ts';
import type { Caller } from '../ports/hub.ts';
import type { Ports, Surroundings } from '../ports/ports.ts';
import { awsSurroundings } from './aws-ports.ts';
import { type BodyLimit, readText } from './http-body.ts';
import { type Environment, invocationOf, makePorts, type PortFactories } from './moment.ts';

export interface HttpRequest {
  /** Of the route's path: `{hub}`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly caller: Caller;
  /** Of the body as it came. */
  readonly bytes: number;
  /** The body, unpacked: read only once the caller is known, for unpacking is work. */
  text(limit: BodyLimit): Promise<string>;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpTask<P extends keyof Ports, M = undefined> {
  /** What an instance remembers from one request to the next; bounded, and never needed for what is right. */
  readonly remember?: () => M;
  readonly run: (request: HttpRequest, ports: Pick<Ports, P> & Surroundings, memory: M) => Promise<HttpResponse>;
}

export function httpTask<P extends keyof Ports, M = undefined>(task: HttpTask<P, M>): HttpTask<P, M> {
  return task;
}

/** An answer that is no success: `{"error": "…"}`. */
export function problem(status: number, error: string): HttpResponse {
  return { status, body: { error } };
}

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export function onHttp<P extends keyof Ports, M = undefined>(
  task: HttpTask<P, M>,
  factories: PortFactories<P>,
  platform: { readonly surroundings: (environment: Environment) => Surroundings } = { surroundings: awsSurroundings },
): HttpHandler {
  let ports: (Pick<Ports, P> & Surroundings) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.surroundings(process.env), process.env));
  const memory = task.remember?.() as M;
  const handle = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const request = toRequest(event);
    const ports = made();
    const { status, body, headers } = await task
      .run(request, ports, memory)
      .catch((thrown: unknown) => refusal(asFault(thrown), request, ports));
    return {
      statusCode: status,
      headers: { 'content-type': 'application/json', ...headers },
      body: `${JSON.stringify(body)}\n`,
    };
  };
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler(handle);
}

/** The faults that are the caller's, by reason. */
const callersFaults: Readonly<Record<string, number>> = {
  UnreadableBody: 400,
  BodyTooLarge: 413,
  UnsupportedBody: 415,
  TooManyEvents: 429,
};

/** What the caller did wrong is a 4xx that says so; what we can't do now is a 503, so that the caller sends it again. */
function refusal(fault: Fault, { bytes }: HttpRequest, { telemetry }: Surroundings): HttpResponse {
  const { reason, verdict, message, retryAfterMs = 1000 } = fault;
  telemetry.outcome('EK101', { reason, verdict, error: message, bytes });
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const headers = { 'retry-after': String(seconds) };
  const callers = Object.hasOwn(callersFaults, reason) ? callersFaults[reason] : undefined;
  if (callers !== undefined) return { ...problem(callers, message), ...(verdict === 'limited' && { headers }) };
  if (verdict === 'terminal')
    return problem(500, `the deployment is not set up for this: ${reason}; its log says more`);
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
    parameters: { hub: hubOf(event), ...event.pathParameters },
    caller: {
      bearer: /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : '',
      subject: subjectOf(event),
    },
    bytes: bytes.byteLength,
    text: (limit) => readText(packed, limit),
  };
}

/** A hub that is configured has a route of its own, which says its name in the path and in no parameter. */
function hubOf({ rawPath = '' }: APIGatewayProxyEventV2): string | undefined {
  return /^\/hubs\/([^/]+)\//.exec(rawPath)?.[1];
}

/** Only the endpoint with mutual TLS sets it, after it has verified the certificate. */
function subjectOf({ requestContext }: Partial<APIGatewayProxyEventV2>): string {
  return requestContext?.authentication?.clientCert.subjectDN ?? '';
}
