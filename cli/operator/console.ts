/** `evenkeel console`: the page of a deployment, served on this machine: every query and command uses the credentials of this shell. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../../infra/function-paths.ts';
import { startConsoleServer } from '../../local/console-server.ts';
import { answererOf } from '../../shared/console-api/operations-app.ts';
import { wholeNumber } from '../whole-number.ts';
import { type DeploymentAddress, reach, withReach } from './reach.ts';

interface ConsoleCommandOptions extends DeploymentAddress {
  readonly port: number;
  readonly readOnly?: boolean;
}

const after = `
Only this machine reaches the page, and only a browser that opened the printed address, which contains a session token.
Requests are made with this shell's AWS credentials (lambda:InvokeFunction on NAME-run-query and NAME-run-command).

Examples:
  evenkeel console                        the deployment "evenkeel", at http://127.0.0.1:7445
  evenkeel console --deployment blue --port 7500 --read-only`;

const DEFAULT_PORT = 7445;

export function registerConsole(evenkeel: Command): void {
  withReach(evenkeel.command('console'))
    .description('inspect and operate a deployment in the browser of this machine')
    .option('--port <n>', 'where the page is; 0 for any free port', wholeNumber(0, 65_535), DEFAULT_PORT)
    .option('--read-only', 'ask only: no command goes out')
    .addHelpText('after', after)
    .action(async ({ port, readOnly = false, ...options }: ConsoleCommandOptions) => {
      const ask = reach(options);
      // A missing permission is reported at the start, and not by an empty page.
      await ask('listHubs', {});
      const folder = join(packageRoot(), 'dist', 'console');
      const answerer = answererOf(ask);
      const answerers = { query: answerer, ...(!readOnly && { command: answerer }) };
      const token = randomBytes(32).toString('base64url');
      const server = await startConsoleServer({ port, answerers, folder, token });
      process.stdout.write(`The page is at ${server.url}; Ctrl-C ends it.\n`);
      await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
      await server.close();
    });
}
