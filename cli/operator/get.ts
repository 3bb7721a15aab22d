/** `evenkeel get`: lists Evenkeel's data as kubectl lists objects, and shows one task or run. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunAnswer } from '../../shared/console-api/operations/decisions.ts';
import type { TaskAnswer, TaskWorkloadResult } from '../../shared/console-api/operations/tasks.ts';
import type { Ask } from '../../shared/console-api/operations.ts';
import { count } from '../../shared/core/count.ts';
import { tryEach } from '../../shared/core/each-at-once.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { changes } from '../plan/print-plan.ts';
import {
  joined,
  type Output,
  outputOption,
  type PrintedList,
  printed,
  printedList,
  type Rows,
} from './printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './reach.ts';
import { type GetContext, ofDeployment, things } from './things.ts';

interface GetOptions extends DeploymentAddress {
  readonly namespace?: string;
  readonly policy?: string;
  readonly limit: number;
  readonly output: Output;
  readonly watch?: boolean;
  readonly allHubs?: true;
}

const examples = `
Examples:
  evenkeel get tasks                        the rebalances of the hub, the one that changed last first
  evenkeel get task rebalance-web -o wide   one of them, workload by workload
  evenkeel get decisions -n shop            what the descheduler read, took out and left, and why
  evenkeel get runs --policy come-home      what a RebalancePolicy did; get run NAME: workload by workload
  evenkeel get workloads -n shop            where replicas are, ready and held
  evenkeel get queues -w                    what waits, until Ctrl-C; a line for each change
  evenkeel get tasks --all-hubs             of every hub of the deployment
  evenkeel get hubs prod                    hubs whose name contains prod, the worst first
  evenkeel get hubs --deployment evenkeel   of a deployment, by the AWS credentials of this shell`;

interface NamedThing {
  readonly thing: string;
  readonly name: string | undefined;
}

/** By the word after `get`. */
const details: Readonly<Record<string, (query: GetContext, name: string) => Promise<DetailView>>> = {
  task: async ({ ask, hub }, name) => taskDetail(await ask('getTask', { hub: await hub(), name })),
  run: async ({ ask, hub, namespace }, name) => {
    const answer = await ask('getRun', { hub: await hub(), run: name });
    const meant = answer.decisions.filter(
      ({ workload }) => namespace === undefined || workload.namespace === namespace,
    );
    return runDetail({ ...answer, decisions: meant });
  },
};

const known = [...Object.keys(things), ...Object.keys(details)].join(', ');
const WATCH_MS = 1000;
const MOST = 500;
const HUBS_AT_ONCE = 10;

export function registerGet(evenkeel: Command): void {
  withHub(evenkeel.command('get'))
    .description('what Evenkeel knows and does: tasks, decisions, workloads, queues')
    .argument('<thing>', `one of ${known}`)
    .argument('[name]', 'of a task or a run; of hubs: only those whose name contains it')
    .option('-n, --namespace <name>', 'only workloads and decisions of this namespace')
    .addOption(new Option('--all-hubs', 'of every hub of the deployment').conflicts('hub'))
    .option('--policy <name>', 'only runs of this RebalancePolicy')
    .option('--limit <n>', 'how many rows to read', limitOf, 100)
    .option('-w, --watch', 'keep running and print changes')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (thing: string, name: string | undefined, options: GetOptions) => {
      const ask = reach(options);
      const read = readerOf(ask, { thing, name }, options);
      if (!options.watch) process.stdout.write(`${await read()}\n`);
      else await watch(read);
    });
}

function limitOf(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (limit >= 1 && limit <= MOST) return limit;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST}.`);
}

function readerOf(ask: Ask, { thing, name }: NamedThing, options: GetOptions): () => Promise<string> {
  const { namespace, policy, limit, output } = options;
  let hub: Promise<string> | undefined;
  const search = thing === 'hubs' ? name : undefined;
  const query: GetContext = { ask, hub: () => (hub ??= hubOf(ask, options)), namespace, policy, limit, search };
  if ((name !== undefined && search === undefined) || Object.hasOwn(details, thing))
    return () => byName(query, { thing, name }, output);
  const list = Object.hasOwn(things, thing) ? thing : `${thing}s`;
  const rows = ownValue(things, list);
  if (rows === undefined)
    throw invalidOption(`${JSON.stringify(thing)}: Unsupported value; supported values: ${known}`);
  if (!options.allHubs) return async () => printedList(await rows(query), output);
  if (ofDeployment.includes(list)) throw invalidOption(`--all-hubs: ${list} are of the deployment; leave it out`);
  return async () => printedList(await ofAllHubs(query, rows), output);
}

/** A hub that cannot be read is named on standard error, and the others are listed. */
async function ofAllHubs(query: GetContext, rows: (query: GetContext) => Promise<PrintedList>): Promise<PrintedList> {
  const { hubs } = await query.ask('listHubs', {});
  const names = hubs.map(({ name }) => name).toSorted();
  const lists = await tryEach(names, HUBS_AT_ONCE, (hub) => rows({ ...query, hub: async () => hub }));
  for (const { item, fault } of lists) if (fault) process.stderr.write(`hub ${item}: ${fault.message}\n`);
  return joined(lists.flatMap(({ item: hub, value: listing }) => (listing ? [{ hub, listing }] : [])));
}

async function byName(query: GetContext, { thing, name }: NamedThing, output: Output): Promise<string> {
  const one = thing.replace(/s$/, '');
  const detail = ownValue(details, one);
  if (detail === undefined) throw invalidOption(`${thing} cannot be read by name; leave ${name} out`);
  if (name === undefined) throw invalidOption(`the name of the ${one} is missing; "evenkeel get ${one}s" lists them`);
  const { description, print } = await detail(query, name);
  const text = print(output);
  return output === 'table' || output === 'wide' ? `${description}\n\n${text}` : text;
}

/** Prints all rows first, then new lines only, until interrupted. */
async function watch(read: () => Promise<string>): Promise<void> {
  let before: ReadonlySet<string> = new Set();
  for (;;) {
    const lines = (await read()).split('\n');
    for (const line of lines) if (!before.has(line)) process.stdout.write(`${line}\n`);
    before = new Set(lines);
    await wait(WATCH_MS);
  }
}

interface DetailView {
  /** One line, above the rows. */
  readonly description: string;
  readonly print: (output: Output) => string;
}

function taskDetail({ task, workloads }: TaskAnswer): DetailView {
  const rows: Rows<TaskWorkloadResult> = {
    rows: workloads,
    columns: [
      { head: 'KIND', of: ({ workload }) => workload.kind },
      { head: 'NAMESPACE', of: ({ workload }) => workload.namespace || '-' },
      { head: 'NAME', of: ({ workload }) => workload.name },
      { head: 'RESULT', of: ({ result = '-' }) => result },
      { head: 'WANTED SINCE', of: ({ wantedSince }) => wantedSince, wide: true },
      {
        head: 'WHY',
        of: ({ reason, why }) => [reason, why].filter((text) => text !== undefined).join(': '),
        text: true,
      },
    ],
    name: ({ workload }) => `${workload.kind.toLowerCase()}/${workload.namespace}/${workload.name}`,
    document: { task, workloads },
    none: 'It names no workload.',
  };
  const { rescheduling, deletedAt } = task;
  const parts = [
    `${task.name}: ${task.state}, ${task.successful} of ${task.workloads} triggered, ${task.failed} failed`,
    ...(rescheduling ? [`the scheduler has acted on ${rescheduling.confirmed} (${rescheduling.state})`] : []),
    ...(rescheduling?.gone ? [`${count(rescheduling.gone, 'binding')} gone`] : []),
    ...(deletedAt === undefined ? [] : [`its ttl ends at ${deletedAt}`]),
  ];
  return { description: parts.join('; '), print: (output) => printed(rows, output) };
}

function runDetail({ run, decisions }: RunAnswer): DetailView {
  const rows: Rows<RunAnswer['decisions'][number]> = {
    rows: decisions,
    columns: [
      { head: 'WAVE', of: ({ wave }) => (wave === undefined ? '-' : String(wave)), right: true },
      { head: 'WORKLOAD', of: ({ workload }) => referenceLabel(workload) },
      { head: 'OUTCOME', of: ({ outcome }) => outcome },
      { head: 'MOVES', of: ({ moves }) => String(moves), right: true },
      { head: 'REPLICAS', of: ({ current, next }) => changes(mapOf(current), mapOf(next)) },
      { head: 'REASON', of: ({ reason }) => reason, text: true },
    ],
    name: ({ workload }) => `${workload.kind.toLowerCase()}/${workload.namespace}/${workload.name}`,
    document: { run, decisions },
    none: 'It concerned no workload, as far as its history goes.',
  };
  const { policy, setOffBy, state, message } = run;
  return {
    description: `Run ${run.run} of RebalancePolicy ${policy}, set off by ${setOffBy.join(', ')}: ${state}, ${message}`,
    print: (output) => printed(rows, output),
  };
}

function mapOf(numbers: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(numbers));
}
