/** `evenkeel diff`: where the replicas of a run's or a task's workloads were before it and after it. */
import type { Command } from 'commander';
import type { WorkloadDiff } from '../shared/console-api/operations/diffs.ts';
import type { Ask } from '../shared/console-api/operations.ts';
import { isRunName, type NamedDiff, printedDiff } from './diff/print-diff.ts';
import { type Output, outputOption } from './operator/printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './operator/reach.ts';
import { wholeNumber } from './whole-number.ts';

interface DiffOptions extends DeploymentAddress {
  readonly namespace?: string;
  readonly limit: number;
  readonly output: Output;
}

/** As the API limits it. */
const PAGE = 200;
const MOST = 10_000;

const after = `
The placements are those that Evenkeel has recorded, on a hub with --history (docs/guides/history.md). On another hub a run is
shown as it was planned, and a task with its outcomes only.

Moved: on other clusters. Unchanged: the scheduler kept its assignment. Pending: not known yet. Rescheduled: the scheduler
has acted, and no placements are recorded. Failed, Skipped: with the reason.

Examples:
  evenkeel get runs                                   the runs; evenkeel get tasks: the tasks
  evenkeel diff 2026-11-25T10:00:00Z-4f2a81c0         what a run of a RebalancePolicy or ClusterDrain moved
  evenkeel diff rebalance-web -n shop                 what a WorkloadRebalancer moved in a namespace
  evenkeel diff rebalance-web -o json                 for a script, with all numbers`;

export function registerDiff(evenkeel: Command): void {
  const command = evenkeel
    .command('diff')
    .description('where replicas were before and after a run or a task, and the outcome of each workload')
    .argument('<run-or-task>', 'of a run or a task; run/NAME and task/NAME are understood too')
    .option('-n, --namespace <namespace>', 'only workloads of this namespace')
    .option('--limit <n>', 'how many workloads to read at most', wholeNumber(1, MOST), 1000)
    .addOption(outputOption());
  withHub(command)
    .addHelpText('after', after)
    .action(async (name: string, options: DiffOptions) => {
      process.stdout.write(`${await diff(reach(options), name, options)}\n`);
    });
}

async function diff(ask: Ask, name: string, options: DiffOptions): Promise<string> {
  const { namespace, limit, output } = options;
  const hub = await hubOf(ask, options);
  const read = isRunName(name) ? readRun : readTask;
  const found = await read(ask, { hub, name: name.replace(/^(run|task)s?\//, '') }, limit);
  const { total } = found;
  if (total > limit) process.stderr.write(`evenkeel: the first ${limit} of ${total} workloads; --limit shows more\n`);
  const meant = found.workloads.filter(({ workload }) => namespace === undefined || workload.namespace === namespace);
  return printedDiff({ ...found, workloads: meant }, output);
}

interface DiffTarget {
  readonly hub: string;
  readonly name: string;
}

async function readTask(ask: Ask, { hub, name }: DiffTarget, most: number): Promise<NamedDiff> {
  const first = await ask('getTaskDiff', { hub, name, limit: Math.min(PAGE, most) });
  const { task, exists, total, unrecorded } = first;
  const more = await pagesAfter(first.workloads, Math.min(total, most), (from, limit) =>
    ask('getTaskDiff', { hub, name, uid: task.uid, from, limit }),
  );
  const of = { task, ...(exists !== undefined && { exists }) };
  return { of, total, unrecorded, workloads: [...first.workloads, ...more] };
}

async function readRun(ask: Ask, { hub, name }: DiffTarget, most: number): Promise<NamedDiff> {
  const first = await ask('getRunDiff', { hub, run: name, limit: Math.min(PAGE, most) });
  const { run, total, unrecorded } = first;
  const more = await pagesAfter(first.workloads, Math.min(total, most), (from, limit) =>
    ask('getRunDiff', { hub, run: name, from, limit }),
  );
  return { of: { run }, total, unrecorded, workloads: [...first.workloads, ...more] };
}

/** One after the other: each page costs up to 400 queries of the table. */
async function pagesAfter(
  first: readonly WorkloadDiff[],
  end: number,
  read: (from: number, limit: number) => Promise<{ readonly workloads: readonly WorkloadDiff[] }>,
): Promise<readonly WorkloadDiff[]> {
  const more: WorkloadDiff[] = [];
  for (let from = first.length; from < end; from += PAGE)
    more.push(...(await read(from, Math.min(PAGE, end - from))).workloads);
  return more;
}
