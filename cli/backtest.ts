/** `evenkeel backtest`: what a RebalancePolicy would have done on a recorded hub. */
import type { Command } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import { SECOND } from '../shared/core/time.ts';
import { rebalancePolicies } from '../shared/rebalance-policy/rebalance-policy.ts';
import { printBacktest } from './backtest/print-backtest.ts';
import { documentText } from './document-text.ts';
import { parseSeconds, takesOutput } from './hub-options.ts';
import { checkPolicy } from './plan/policy-input.ts';
import { readDocuments } from './plan/read-documents.ts';
import { takeDocuments, takingChecked } from './plan/take-documents.ts';

interface BacktestCommandOptions {
  readonly file: string;
  readonly policy?: string;
  readonly from: string;
  readonly days?: string;
  readonly readyAfter: string;
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
It plays the recording twice, with the policy and without it, and prints what differs. Clusters, workloads and their
replicas come from the recording; the functions of policies decide as on a hub, and a model of the scheduler, of
failover and of pods does the rest. Nothing is read from a hub, and nothing is written.

Examples:
  evenkeel record hub-recording                  for some days
  evenkeel backtest -f policy.yaml --from hub-recording
  evenkeel backtest -f policy.yaml --from hub-recording --days 30 -o json
  evenkeel backtest -f examples/rebalance-policy.yaml --policy nightly --from hub-recording`;

export function registerBacktest(evenkeel: Command): void {
  const command = evenkeel
    .command('backtest')
    .description('show what a RebalancePolicy would have done on a recorded hub')
    .requiredOption('-f, --file <file>', 'the file of the policy, YAML or JSON, or - for stdin')
    .requiredOption('--from <folder>', 'the recording, made by evenkeel record')
    .option('--policy <name>', 'which RebalancePolicy of the file, if it has several')
    .option('--days <days>', 'the last days of the recording only')
    .option('--ready-after <time>', 'how long a replica takes from its start until it is ready', '60s');
  takesOutput(command, ['json', 'yaml'])
    .addHelpText('after', after)
    .action(async ({ file, from, output, ...options }: BacktestCommandOptions) => {
      const policy = await policyOf(file, options.policy);
      const days = options.days === undefined ? undefined : daysOf(options.days);
      const readyAfterMs = parseSeconds('--ready-after', options.readyAfter) * SECOND;
      // Imported on demand: it loads the functions.
      const { backtest } = await import('../local/backtest/backtest.ts');
      const warn = (warning: string) => process.stderr.write(`evenkeel: ${warning}\n`);
      const result = await backtest({ folder: from, policy, readyAfterMs, warn, ...(days !== undefined && { days }) });
      process.stdout.write(`${output === 'table' ? printBacktest(result) : documentText(result, output)}\n`);
    });
}

interface PolicyObject {
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

async function policyOf(file: string, name: string | undefined): Promise<PolicyObject> {
  const found: PolicyObject[] = [];
  const kind = takingChecked(rebalancePolicies, checkPolicy, (_, object) => found.push(object as PolicyObject));
  takeDocuments(await readDocuments([file], process.stdin), { namespace: 'default', kinds: [kind] });
  const names = found.map(({ metadata }) => metadata.name);
  const asked = name === undefined ? found : found.filter(({ metadata }) => metadata.name === name);
  const [policy] = asked;
  if (policy === undefined && name !== undefined)
    throw invalidOption(
      `--policy ${name}: ${file} has no RebalancePolicy of that name; it has ${names.join(', ') || 'none'}`,
    );
  if (policy === undefined) throw invalidOption(`-f ${file}: it has no RebalancePolicy; give the file of one`);
  if (asked.length > 1)
    throw invalidOption(
      `-f ${file}: it has ${asked.length} RebalancePolicies; choose one with --policy: ${names.join(', ')}`,
    );
  return { metadata: { name: policy.metadata.name }, spec: policy.spec };
}

function daysOf(text: string): number {
  const days = Number(text);
  if (/^\d{1,5}(\.\d+)?$/.test(text) && days > 0) return days;
  throw invalidOption(`--days ${text}: Invalid value: must be a number greater than 0, for example 30`);
}
