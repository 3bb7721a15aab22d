/** `evenkeel deploy check`: whether a deployment answers, reaches its hubs, and delivers what it hears. */
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { asFault } from '../../shared/model/fault.ts';
import { count } from '../../shared/model/words.ts';
import type { Ask, OutputOf } from '../../shared/operator/operations.ts';
import { type Finding, fail, ok, warn } from '../check/finding.ts';
import { findingsDocument, printFindings } from '../check/print-findings.ts';
import { takesOutput } from '../hub-options.ts';
import { coloursOf } from '../terminal.ts';
import { type Reach, reach, withReach } from './reach.ts';

interface Options extends Reach {
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
Exit code: 0 nothing fails, 1 something must be mended, 2 the deployment cannot be asked.

Examples:
  evenkeel deploy check                            the deployment "evenkeel", by the AWS credentials of this shell
  evenkeel deploy check --deployment blue -o json
  evenkeel deploy check --api http://127.0.0.1:7445`;

/** More than this waits where something is slower than its events come. */
const DEEP = 1000;

export function registerDeploy(evenkeel: Command): void {
  const deploy = evenkeel
    .command('deploy')
    .description('the deployment as a whole; "cdk deploy" makes it')
    .addHelpText('after', after);
  const command = deploy
    .command('check')
    .description('see whether a deployment answers, reaches its hubs, and delivers what it hears');
  withReach(takesOutput(command, ['json', 'yaml'])).addHelpText('after', after);
  command.action(async (options: Options) => {
    const findings = await lookAt(reach(options));
    const texts = {
      table: () => printFindings(findings, coloursOf()),
      json: () => JSON.stringify(findingsDocument(findings), undefined, 2),
      yaml: () => stringify(findingsDocument(findings)).trimEnd(),
    };
    process.stdout.write(`${texts[options.output]()}\n`);
    process.exitCode = findings.some(({ state }) => state === 'fail') ? 1 : 0;
  });
}

/** Throws where the deployment does not answer at all: then nothing is known of it. */
async function lookAt(ask: Ask): Promise<readonly Finding[]> {
  const { hubs } = await ask('listHubs', {});
  const answers = ok('functions', 'questions are answered');
  if (hubs.length === 0) return [answers, warn('hubs', 'it has none', 'name them in cdk.json, and run cdk deploy')];
  const [health, ...ofHubs] = await Promise.all([ask('getHealth', {}), ...hubs.map((hub) => hubFinding(ask, hub))]);
  return [answers, ...ofHubs, ...queueFindings(health)];
}

async function hubFinding(ask: Ask, { name, paused }: OutputOf<'listHubs'>['hubs'][number]): Promise<Finding> {
  const about = `hub ${name}`;
  if (paused !== undefined) {
    const why = paused.reason === '' ? '' : ` (${paused.reason})`;
    return warn(about, `paused since ${paused.since}${why}`, `evenkeel resume ${name}`);
  }
  try {
    const { clusters, workloads } = await ask('getFleet', { hub: name });
    const unwell = clusters.filter(({ well }) => !well).length;
    const [of, placed] = [count(clusters.length, 'cluster'), count(workloads.length, 'workload')];
    return ok(about, `it is read: ${of}, ${unwell} of them not well, ${placed}`);
  } catch (thrown) {
    const mend = `evenkeel hub check, with its kubeconfig; evenkeel hub add ${name} writes its connection anew`;
    return fail(about, asFault(thrown).message, mend);
  }
}

function queueFindings({ queues }: OutputOf<'getHealth'>): readonly Finding[] {
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
