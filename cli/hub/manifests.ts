/** `evenkeel hub manifests`: prints the manifests for a hub, for `kubectl apply -f -`; applying them again changes nothing. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { callsHook, manifestsOf, partNames } from '../manifests/parts.ts';
import { parseTarget, wrong } from '../manifests/target.ts';

interface Options {
  readonly hub?: string;
  readonly url?: string;
  readonly account: string;
  readonly caFile?: string;
  readonly hookTokenFile?: string;
  readonly scheduler?: boolean;
  readonly countPods?: boolean;
  readonly policies?: boolean;
  readonly gracefulReduction?: boolean;
  readonly elasticWorkloads?: boolean;
  readonly orders?: boolean;
  readonly only?: readonly string[];
}

const after = `
Examples:
  evenkeel hub manifests --hub karmada --url HOOK_URL | kubectl apply -f -
  evenkeel hub manifests --policies --only rbac crd | kubectl apply -f -
  evenkeel hub manifests --hub karmada --url HOOK_URL --only audit-webhook > audit-webhook.yaml`;

export function registerManifests(hub: Command): void {
  hub
    .command('manifests')
    .description('print what the hub needs, for kubectl apply -f -')
    .option('--hub <name>', "the hub's name in the deployment")
    .option('--url <url>', "where the hub's events go: the stack's output HookUrl")
    .option('--account <namespace/name>', 'the ServiceAccount that the functions use', 'evenkeel/evenkeel')
    .option('--ca-file <file>', "PEM of the CA that signed the URL's certificate, unless it is a public one")
    .option('--hook-token-file <file>', "one of the hub's hookTokens, to be put where the hub presents it from")
    .option('--scheduler', "report changes of bindings too: for a hub with bindings that name Evenkeel's scheduler")
    .option('--count-pods', 'let the functions count pods in the members: for a hub with --estimator pods')
    .option('--policies', 'for a hub with RebalancePolicies: the kind, the rights for it, and what changes is reported')
    .option(
      '--graceful-reduction',
      'hold replica reductions back until their replacement is ready, where it is asked for',
    )
    .option(
      '--elastic-workloads',
      'for a hub of Open Cluster Management with ElasticWorkloads: the kind, the rights for it, and what changes is reported',
    )
    .option(
      '--orders',
      'let the functions create WorkloadRebalancers: for a hub whose rebalances the console may order',
    )
    .option('--only <part...>', `only these: ${partNames.join(', ')}`)
    .addHelpText('after', after)
    .action((options: Options) => {
      process.stdout.write(print(options));
    });
}

/** Used for parts that contain neither the hub's name nor the hook's URL. */
const NOWHERE = { hub: 'hub', url: 'https://hook.invalid' };

function print({ caFile, hookTokenFile, only, gracefulReduction, elasticWorkloads, ...given }: Options): string {
  if (callsHook(only ?? []))
    for (const option of ['hub', 'url'] as const)
      if (given[option] === undefined)
        throw wrong(`--${option} is required, because the manifests call the hook; add it`);
  const target = parseTarget({
    ...NOWHERE,
    ...given,
    reductions: gracefulReduction,
    elastic: elasticWorkloads,
    ca: caFile && read('--ca-file', caFile),
    hookToken: hookTokenFile && read('--hook-token-file', hookTokenFile).trim(),
  });
  return manifestsOf(target, only);
}

function read(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    throw wrong(`${option} ${file} cannot be read (${code}); give a file that can`);
  }
}
