/** `evenkeel history`: where the replicas of a workload were, and what changed on a cluster. */
import type { Command } from 'commander';
import type { PlacementsAnswer } from '../shared/console-api/operations/history.ts';
import type { Ask } from '../shared/console-api/operations.ts';
import { keyText, type ObjectKey } from '../shared/kubernetes/object-key.ts';
import { bindingsNamed, timeSince } from './history/choose-history.ts';
import { clusterRows, placementRows } from './history/print-history.ts';
import type { NamespaceOptions } from './hub-options.ts';
import { type Output, outputOption, printed } from './operator/printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './operator/reach.ts';
import { wholeNumber } from './whole-number.ts';

interface HistoryOptions extends DeploymentAddress, Pick<NamespaceOptions, 'namespace'> {
  readonly since: string;
  readonly limit: number;
  readonly output: Output;
}

const MOST = 1000;

const examples = `
Examples:
  evenkeel history workload web -n shop               the last day: where its replicas were, who moved them, and why
  evenkeel history workload statefulset/shop/db --since 7d
  evenkeel history workload web -n shop -o json       for a chart
  evenkeel history cluster member2 --since 24h        what changed on member2 since yesterday`;

export function registerHistory(evenkeel: Command): void {
  const history = evenkeel
    .command('history')
    .description('where replicas were over time, who moved them and why: of a workload, or of a cluster')
    .addHelpText('after', examples);
  withRange(withHub(history.command('workload')))
    .description('how the replicas of a workload were placed and ready, newest first')
    .argument('<workload>', 'web, deployment/web, deployment/shop/web, or the name of its binding')
    .option('-n, --namespace <namespace>', 'of the workload (default: default)')
    .addHelpText('after', examples)
    .action(async (name: string, options: HistoryOptions) => {
      process.stdout.write(`${await workloadHistory(reach(options), name, options)}\n`);
    });
  withRange(withHub(history.command('cluster')))
    .description('the states of a cluster, and what moved to and from it, newest first')
    .argument('<cluster>', 'a member cluster of the hub')
    .addHelpText('after', examples)
    .action(async (cluster: string, options: HistoryOptions) => {
      process.stdout.write(`${await clusterHistory(reach(options), cluster, options)}\n`);
    });
}

function withRange(command: Command): Command {
  return command
    .option('--since <time>', '30m, 24h, 7d, or a time like 2026-11-22T08:00:00Z', '24h')
    .option('--limit <n>', 'how many rows to read at most', wholeNumber(1, MOST), 200)
    .addOption(outputOption());
}

export async function workloadHistory(ask: Ask, name: string, options: HistoryOptions): Promise<string> {
  const hub = await hubOf(ask, options);
  const from = timeSince(options.since, Date.now());
  const keys = bindingsNamed(name, options.namespace);
  const found = await firstRecorded(keys, ({ namespace, name: binding }) =>
    ask('listPlacements', { hub, namespace: namespace || '-', name: binding, from, limit: options.limit }),
  );
  const { placements, before } = found;
  const tried = keys.map(keyText).join(', ');
  const none =
    before === undefined
      ? `Nothing is recorded of ${tried} since ${from}. Changes are recorded from when the hub has --history.`
      : `Nothing changed since ${from}; the last change was at ${before.at}.`;
  const text = await printed(placementRows(found, none), options.output);
  return printedUpTo(placements.length, found.next, text, options);
}

/** The first of these keys with a history; of none, the answer of the last. */
async function firstRecorded(
  keys: readonly ObjectKey[],
  read: (key: ObjectKey) => Promise<PlacementsAnswer>,
): Promise<PlacementsAnswer> {
  let answer: PlacementsAnswer = { placements: [] };
  for (const key of keys) {
    answer = await read(key);
    if (answer.placements.length > 0 || answer.before !== undefined) break;
  }
  return answer;
}

async function clusterHistory(ask: Ask, cluster: string, options: HistoryOptions): Promise<string> {
  const hub = await hubOf(ask, options);
  const from = timeSince(options.since, Date.now());
  const answer = await ask('getClusterHistory', { hub, cluster, from, limit: options.limit });
  const { before } = answer;
  const none = `Nothing changed on ${cluster} since ${from}${before === undefined ? '' : `; it is ${before.state}`}.`;
  const text = await printed(clusterRows(cluster, answer, none), options.output);
  return printedUpTo(answer.moves.length, answer.next, text, options);
}

/** With a note on standard error if there are more rows. */
function printedUpTo(shown: number, next: string | undefined, text: string, { limit }: HistoryOptions): string {
  if (next !== undefined && shown >= limit)
    process.stderr.write(`evenkeel: the newest ${limit} rows; --limit shows more, --since fewer days\n`);
  return text;
}
