/** The API over HTTP: a route for each operation, and answers that say whether anything is new. Served by the local run, and by a deployed console. */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { etag } from 'hono/etag';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { asFault } from '../model/fault.ts';
import { methodOf, type Operation } from '../operator/operation.ts';
import { type Ask, type OperationName, type OutputOf, operations } from '../operator/operations.ts';
import { type Refused, refusedAs } from '../operator/refused.ts';
import type { OperatorAnswer, OperatorCall } from './operator-task.ts';

type Kind = Operation['kind'];

/** Who answers, by kind; a kind that nobody answers is not there. */
export type Answerers = Readonly<Partial<Record<Kind, (call: OperatorCall) => Promise<OperatorAnswer>>>>;

const API_ROOT = '/api';
/** 5,000 workloads by name are 700 KiB. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Answers by asking elsewhere. */
export function answererOf(ask: Ask): NonNullable<Answerers['question']> {
  return async ({ operation, input }) => {
    try {
      return { answer: await ask(operation as OperationName, input as never) };
    } catch (thrown) {
      return { refused: refusedAs(asFault(thrown)) };
    }
  };
}

export function operatorApp(answerers: Answerers): Hono {
  const api = new Hono();
  api.use(etag());
  api.use(
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: (c) => c.json(refused(413, 'BodyTooLarge', `an order has at most ${MOST_BYTES} bytes`), 413),
    }),
  );
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const answer = answerers[operation.kind];
    if (answer === undefined) continue;
    api.on(methodOf(operation), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const given = operation.kind === 'question' ? c.req.query() : await orderOf(c.req.raw);
      if (given instanceof Response) return given;
      const result = await answer({ operation: name, input: { ...given, ...c.req.param() } });
      c.header('cache-control', 'no-cache');
      if ('answer' in result) return c.json(name === 'about' ? about(answerers, result.answer) : result.answer);
      return c.json(result.refused, result.refused.status as ContentfulStatusCode);
    });
  }
  api.all('*', (c) =>
    c.json(refused(404, 'UnknownOperation', `${c.req.method} ${c.req.path} is not answered here`), 404),
  );
  return new Hono().route(API_ROOT, api);
}

/** The function that answers does not know what stands beside it. */
function about({ order, practice }: Answerers, answer: unknown): OutputOf<'about'> {
  const may = { order: order !== undefined, practice: practice !== undefined };
  return { ...(answer as OutputOf<'about'>), may };
}

/** A page of another site may send forms and texts without asking the browser's leave, and no JSON: so nothing but JSON is an order. */
async function orderOf(request: Request): Promise<Readonly<Record<string, unknown>> | Response> {
  if (!/^application\/json\b/.test(request.headers.get('content-type') ?? ''))
    return Response.json(refused(415, 'UnsupportedBody', 'an order is sent as content-type application/json'), {
      status: 415,
    });
  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  return Response.json(refused(400, 'InvalidInput', 'the body is not a JSON object'), { status: 400 });
}

function refused(status: number, reason: string, error: string): Refused {
  return { status, reason, error };
}
