/** Runs a task on requests of the HTTP API, and answers every caller with JSON that says what to do. */
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { asFault } from '../model/fault.ts';
import type { Ports, Surroundings } from '../ports/ports.ts';
import { awsSurroundings } from './aws-ports.ts';
import { type Environment, invocationOf, makePorts, type PortFactories } from './moment.ts';

export interface HttpRequest {
  /** Of the route's path: `{hub}`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** The bearer token, or an empty text. */
  readonly bearer: string;
  readonly body: string;
  readonly bytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpTask<P extends keyof Ports> {
  readonly run: (request: HttpRequest, ports: Pick<Ports, P> & Surroundings) => Promise<HttpResponse>;
}

export function httpTask<P extends keyof Ports>(task: HttpTask<P>): HttpTask<P> {
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

export function onHttp<P extends keyof Ports>(
  task: HttpTask<P>,
  factories: PortFactories<P>,
  platform: { readonly surroundings: (environment: Environment) => Surroundings } = { surroundings: awsSurroundings },
): HttpHandler {
  let ports: (Pick<Ports, P> & Surroundings) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.surroundings(process.env), process.env));
  const handle = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { status, body, headers } = await answer(task, toRequest(event), made());
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

/** What the caller did wrong is a 400 that says so; what we can't do now is a 503, so that the caller sends it again. */
async function answer<P extends keyof Ports>(
  task: HttpTask<P>,
  request: HttpRequest,
  ports: Pick<Ports, P> & Surroundings,
): Promise<HttpResponse> {
  try {
    return await task.run(request, ports);
  } catch (thrown) {
    const fault = asFault(thrown);
    const { reason, verdict } = fault;
    ports.telemetry.outcome('EK101', { reason, verdict, error: fault.message, bytes: request.bytes });
    if (reason === 'UnreadableBody') return problem(400, fault.message);
    if (verdict === 'terminal')
      return problem(500, `the deployment is not set up for this: ${reason}; its log says more`);
    const seconds = Math.max(1, Math.ceil((fault.retryAfterMs ?? 1000) / 1000));
    return { ...problem(503, 'not taken in; send it again'), headers: { 'retry-after': String(seconds) } };
  }
}

function toRequest(event: APIGatewayProxyEventV2): HttpRequest {
  const raw = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const authorization = event.headers.authorization ?? '';
  return {
    parameters: event.pathParameters ?? {},
    bearer: /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : '',
    body: raw.toString('utf8'),
    bytes: raw.byteLength,
  };
}
