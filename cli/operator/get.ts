/** `evenkeel get`: lists Evenkeel's data as kubectl lists objects. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Ask } from '../../shared/console-api/operations.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import { details } from './details.ts';
import { type Output, outputOption } from './printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './reach.ts';
import { type GetContext, things } from './things.ts';

interface GetOptions extends DeploymentAddress {
  readonly namespace?: string;
  readonly policy?: string;
  readonly limit: number;
  readonly output: Output;
  readonly watch?: boolean;
}

const examples = `
Examples:
  evenkeel get tasks                        the rebalances of the hub, the one that changed last first
  evenkeel get task rebalance-web -o wide   one of them, workload by workload
  evenkeel get decisions -n shop            what the descheduler read, took out and left, and why
  evenkeel get runs --policy come-home      what a RebalancePolicy did; get run NAME: workload by workload
  evenkeel get workloads -n shop            where replicas are, ready and held
  evenkeel get queues -w                    what waits, until Ctrl-C; a line for each change
  evenkeel get hubs --deployment evenkeel   of a deployment, by the AWS credentials of this shell`;

interface NamedThing {
  readonly thing: string;
  readonly name: string | undefined;
}

const known = [...Object.keys(things), ...Object.keys(details)].join(', ');
const WATCH_MS = 1000;
const MOST = 500;

export function registerGet(evenkeel: Command): void {
  withHub(evenkeel.command('get'))
    .description('what Evenkeel knows and does: tasks, decisions, workloads, queues')
    .argument('<thing>', `one of ${known}`)
    .argument('[name]', 'of a task or a run')
    .option('-n, --namespace <name>', 'only workloads and decisions of this namespace')
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
  const question: GetContext = { ask, hub: () => (hub ??= hubOf(ask, options)), namespace, policy, limit };
  if (name !== undefined || Object.hasOwn(details, thing)) return () => byName(question, { thing, name }, output);
  const rows = Object.hasOwn(things, thing) ? things[thing] : things[`${thing}s`];
  if (rows === undefined)
    throw invalidOption(`${JSON.stringify(thing)}: Unsupported value; supported values: ${known}`);
  return async () => (await rows(question))(output);
}

async function byName(question: GetContext, { thing, name }: NamedThing, output: Output): Promise<string> {
  const one = thing.replace(/s$/, '');
  const detail = ownValue(details, one);
  if (detail === undefined) throw invalidOption(`${thing} cannot be read by name; leave ${name} out`);
  if (name === undefined) throw invalidOption(`the name of the ${one} is missing; "evenkeel get ${one}s" lists them`);
  const { description, print } = await detail(question, name);
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
