/** The server of the local run, which answers from a fake world. */
import * as z from 'zod/mini';
import { type ConsoleServer, startConsoleServer } from '../../local/console-server.ts';
import type { Operation } from '../../shared/console-api/operation.ts';
import type { OperationAnswer, OperationCall } from '../../shared/console-api/operation-task.ts';
import { type OperationName, operations } from '../../shared/console-api/operations.ts';
import type { FakeWorld } from './fake-world.ts';

/** Checked responses: the check of a large fleet is slow, and its response is the same object each time. */
const checked = new WeakSet<object>();

/** The port can be that of an earlier server, to simulate a restart. */
export function startFakeServer(
  world: FakeWorld,
  { folder, port = 0 }: { readonly folder: string; readonly port?: number },
): Promise<ConsoleServer> {
  const answer = async (call: OperationCall): Promise<OperationAnswer> => answerOf(world, call);
  const { command, practice } = world.may;
  const answerers = { query: answer, ...(command && { command: answer }), ...(practice && { practice: answer }) };
  return startConsoleServer({ port, folder, answerers });
}

function answerOf({ answers }: FakeWorld, { operation, input }: OperationCall): OperationAnswer {
  const name = operation as OperationName;
  const { input: wanted, output } = operations[name] as Operation;
  const given = z.safeParse(wanted, input);
  if (!given.success) return rejected(400, 'InvalidInput', z.prettifyError(given.error));
  const response = (answers[name] as (input: unknown) => unknown)(given.data);
  if (response === undefined) return rejected(404, 'NotFound', `${name}: there is none of that name`);
  if (!checked.has(response as object)) {
    // A fake response must match the schema of the real API.
    z.parse(output, response);
    checked.add(response as object);
  }
  return { answer: response };
}

function rejected(status: number, reason: string, error: string): OperationAnswer {
  return { error: { status, reason, error } };
}
