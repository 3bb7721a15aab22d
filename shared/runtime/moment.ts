/** The context of an invocation: settings, telemetry, the time and fresh ids. Functions read the time only from here. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Environment } from '../aws/client-config.ts';
import type { InvocationContext } from '../core/invocation.ts';
import type { SpanExporter } from '../core/span.ts';
import type { Invocation, LogFields } from '../core/telemetry.ts';
import { inSpan, recorded } from '../core/tracing.ts';

/** How the ports a task uses are made from the environment; made once, at the first event. */
export type PortFactories<P extends object> = {
  readonly [K in Exclude<keyof P, keyof InvocationContext>]: (
    context: InvocationContext,
    environment: Environment,
  ) => P[K];
};

type PortFactory = (context: InvocationContext, environment: Environment) => unknown;

/** What a task gets whose ports these factories make. */
export type ContextOf<F extends Readonly<Record<string, PortFactory>>> = InvocationContext & {
  readonly [N in keyof F]: ReturnType<F[N]>;
};

/**
 * Hub clients are kept across invocations, and a local run has several concurrent invocations on one client. So the remaining time is
 * read from the invocation of the current call.
 */
const invocations = new AsyncLocalStorage<Context>();

/** Runs a handler as the invocation of this context. */
export function inInvocation<T>(context: Context, handle: () => T): T {
  return invocations.run(context, handle);
}

export function timeLeft(): number {
  return invocations.getStore()?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY;
}

/** Attributes of the spans of the current invocation, and the name of its function. */
export function spanOfInvocation(): { readonly name: string; readonly attributes: LogFields } {
  const { functionName = '', awsRequestId = '' } = invocations.getStore() ?? {};
  return { name: functionName, attributes: { 'faas.name': functionName, 'faas.invocation_id': awsRequestId } };
}

/** Runs the handler of a request that may publish many events, each of which begins a trace of its own. */
export function inRequest<T>(
  context: Context,
  exportSpans: SpanExporter | undefined,
  handle: () => Promise<T>,
): Promise<T> {
  const start = () => ({ ...spanOfInvocation(), kind: 'Server' as const, fansOut: true });
  return inInvocation(context, () => recorded(exportSpans, () => inSpan(start, handle)));
}

export const clock = { now: () => Date.now(), newId: () => randomUUID(), timeLeft };

/** The platform ends an invocation at its timeout. Middleware would use a real timer for that, also in tests on virtual time. */
export const untimed = { timeoutEarlyInMillis: 0 };

export function makePorts<P extends object>(
  factories: PortFactories<P>,
  context: InvocationContext,
  environment: Environment,
): P & InvocationContext {
  const made = Object.entries<PortFactories<P>[keyof PortFactories<P>]>(factories).map(([name, make]) => [
    name,
    make(context, environment),
  ]);
  return { ...context, ...(Object.fromEntries(made) as P) };
}

export function invocationOf({ functionName, awsRequestId }: Context): Invocation {
  return { functionName, requestId: awsRequestId };
}
