/** `evenkeel console`: the page of a deployment, served on this machine alone: every question and order goes out under the rights of this shell. */
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { packageRoot } from '../../infra/function-paths.ts';
import { answererOf } from '../../shared/edge/operator-app.ts';
import { startConsoleServer } from './console-server.ts';
import { type Reach, reach, withReach } from './reach.ts';

interface Options extends Reach {
  readonly port: number;
  readonly readOnly?: boolean;
}

const after = `
Only this machine reaches the page. Who may ask and order is who may invoke the deployment's functions
(lambda:InvokeFunction on NAME-answer-question and NAME-carry-out-order).

Examples:
  evenkeel console                        the deployment "evenkeel", at http://127.0.0.1:7445
  evenkeel console --deployment blue --port 7500 --read-only`;

const DEFAULT_PORT = 7445;

export function registerConsole(evenkeel: Command): void {
  withReach(evenkeel.command('console'))
    .description('look at a deployment, and act, in the browser of this machine')
    .option('--port <n>', 'where the page is; 0 for any free port', portOf, DEFAULT_PORT)
    .option('--read-only', 'ask only: no order goes out')
    .addHelpText('after', after)
    .action(async ({ port, readOnly = false, ...options }: Options) => {
      const ask = reach(options);
      // Who may not ask is told now, and not by an empty page.
      await ask('listHubs', {});
      const folder = join(packageRoot(), 'dist', 'console');
      const answerer = answererOf(ask);
      const answerers = { question: answerer, ...(!readOnly && { order: answerer }) };
      const server = await startConsoleServer({ port, answerers, folder });
      process.stdout.write(`The page is at ${server.url}; Ctrl-C ends it.\n`);
      await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
      await server.close();
    });
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('It is a whole number from 0 to 65535.');
}
