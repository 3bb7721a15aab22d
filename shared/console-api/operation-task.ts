/** Runs operations: parses the input by the table of operations, runs it, and returns the declared output or an error response. */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Environment } from '../aws/client-config.ts';
import { asFault, Fault } from '../core/fault.ts';
import { fieldError } from '../core/field-error.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { awsContext } from '../runtime/aws-context.ts';
import { inInvocation, invocationOf, makePorts, type PortFactories, untimed } from '../runtime/moment.ts';
import { type ErrorResponse, errorResponseOf } from './error-response.ts';
import { type NamesOf, type OperationName, type Operations, type OutputOf, operations } from './operations.ts';
import { subjectText } from './subject.ts';

/** As the invoking client sends it. */
export interface OperationCall {
  readonly operation: string;
  readonly input?: unknown;
  /** The user of a write operation: a Subject, as the caller states it. */
  readonly by?: unknown;
}

/** Metadata of a write operation besides its input. */
export interface CalledBy {
  /** The user (subjectText). */
  readonly by: string;
}

export type OperationAnswer = { readonly answer: unknown } | { readonly error: ErrorResponse };

type TaskKind = Operations[OperationName]['kind'];

export interface OperationTask<K extends TaskKind, P extends object, M> {
  readonly kind: K;
  /** Per-instance cache between calls; bounded, and never required for correctness. */
  readonly remember: () => M;
  readonly answers: {
    readonly [N in NamesOf<K>]: (
      input: z.output<Operations[N]['input']>,
      ports: P & InvocationContext & CalledBy,
      memory: M,
    ) => Promise<OutputOf<N>>;
  };
}

export function operationTask<K extends TaskKind, P extends object, M>(
  task: OperationTask<K, P, M>,
): OperationTask<K, P, M> {
  return task;
}

export type OperationHandler = (call: OperationCall, context: Context) => Promise<OperationAnswer>;

export function onOperation<K extends TaskKind, P extends object, M>(
  task: OperationTask<K, P, M>,
  factories: PortFactories<P>,
  platform: { readonly context: (environment: Environment) => InvocationContext } = { context: awsContext },
): OperationHandler {
  let ports: (P & InvocationContext) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.context(process.env), process.env));
  const memory = task.remember();
  const handle = async ({ operation, input = {}, by: subject }: OperationCall): Promise<OperationAnswer> => {
    const { telemetry } = made();
    const by = subjectText(subject);
    try {
      const answer = await run(task, { operation, input }, { ports: { ...made(), by }, memory });
      // Reads change nothing, and an open page polls every second, so they are not logged.
      if (task.kind !== 'query') telemetry.outcome('EK500', { operation, by, ...named(input) });
      return { answer };
    } catch (thrown) {
      const fault = asFault(thrown);
      const { reason, message } = fault;
      telemetry.outcome('EK501', { operation: operation.slice(0, 80), by, reason, error: message });
      return { error: errorResponseOf(fault) };
    }
  };
  return middy<OperationCall, OperationAnswer>(untimed)
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler((event, context) => inInvocation(context, () => handle(event)));
}

async function run<K extends TaskKind, P extends object, M>(
  { kind, answers }: OperationTask<K, P, M>,
  { operation, input }: Required<Omit<OperationCall, 'by'>>,
  { ports, memory }: { readonly ports: P & InvocationContext & CalledBy; readonly memory: M },
): Promise<unknown> {
  const known = Object.hasOwn(operations, operation) ? operations[operation as OperationName] : undefined;
  if (known?.kind !== kind) {
    const here = Object.keys(answers).join(', ');
    throw new Fault('terminal', `${JSON.stringify(operation.slice(0, 80))} is not answered here; there are: ${here}`, {
      reason: 'UnknownOperation',
    });
  }
  const parsed = z.safeParse(known.input, input);
  if (!parsed.success) throw invalid(operation, parsed.error.issues[0]);
  const act = answers[operation as NamesOf<K>] as (input: unknown, ports: unknown, memory: M) => Promise<unknown>;
  return act(parsed.data, ports, memory);
}

function invalid(operation: string, issue: z.core.$ZodIssue | undefined): Fault {
  const field = issue?.path.map(String).join('.') || 'the input';
  return new Fault('terminal', `${field}: ${issue ? fieldError(issue) : 'is invalid'} (of ${operation})`, {
    reason: 'InvalidInput',
  });
}

/** The target of an operation, for the log: top-level strings, without reasons that users wrote. */
function named(input: unknown): Readonly<Record<string, string>> {
  const { hub, name, cluster, queue } = input as Readonly<Record<string, unknown>>;
  const texts = Object.entries({ hub, name, cluster, queue }).filter((entry) => typeof entry[1] === 'string');
  return Object.fromEntries(texts as [string, string][]);
}
