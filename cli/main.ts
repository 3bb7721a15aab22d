/** `evenkeel`: the command line for operators. A failed command prints one line and exits with code 2. */
import { Command, CommanderError } from 'commander';
import { asFault, Fault } from '../shared/core/fault.ts';
import { VERSION } from '../shared/core/version.ts';
import { registerApprove } from './approve.ts';
import { registerBacktest } from './backtest.ts';
import { registerBridge } from './bridge.ts';
import { registerCompletion } from './completion.ts';
import { registerDiff } from './diff.ts';
import { registerDrain } from './drain.ts';
import { registerHistory } from './history.ts';
import { registerAdd } from './hub/add.ts';
import { registerCheck } from './hub/check.ts';
import { registerList } from './hub/list.ts';
import { registerManifests } from './hub/manifests.ts';
import { registerMigrate } from './hub/migrate.ts';
import { registerRemove } from './hub/remove.ts';
import { registerSet } from './hub/set.ts';
import { registerConsole } from './operator/console.ts';
import { registerDeadLetters } from './operator/dead-letters.ts';
import { registerDeploy } from './operator/deploy-check.ts';
import { registerExplain } from './operator/explain.ts';
import { registerGet } from './operator/get.ts';
import { registerHubSwitches } from './operator/hub-switches.ts';
import { registerVersion } from './operator/version.ts';
import { registerPlan } from './plan.ts';
import { registerRebalance } from './rebalance.ts';
import { registerRecord } from './record.ts';
import { registerRelease } from './release.ts';
import { registerRun } from './run.ts';
import { registerUndo } from './undo.ts';
import { registerUninstall } from './uninstall.ts';

const after = `
Exit codes:
  0    done; what was asked about is as it should be
  1    done, and something failed: a workload that was waited for, a hub that was checked
  2    not done: called wrongly, or a hub or deployment could not be asked
  3    plan, rebalance --dry-run: replicas would move
  130  ended by Ctrl-C while it waited

Examples:
  evenkeel start                                 try it: a practice hub on this machine
  evenkeel plan deploy/web -n shop               what a rebalance would move, and why
  evenkeel rebalance deployment/web -n shop --wait
  evenkeel get tasks
  evenkeel hub check`;

/** `name`: the name of the executable, as shown in its help. */
export function program(name = 'evenkeel'): Command {
  const evenkeel = new Command(name)
    .description('keeps replicas where they belong across many clusters')
    .version(VERSION)
    .addHelpText('after', after);
  registerStart(evenkeel);
  const hub = evenkeel
    .command('hub')
    .description('the hubs of a deployment: their requirements, connections and records')
    .addHelpText('after', '\nExamples:\n  evenkeel hub check\n  evenkeel hub list\n  evenkeel hub add --help');
  for (const register of [
    registerManifests,
    registerCheck,
    registerAdd,
    registerSet,
    registerList,
    registerHubSwitches,
    registerRemove,
    registerMigrate,
  ])
    register(hub);
  registerPlan(evenkeel);
  registerRebalance(evenkeel);
  registerRelease(evenkeel);
  registerDrain(evenkeel);
  registerRun(evenkeel);
  registerApprove(evenkeel);
  registerUndo(evenkeel);
  registerRecord(evenkeel);
  registerBacktest(evenkeel);
  registerBridge(evenkeel);
  registerGet(evenkeel);
  registerExplain(evenkeel);
  registerHistory(evenkeel);
  registerDiff(evenkeel);
  registerHubSwitches(evenkeel);
  registerDeadLetters(evenkeel);
  registerConsole(evenkeel);
  registerDeploy(evenkeel);
  registerCompletion(evenkeel);
  registerUninstall(evenkeel);
  registerVersion(evenkeel);
  return evenkeel;
}

/** The reader of the pipe may close it early: evenkeel plan | head. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The exit code. */
export async function main(argv: readonly string[], name?: string): Promise<number> {
  const evenkeel = program(name);
  // Once, however often this is called: Node warns of the eleventh listener.
  process.stdout.off('error', ignoreClosedPipe).on('error', ignoreClosedPipe);
  try {
    plainErrors(evenkeel);
    // Without a command, the help is printed.
    await evenkeel.parseAsync(argv.length > 2 ? argv : [...argv, '--help']);
    // Commands that distinguish more results than success set their own exit code.
    return Number(process.exitCode ?? 0);
  } catch (thrown) {
    // Commander has already printed the error, or the requested help.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    if (!(thrown instanceof Fault) && process.env.EVENKEEL_DEBUG) throw thrown;
    const way = thrown instanceof Fault ? '' : ' (not expected; EVENKEEL_DEBUG=1 shows where it comes from)';
    console.error(`evenkeel: ${asFault(thrown).message}${way}`);
    return 2;
  }
}

/** The local run parses its own options and prints their help. */
function registerStart(evenkeel: Command): void {
  evenkeel
    .command('start')
    .description('run all of it here, on a practice hub: no account, no cluster (--help lists its options)')
    .argument('[option...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_: readonly string[], __: object, command: Command) => {
      // Imported on demand: no other command needs a database and a hub.
      const { start } = await import('../local/start.ts').catch(missingPackage);
      process.exitCode = await start(command.args);
    });
}

/** The published command line contains no local run: it is a package of its own. */
function missingPackage(thrown: unknown): never {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('@evenkeel/local')) throw thrown;
  throw new Fault(
    'terminal',
    `evenkeel start needs the package @evenkeel/local: npm install @evenkeel/local@${VERSION}, with -g if evenkeel is installed so`,
    { reason: 'NotInstalled', cause: thrown },
  );
}

function plainErrors(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => write(`evenkeel: ${oneLine(text, pathOf(command))}\n`),
  });
  for (const each of command.commands) plainErrors(each);
}

/** "error: unknown command 'plna'\n(Did you mean plan?)" → "unknown command 'plna'; did you mean plan?". */
function oneLine(text: string, path: string): string {
  const message = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\.$/, '');
  const withHint = message.replace(/\s*\((Did) (you mean .*\?)\)$/s, (_, __, guess: string) => `; did ${guess}`);
  const line = withHint.replaceAll(/\s*\n\s*/g, ' ');
  return withHint === message ? `${line}; see ${path} --help` : line;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
