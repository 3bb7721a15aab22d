/** `evenkeel decisions`: what the descheduler decided on a hub, newest first: what it read, what it took out of which cluster, and why. With --policy, what a RebalancePolicy did. */
import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { deschedulingIn } from '../shared/adapters/aws/aws-ports.ts';
import type { DeschedulingDecision } from '../shared/model/descheduling.ts';
import { Fault } from '../shared/model/fault.ts';
import { toTimestamp } from '../shared/model/time.ts';
import { wiringNames } from '../shared/wiring.ts';
import { aligned } from './aligned.ts';
import { type Answer, type PolicyQuestion, policyDecisions } from './policy-decisions.ts';

interface Options {
  readonly hub: string;
  readonly table?: string;
  readonly namespace?: string;
  readonly policy?: string;
  readonly run?: string;
  readonly limit: string;
  readonly output: 'table' | 'json' | 'yaml';
}

const MOST = 10_000;

export function registerDecisions(evenkeel: Command): void {
  evenkeel
    .command('decisions')
    .description(
      'what the descheduler decided on a hub, or a RebalancePolicy did: what it read, what it moved, and why; newest first',
    )
    .requiredOption('--hub <name>', "the hub's name in the deployment")
    .addOption(
      new Option('--table <name>', "the deployment's table: output TableName of its state stack").env(
        wiringNames.tableName,
      ),
    )
    .option('--policy <name>', 'the runs of this RebalancePolicy, instead of what the descheduler decided')
    .option('--run <name>', 'with --policy: what this run decided of each workload')
    .option('-n, --namespace <name>', 'only bindings of this namespace')
    .option('--limit <n>', 'how many to look at', '100')
    .addOption(new Option('-o, --output <form>', 'how to print').choices(['table', 'json', 'yaml']).default('table'))
    .action(async (options: Options) => {
      process.stdout.write(`${await decisions(options)}\n`);
    });
}

async function decisions({ table, output, ...options }: Options): Promise<string> {
  if (table === undefined) {
    const way = `name it with --table, or in ${wiringNames.tableName}; it is the output TableName of the state stack`;
    throw new Fault('terminal', `the deployment's table is not named; ${way}`, { reason: 'NoTable' });
  }
  const { policy, run, limit } = options;
  if (policy === undefined && run !== undefined)
    throw new Fault('terminal', `--run ${run} goes with --policy; name the RebalancePolicy too`, {
      reason: 'NoPolicy',
    });
  const question = { ...options, table, limit: parseLimit(limit) };
  const answer =
    policy === undefined ? await deschedulingDecisions(question) : await policyDecisions({ ...question, policy });
  if (output === 'json') return JSON.stringify(answer.document, undefined, 2);
  return output === 'yaml' ? stringify(answer.document).trimEnd() : answer.table;
}

async function deschedulingDecisions({
  hub,
  table,
  namespace,
  limit,
}: Omit<PolicyQuestion, 'policy' | 'run'>): Promise<Answer> {
  const all = await deschedulingIn(table).decisions(hub, limit);
  const found = all.filter(({ binding }) => namespace === undefined || binding.namespace === namespace);
  return { document: { decisions: found.map(asDocument) }, table: asTable(found, hub) };
}

function parseLimit(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= MOST) return value;
  throw new Fault('terminal', `--limit ${JSON.stringify(text)} is not a whole number from 1 to ${MOST}`, {
    reason: 'BadLimit',
  });
}

function asDocument({ decidedAt, next, ...decision }: DeschedulingDecision): object {
  return {
    ...decision,
    decidedAt: toTimestamp(decidedAt),
    next: Object.fromEntries(next.map(({ name, replicas }) => [name, replicas])),
  };
}

function asTable(found: readonly DeschedulingDecision[], hub: string): string {
  if (found.length === 0) return `The descheduler has decided nothing on hub ${hub}, as far as its history goes.`;
  const head = ['TIME', 'BINDING', 'OUTCOME', 'TAKEN', 'CLUSTERS', 'REASON'];
  const rows = found.map((decision) => [
    toTimestamp(decision.decidedAt),
    `${decision.binding.namespace}/${decision.binding.name}`,
    decision.outcome,
    String(decision.taken),
    clustersText(decision),
    decision.reason,
  ]);
  return aligned([head, ...rows], { right: [3] }).join('\n');
}

/** "member1 5→2, member2 3, member3 2 (EstimatorTimeout)". */
function clustersText({ clusters }: Pick<DeschedulingDecision, 'clusters'>): string {
  return clusters
    .map(({ name, assigned, taken, unusable }) => {
      const after = taken > 0 ? `→${assigned - taken}` : '';
      return `${name} ${assigned}${after}${unusable === undefined ? '' : ` (${unusable})`}`;
    })
    .join(', ');
}
