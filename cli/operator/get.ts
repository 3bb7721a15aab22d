/** `evenkeel get`: lists Evenkeel's data as kubectl lists objects, and shows one task or run. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { labelledKinds } from '../../shared/console-api/operations/policies.ts';
import type { Ask } from '../../shared/console-api/operations.ts';
import { tryEach } from '../../shared/core/each-at-once.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { workloadHistory } from '../history.ts';
import { type NamespaceOptions, namespaceOf, takesNamespace, USUAL_NAMESPACE } from '../hub-options.ts';
import { wholeNumber } from '../whole-number.ts';
import { type DetailView, runDetail, taskDetail } from './details.ts';
import { joined, type Output, outputOption, type PrintedList, printedList } from './printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './reach.ts';
import type { RowFilter } from './row-filter.ts';
import { type GetContext, HISTORY, ofDeployment, type Thing, things, thingsNamed } from './things.ts';

interface GetOptions extends DeploymentAddress, NamespaceOptions {
  readonly selector?: string;
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
  evenkeel get policies                     the RebalancePolicies, their states and last runs; get drains: the ClusterDrains;
                                            get budgets: the MoveBudgets, and what they allow now
  evenkeel get decisions -n shop            what the descheduler read, took out and left, and why
  evenkeel get runs --policy come-home      what a RebalancePolicy did; get run NAME: workload by workload
  evenkeel get workloads -A                 where replicas are, ready and held
  evenkeel get workloads web -n shop -o jsonpath='{.workloads[0].clusters[*].name}'
  evenkeel get clusters -l region=eu -o custom-columns=NAME:.name,READY:.ready
  evenkeel get history deploy/web -n shop   as evenkeel history workload, of the last day
  evenkeel get queues -w                    what waits, until Ctrl-C; a line for each change
  evenkeel get tasks --all-hubs             of every hub of the deployment
  evenkeel get hubs prod                    hubs whose name contains prod, the worst first
  evenkeel get hubs --deployment evenkeel   of a deployment, by the AWS credentials of this shell`;

interface NamedThings {
  readonly thing: string;
  readonly names: readonly string[];
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

const known = [...Object.keys(things), HISTORY, ...Object.keys(details)].join(', ');
const WATCH_MS = 1000;
const MOST = 500;
const HUBS_AT_ONCE = 10;

export function registerGet(evenkeel: Command): void {
  const command = withHub(evenkeel.command('get'))
    .description('what Evenkeel knows and does: tasks, policies, decisions, workloads, queues')
    .argument('<thing>', `one of ${known}`)
    .argument('[name...]', 'only these; of hubs: only those whose name contains it')
    .option('-l, --selector <labels>', `with ${labelledKinds.join(', ')}: those with these labels: app=web,tier!=cache`)
    .addOption(new Option('--all-hubs', 'of every hub of the deployment').conflicts('hub'))
    .option('--policy <policy>', 'only runs of this RebalancePolicy')
    .option('--limit <n>', 'how many rows to read', wholeNumber(1, MOST), 100)
    .option('-w, --watch', 'keep running and print changes')
    .addOption(outputOption());
  takesNamespace(command, USUAL_NAMESPACE)
    .addHelpText('after', examples)
    .action(async (thing: string, names: readonly string[], options: GetOptions) => {
      const read = readerOf(reach(options), { thing, names }, options);
      if (!options.watch) process.stdout.write(`${await read()}\n`);
      else await watch(read);
    });
}

function readerOf(ask: Ask, { thing, names }: NamedThings, options: GetOptions): () => Promise<string> {
  const { policy, limit, output } = options;
  if (thing === HISTORY) return () => history(ask, names, options);
  let hub: Promise<string> | undefined;
  const query: Omit<GetContext, 'namespace' | 'search'> = {
    ask,
    hub: () => (hub ??= hubOf(ask, options)),
    policy,
    limit,
  };
  const one = thing.replace(/s$/, '');
  const detail = ownValue(details, one);
  if (detail !== undefined && names.length < 2 && (names.length === 1 || thing === one))
    return () => byName({ ...query, namespace: options.namespace, search: undefined }, { one, names, detail }, output);
  const meant = thingsNamed(thing);
  if (meant === undefined)
    throw invalidOption(`${JSON.stringify(thing)}: Unsupported value; supported values: ${known}`);
  const { list, of } = meant;
  const search = list === 'hubs' ? onlyText(names) : undefined;
  const whole = { ...query, namespace: namespaceOf(options, USUAL_NAMESPACE), search };
  const wanted = { thing: list, names: search === undefined ? names : [], selector: options.selector };
  if (!options.allHubs) return async () => printedList(await rowsOf(of, whole, wanted), output);
  if (ofDeployment.includes(list)) throw invalidOption(`--all-hubs: ${list} are of the deployment; leave it out`);
  return async () => printedList(await ofAllHubs(of, whole, wanted), output);
}

interface WantedRows extends RowFilter {
  readonly selector: string | undefined;
}

async function rowsOf(of: Thing, query: GetContext, { selector, ...filter }: WantedRows): Promise<PrintedList> {
  if (selector === undefined) return of.list(query, filter);
  const kind = labelledKinds.find((each) => each === filter.thing);
  if (kind === undefined)
    throw invalidOption(`-l ${selector}: ${filter.thing} have no labels; -l goes with ${labelledKinds.join(', ')}`);
  const { keys } = await query.ask('selectObjects', { hub: await query.hub(), kind, selector });
  return of.list(query, { ...filter, labelled: new Set(keys.map(keyText)) });
}

function onlyText(names: readonly string[]): string | undefined {
  const [first, second] = names;
  if (second !== undefined) throw invalidOption(`hubs are selected by one text; leave out ${second}`);
  return first;
}

function history(ask: Ask, [name, second]: readonly string[], options: GetOptions): Promise<string> {
  if (name === undefined || second !== undefined || options.allNamespaces || options.allHubs)
    throw invalidOption('history is of one workload: evenkeel get history deploy/web -n NAMESPACE');
  return workloadHistory(ask, name, { ...options, since: '24h' });
}

/** A hub that cannot be read is named on standard error, and the others are listed. */
async function ofAllHubs(of: Thing, query: GetContext, wanted: WantedRows): Promise<PrintedList> {
  const { hubs } = await query.ask('listHubs', {});
  const names = hubs.map(({ name }) => name).toSorted();
  const lists = await tryEach(names, HUBS_AT_ONCE, (hub) => rowsOf(of, { ...query, hub: async () => hub }, wanted));
  for (const { item, fault } of lists) if (fault) process.stderr.write(`hub ${item}: ${fault.message}\n`);
  return joined(lists.flatMap(({ item: hub, value: listing }) => (listing ? [{ hub, listing }] : [])));
}

interface NamedDetail {
  readonly one: string;
  readonly names: readonly string[];
  readonly detail: (query: GetContext, name: string) => Promise<DetailView>;
}

async function byName(query: GetContext, { one, names: [name], detail }: NamedDetail, output: Output): Promise<string> {
  if (name === undefined) throw invalidOption(`the name of the ${one} is missing; "evenkeel get ${one}s" lists them`);
  const { description, print } = await detail(query, name);
  const text = await print(output);
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
