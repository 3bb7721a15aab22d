/** Runs what people ask and order: parse the input by the table of operations, run, and answer with what the table promises or with why not. */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { asFault, Fault } from '../model/fault.ts';
import { whatIsWrong } from '../model/what-is-wrong.ts';
import {
  type NamesOf,
  type OperationName,
  type Operations,
  type OutputOf,
  operations,
} from '../operator/operations.ts';
import { type Refused, refusedAs } from '../operator/refused.ts';
import type { Ports, Surroundings } from '../ports/ports.ts';
import { awsSurroundings } from './aws-ports.ts';
import { type Environment, invocationOf, makePorts, type PortFactories } from './moment.ts';

/** As whoever may invoke the function sends it. */
export interface OperatorCall {
  readonly operation: string;
  readonly input?: unknown;
}

export type OperatorAnswer = { readonly answer: unknown } | { readonly refused: Refused };

type Kind = Operations[OperationName]['kind'];

export interface OperatorTask<K extends Kind, P extends keyof Ports, M> {
  readonly kind: K;
  /** What an instance remembers from one call to the next; bounded, and never needed for what is right. */
  readonly remember: () => M;
  readonly answers: {
    readonly [N in NamesOf<K>]: (
      input: z.output<Operations[N]['input']>,
      ports: Pick<Ports, P> & Surroundings,
      memory: M,
    ) => Promise<OutputOf<N>>;
  };
}

export function operatorTask<K extends Kind, P extends keyof Ports, M>(
  task: OperatorTask<K, P, M>,
): OperatorTask<K, P, M> {
  return task;
}

export type OperatorHandler = (call: OperatorCall, context: Context) => Promise<OperatorAnswer>;

export function onOperator<K extends Kind, P extends keyof Ports, M>(
  task: OperatorTask<K, P, M>,
  factories: PortFactories<P>,
  platform: { readonly surroundings: (environment: Environment) => Surroundings } = { surroundings: awsSurroundings },
): OperatorHandler {
  let ports: (Pick<Ports, P> & Surroundings) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.surroundings(process.env), process.env));
  const memory = task.remember();
  const handle = async ({ operation, input = {} }: OperatorCall): Promise<OperatorAnswer> => {
    const { telemetry } = made();
    try {
      const answer = await run(task, { operation, input }, { ports: made(), memory });
      // Of questions nothing changes, and a page that is open asks every second.
      if (task.kind !== 'question') telemetry.outcome('EK500', { operation, ...named(input) });
      return { answer };
    } catch (thrown) {
      const fault = asFault(thrown);
      const { reason, message } = fault;
      telemetry.outcome('EK501', { operation: operation.slice(0, 80), reason, error: message });
      return { refused: refusedAs(fault) };
    }
  };
  return middy<OperatorCall, OperatorAnswer>()
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler(handle);
}

async function run<K extends Kind, P extends keyof Ports, M>(
  { kind, answers }: OperatorTask<K, P, M>,
  { operation, input }: Required<OperatorCall>,
  { ports, memory }: { readonly ports: Pick<Ports, P> & Surroundings; readonly memory: M },
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
  return new Fault('terminal', `${field}: ${issue ? whatIsWrong(issue) : 'is wrong'} (of ${operation})`, {
    reason: 'InvalidInput',
  });
}

/** What an order was about, for the log: texts of its first level, without reasons that people wrote. */
function named(input: unknown): Readonly<Record<string, string>> {
  const { hub, name, cluster, queue } = input as Readonly<Record<string, unknown>>;
  const texts = Object.entries({ hub, name, cluster, queue }).filter((entry) => typeof entry[1] === 'string');
  return Object.fromEntries(texts as [string, string][]);
}
