/** `evenkeel hub check`: whether a hub meets Evenkeel's requirements, and the remedies if not. */
import type { Command } from 'commander';
import { featuresOf, type HubFeatures } from '../../shared/kubernetes/hub-features.ts';
import { parseAccount } from '../../shared/manifests/target.ts';
import { checkedFeatures, checkHub } from '../check/check-hub.ts';
import { openCheckedHub } from '../check/checked-hub.ts';
import { reportFindings } from '../check/finding.ts';
import { type HubOptions, hubOf, takesFeatures, takesHub, takesOutput } from '../hub-options.ts';

interface CheckOptions extends HubOptions, HubFeatures {
  readonly account: string;
  readonly output: 'table' | 'json' | 'yaml';
}

const after = `
Nothing is written on the hub. It asks by the kubeconfig that it is given: as an administrator about the account of the
functions, or as that account about itself. What is found on the hub (our kinds, the policy that holds reductions)
counts as used; what is to be used and is not there yet is named by the options.

Exit code: 0 nothing fails, 1 something must be fixed, 2 the hub cannot be reached.

Examples:
  evenkeel hub check                             the hub that kubectl talks to
  evenkeel hub check --policies --graceful-reduction
  evenkeel hub check --kubeconfig karmada.conf --account ops/evenkeel -o json`;

export function registerCheck(hub: Command): void {
  const command = hub
    .command('check')
    .description('check whether a hub meets all requirements of Evenkeel, and print the remedies')
    .option('--account <namespace/name>', 'the ServiceAccount that the functions use', 'evenkeel/evenkeel');
  takesFeatures(command, checkedFeatures);
  takesHub(takesOutput(command, ['json', 'yaml'])).addHelpText('after', after);
  command.action(async (options: CheckOptions) => {
    process.exitCode = await check(options);
  });
}

async function check(options: CheckOptions): Promise<number> {
  const { kubeconfig, context, output } = options;
  const account = parseAccount(options.account);
  const named = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  const hub = await openCheckedHub(hubOf(options), named);
  try {
    return reportFindings(await checkHub(hub, { account, features: featuresOf(options) }), output);
  } finally {
    hub.close();
  }
}
