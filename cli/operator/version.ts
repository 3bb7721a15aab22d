/** `evenkeel version`: the version of this command, and of the deployment or local run that it calls. */
import { type Command, Option } from 'commander';
import { asFault } from '../../shared/core/fault.ts';
import { VERSION } from '../../shared/core/version.ts';
import { documentText } from '../document-text.ts';
import { type DeploymentAddress, reach, withReach } from './reach.ts';

interface VersionOptions extends DeploymentAddress {
  readonly client?: true;
  readonly output?: 'json' | 'yaml';
}

interface Versions {
  readonly clientVersion: string;
  readonly serverVersion?: string;
}

const examples = `
Examples:
  evenkeel version                               of this command, and of a deployment by the AWS credentials of this shell
  evenkeel version --api http://127.0.0.1:8080   and of a local run
  evenkeel version --client -o json`;

const NOT_REACHED = 2;
/** The functions of 0.1.0 and older do not publish it. */
const OLDER = 'unknown (0.1.0 or older)';

export function registerVersion(evenkeel: Command): void {
  withReach(evenkeel.command('version'))
    .description('print the version of this command, and of the deployment or local run')
    .option('--client', 'only of this command: nothing is called')
    .addOption(new Option('-o, --output <form>', 'how to print').choices(['json', 'yaml']))
    .addHelpText('after', examples)
    .action(async ({ client, output, ...options }: VersionOptions) => {
      if (client) return print({ clientVersion: VERSION }, output);
      try {
        const { version: serverVersion = OLDER } = await reach(options)('about', {});
        print({ clientVersion: VERSION, serverVersion }, output);
      } catch (thrown) {
        print({ clientVersion: VERSION }, output);
        process.stderr.write(`evenkeel: no server version: ${asFault(thrown).message}; --client leaves it out\n`);
        process.exitCode = NOT_REACHED;
      }
    });
}

function print(versions: Versions, output: VersionOptions['output']): void {
  const { clientVersion, serverVersion } = versions;
  const lines = [`Client: ${clientVersion}`, ...(serverVersion === undefined ? [] : [`Server: ${serverVersion}`])];
  const text = output === undefined ? lines.join('\n') : documentText(versions, output);
  process.stdout.write(`${text}\n`);
}
