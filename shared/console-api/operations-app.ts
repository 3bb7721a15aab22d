/** The API over HTTP: a route per operation, with ETags. Served by the local run and by a deployed console. */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { etag } from 'hono/etag';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { asFault } from '../core/fault.ts';
import { type ErrorResponse, errorResponseOf } from './error-response.ts';
import { methodOf, type Operation } from './operation.ts';
import type { OperationAnswer, OperationCall } from './operation-task.ts';
import { type Ask, type OperationName, type OutputOf, operations } from './operations.ts';
import type { Subject } from './subject.ts';

type CalledKind = Operation['kind'];

/** A call with the subject that the server has authenticated. */
export type Called = OperationCall & { readonly by?: Subject };

/** Values that a server passes with a request. */
interface Bindings {
  /** The logged-in user. */
  readonly by?: Subject;
}

/** Handlers by kind of operation; kinds without a handler have no routes. */
export type Answerers = Readonly<Partial<Record<CalledKind, (call: Called) => Promise<OperationAnswer>>>>;

const API_ROOT = '/api';
/** 5,000 workloads by name are 700 KiB. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Answers by calling another deployment. */
export function answererOf(ask: Ask): NonNullable<Answerers['query']> {
  return async ({ operation, input, by }) => {
    try {
      return { answer: await ask(operation as OperationName, input as never, by) };
    } catch (thrown) {
      return { error: errorResponseOf(asFault(thrown)) };
    }
  };
}

export function operationsApp(answerers: Answerers): Hono<{ Bindings: Bindings }> {
  const api = new Hono<{ Bindings: Bindings }>();
  api.use(etag());
  api.use(
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: (c) => c.json(rejected(413, 'BodyTooLarge', `a command has at most ${MOST_BYTES} bytes`), 413),
    }),
  );
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const answer = answerers[operation.kind];
    if (answer === undefined) continue;
    api.on(methodOf(operation), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const given = operation.kind === 'query' ? c.req.query() : await commandOf(c.req.raw);
      if (given instanceof Response) return given;
      // From the server, never from the request. A server without logins has none.
      const by = (c.env as Bindings | undefined)?.by;
      const result = await answer({ operation: name, input: { ...given, ...c.req.param() }, ...(by && { by }) });
      c.header('cache-control', 'no-cache');
      if ('answer' in result) return c.json(name === 'about' ? about(answerers, result.answer) : result.answer);
      return c.json(result.error, result.error.status as ContentfulStatusCode);
    });
  }
  api.all('*', (c) =>
    c.json(rejected(404, 'UnknownOperation', `${c.req.method} ${c.req.path} is not answered here`), 404),
  );
  return new Hono<{ Bindings: Bindings }>().route(API_ROOT, api);
}

/** The answering function does not know which kinds the server handles. */
function about({ command, practice }: Answerers, answer: unknown): OutputOf<'about'> {
  const may = { command: command !== undefined, practice: practice !== undefined };
  return { ...(answer as OutputOf<'about'>), may };
}

/** A page of another site may send forms and text without a CORS preflight, but no JSON: so only JSON is accepted. */
async function commandOf(request: Request): Promise<Readonly<Record<string, unknown>> | Response> {
  if (!/^application\/json\b/.test(request.headers.get('content-type') ?? ''))
    return Response.json(rejected(415, 'UnsupportedBody', 'a command is sent as content-type application/json'), {
      status: 415,
    });
  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  return Response.json(rejected(400, 'InvalidInput', 'the body is not a JSON object'), { status: 400 });
}

function rejected(status: number, reason: string, error: string): ErrorResponse {
  return { status, reason, error };
}
