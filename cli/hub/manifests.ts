/** `evenkeel hub manifests`: prints the manifests for a hub, for `kubectl apply -f -`; applying them again changes nothing. */
import type { Command } from 'commander';
import { invalidOption } from '../../shared/core/fault.ts';
import { readOptionFile } from '../../shared/core/read-option-file.ts';
import { type HubFeatures, hubFeatureNames } from '../../shared/kubernetes/hub-features.ts';
import { callsHook, manifestsOf, partNames } from '../../shared/manifests/parts.ts';
import { parseTarget } from '../../shared/manifests/target.ts';
import { requireNeeds, takesFeatures } from '../hub-options.ts';

interface ManifestsOptions extends HubFeatures {
  readonly hub?: string;
  readonly url?: string;
  readonly account: string;
  readonly caFile?: string;
  readonly hookTokenFile?: string;
  readonly only?: readonly string[];
}

const after = `
Examples:
  evenkeel hub manifests --hub karmada --url HOOK_URL | kubectl apply -f -
  evenkeel hub manifests --policies --only rbac crd | kubectl apply -f -
  evenkeel hub manifests --hub karmada --url HOOK_URL --only audit-webhook > audit-webhook.yaml`;

export function registerManifests(hub: Command): void {
  const command = hub
    .command('manifests')
    .description('print what the hub needs, for kubectl apply -f -')
    .option('--hub <name>', "the hub's name in the deployment")
    .option('--url <url>', "where the hub's events go: the stack's output HookUrl")
    .option('--account <namespace/name>', 'the ServiceAccount that the functions use', 'evenkeel/evenkeel')
    .option('--ca-file <file>', "PEM of the CA that signed the URL's certificate, unless it is a public one")
    .option('--hook-token-file <file>', "one of the hub's hookTokens, to be put where the hub presents it from");
  takesFeatures(command, hubFeatureNames)
    .option('--only <part...>', `only these: ${partNames.join(', ')}`)
    .addHelpText('after', after)
    .action((options: ManifestsOptions) => {
      process.stdout.write(print(options));
    });
}

/** Used for parts that contain neither the hub's name nor the hook's URL. */
const NOWHERE = { hub: 'hub', url: 'https://hook.invalid' };

function print({ caFile, hookTokenFile, only, ...given }: ManifestsOptions): string {
  // A part may be applied again without the others.
  if (only === undefined) requireNeeds(given);
  if (callsHook(only ?? []))
    for (const option of ['hub', 'url'] as const)
      if (given[option] === undefined)
        throw invalidOption(`--${option} is required, because the manifests call the hook; add it`);
  const target = parseTarget({
    ...NOWHERE,
    ...given,
    ca: caFile && readOptionFile('--ca-file', caFile),
    hookToken: hookTokenFile && readOptionFile('--hook-token-file', hookTokenFile).trim(),
  });
  return manifestsOf(target, only);
}
