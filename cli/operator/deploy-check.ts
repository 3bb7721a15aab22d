/** `evenkeel deploy check`: whether a deployment responds, reaches its hubs, and delivers the events it consumes. */
import type { Command } from 'commander';
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { Ask } from '../../shared/console-api/operations.ts';
import { count } from '../../shared/core/count.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import { type Finding, fail, ok, reportFindings, warn } from '../check/finding.ts';
import { takesOutput } from '../hub-options.ts';
import { type HubHealth, withLogged } from './hub-health.ts';
import { type DeploymentAddress, reach, withReach } from './reach.ts';

interface DeployCheckOptions extends DeploymentAddress {
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
Exit code: 0 nothing fails, 1 something must be mended, 2 the deployment cannot be asked.

Examples:
  evenkeel deploy check                            the deployment "evenkeel", by the AWS credentials of this shell
  evenkeel deploy check --deployment blue -o json
  evenkeel deploy check --api http://127.0.0.1:7445`;

/** Invocations of a function at once: an account has 1,000 for all of its functions. */
const HUBS_AT_ONCE = 10;

export function registerDeploy(evenkeel: Command): void {
  const deploy = evenkeel
    .command('deploy')
    .description('the deployment as a whole; "cdk deploy" makes it')
    .addHelpText('after', after);
  const command = deploy
    .command('check')
    .description('check whether a deployment responds, reaches its hubs, and delivers the events it consumes');
  withReach(takesOutput(command, ['json', 'yaml'])).addHelpText('after', after);
  command.action(async (options: DeployCheckOptions) => {
    process.exitCode = reportFindings(await readHealth(reach(options)), options.output);
  });
}

/** Throws if the deployment does not respond, since no check is possible then. */
async function readHealth(ask: Ask): Promise<readonly Finding[]> {
  const { hubs } = await ask('listHubs', {});
  const answers = ok('functions', 'queries are answered');
  if (hubs.length === 0) return [answers, warn('hubs', 'it has none', 'evenkeel hub add NAME --kubeconfig FILE')];
  const health = await ask('getHealth', {});
  const ofHubs = await eachAtOnce(withLogged(hubs, health), HUBS_AT_ONCE, (hub) => hubChecks(ask, hub));
  return [answers, ...ofHubs.flat(), ...queueChecks(health)];
}

async function hubChecks(ask: Ask, hub: HubHealth): Promise<readonly Finding[]> {
  const checks = hub.findings.map((finding) => checkOf(`hub ${hub.name}`, finding));
  const isRead = hub.reach.state !== 'Unreachable' && hub.paused === undefined;
  return isRead ? [...checks, await fleetCheck(ask, hub.name)] : checks;
}

async function fleetCheck(ask: Ask, hub: string): Promise<Finding> {
  const about = `hub ${hub}`;
  try {
    const { clusters, workloads } = await ask('getFleet', { hub });
    const unhealthy = clusters.filter(({ healthy }) => !healthy).length;
    const [of, placed] = [count(clusters.length, 'cluster'), count(workloads.length, 'workload')];
    return ok(about, `it is read: ${of}, ${unhealthy} of them not healthy, ${placed}`);
  } catch (thrown) {
    return fail(about, asFault(thrown).message, 'evenkeel hub check, with its kubeconfig');
  }
}

function queueChecks({ queues, unread }: HealthAnswer): readonly Finding[] {
  const unreadLogs = unread === undefined ? [] : [warn('logs', unread, 'evenkeel deploy check, again')];
  const found = queues.flatMap(({ name, findings }) => findings.map((finding) => checkOf(`queue ${name}`, finding)));
  return [...unreadLogs, ...(found.length > 0 ? found : [ok('queues', `nothing is undelivered in ${queues.length}`)])];
}

function checkOf(about: string, { level, text, remedy }: HubHealth['findings'][number]): Finding {
  return level === 'error' ? fail(about, text, remedy) : warn(about, text, remedy);
}
