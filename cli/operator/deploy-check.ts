/** `evenkeel deploy check`: whether a deployment responds, reaches its hubs, and delivers the events it consumes. */
import type { Command } from 'commander';
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import type { Ask } from '../../shared/console-api/operations.ts';
import { count } from '../../shared/core/count.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import { type Finding, fail, ok, reportFindings, warn } from '../check/finding.ts';
import { takesOutput } from '../hub-options.ts';
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

/** A queue with more waiting events than this is slower than its events arrive. */
const DEEP = 1000;
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
  const [health, ofHubs] = await Promise.all([
    ask('getHealth', {}),
    eachAtOnce(hubs, HUBS_AT_ONCE, (hub) => hubFinding(ask, hub)),
  ]);
  return [answers, ...ofHubs, ...queueFindings(health)];
}

async function hubFinding(ask: Ask, { name, paused, reach }: HubSummary): Promise<Finding> {
  const about = `hub ${name}`;
  const mend = `evenkeel hub check, with its kubeconfig; evenkeel hub add ${name} writes its connection anew`;
  if (reach.state === 'Unreachable') return fail(about, reach.message ?? reach.state, mend);
  if (paused !== undefined) {
    const why = paused.reason === '' ? '' : ` (${paused.reason})`;
    return warn(about, `paused since ${paused.since}${why}`, `evenkeel resume ${name}`);
  }
  try {
    if (reach.state === 'NotCompared') {
      const mend = 'docs/runbook.md#silent-resync';
      const { message = reach.state, comparedAt } = reach;
      if (comparedAt === undefined) return warn(about, `${message} yet: resync does so every resyncMinutes`, mend);
      return fail(about, `${message}, last ${comparedAt}`, mend);
    }
    const { clusters, workloads } = await ask('getFleet', { hub: name });
    const unhealthy = clusters.filter(({ healthy }) => !healthy).length;
    const [of, placed] = [count(clusters.length, 'cluster'), count(workloads.length, 'workload')];
    return ok(about, `it is read: ${of}, ${unhealthy} of them not healthy, ${placed}`);
  } catch (thrown) {
    return fail(about, asFault(thrown).message, mend);
  }
}

function queueFindings({ queues }: HealthAnswer): readonly Finding[] {
  const dead = queues.filter(({ deadLetters }) => deadLetters > 0);
  const deep = queues.filter(({ waiting }) => waiting > DEEP);
  const found = [
    ...dead.map(({ name, deadLetters }) =>
      fail(
        `queue ${name}`,
        count(deadLetters, 'dead letter'),
        `evenkeel dlq list --queue ${name}; when its cause is gone, evenkeel dlq redrive --queue ${name}`,
      ),
    ),
    ...deep.map(({ name, waiting }) =>
      warn(`queue ${name}`, `${waiting} events wait`, 'look for the alarm of its function in docs/runbook.md'),
    ),
  ];
  return found.length > 0 ? found : [ok('queues', `nothing is undelivered in ${queues.length}`)];
}
