/** The local run's own server with a fake world's answers behind it. */
import * as z from 'zod/mini';
import { type ConsoleServer, startConsoleServer } from '../../local/console-server.ts';
import type { OperatorAnswer, OperatorCall } from '../../shared/edge/operator-task.ts';
import type { Operation } from '../../shared/operator/operation.ts';
import { type OperationName, operations } from '../../shared/operator/operations.ts';
import type { FakeWorld } from './fake-world.ts';

/** A large fleet takes a while to check, and is the same one at each ask. */
const checked = new WeakSet<object>();

/** With a port, the one that a server before it had: as after a restart. */
export function startFakeServer(
  world: FakeWorld,
  { folder, port = 0 }: { readonly folder: string; readonly port?: number },
): Promise<ConsoleServer> {
  const answer = async (call: OperatorCall): Promise<OperatorAnswer> => answerOf(world, call);
  const { order, practice } = world.may;
  const answerers = { question: answer, ...(order && { order: answer }), ...(practice && { practice: answer }) };
  return startConsoleServer({ port, folder, answerers });
}

function answerOf({ answers }: FakeWorld, { operation, input }: OperatorCall): OperatorAnswer {
  const name = operation as OperationName;
  const { input: wanted, output } = operations[name] as Operation;
  const given = z.safeParse(wanted, input);
  if (!given.success) return rejected(400, 'InvalidInput', z.prettifyError(given.error));
  const said = (answers[name] as (input: unknown) => unknown)(given.data);
  if (said === undefined) return rejected(404, 'NotFound', `${name}: there is none of that name`);
  if (!checked.has(said as object)) {
    // What the fake says is what the real one may say.
    z.parse(output, said);
    checked.add(said as object);
  }
  return { answer: said };
}

function rejected(status: number, reason: string, error: string): OperatorAnswer {
  return { error: { status, reason, error } };
}
