/** `evenkeel hub remove`: takes the credential out of a hub's secret, so that the functions reach it no more and it is heard no more. */
import type { Command } from 'commander';
import { wrong } from '../manifests/target.ts';
import { findSecret } from './hub-secrets.ts';
import { disconnected, readHeld } from './next-connection.ts';

interface Options {
  readonly yes?: true;
  readonly secret?: string;
  readonly deployment: string;
}

const after = `
Examples:
  evenkeel hub remove karmada                    says what would be
  evenkeel hub remove karmada --yes`;

export function registerRemove(hub: Command): void {
  hub
    .command('remove')
    .description("take a hub's credential and tokens out of its secret")
    .argument('<name>', "the hub's name in the deployment")
    .option('--yes', 'yes, the functions are to reach this hub no more')
    .option('--secret <arn>', "ARN or name of the hub's secret; found by the deployment's tags unless given")
    .option('--deployment <name>', "the deployment's name in its configuration", 'evenkeel')
    .addHelpText('after', after)
    .action(async (name: string, { yes, ...place }: Options) => {
      const { value, write } = await findSecret(name, place);
      if (!yes) {
        throw wrong(`hub ${name} would be reached no more, and its events refused; say so with --yes to remove it`);
      }
      const held = readHeld(name, value?.text);
      await write(disconnected(held));
      process.stdout.write(`${report(name, accountOf(held.account))}\n`);
    });
}

/** Of "system:serviceaccount:evenkeel:evenkeel"; undefined for any other user. */
function accountOf(user: unknown): { namespace: string; name: string } | undefined {
  const [system, kind, namespace, name] = typeof user === 'string' ? user.split(':') : [];
  if (system !== 'system' || kind !== 'serviceaccount' || !namespace || !name) return undefined;
  return { namespace, name };
}

function report(hub: string, account: { namespace: string; name: string } | undefined): string {
  const lines = [
    `Hub ${hub}: its credential and hook tokens are gone from the secret; running functions drop them within hubConnectionSeconds.`,
    'On the hub:',
    ...(account === undefined
      ? ['  take away what the hub grants to the user that it knew us by']
      : [
          `  kubectl delete serviceaccount -n ${account.namespace} ${account.name}    # until then tokens that were made stay valid`,
          `  kubectl delete clusterrole,clusterrolebinding ${account.name}`,
        ]),
    '  take the audit webhook out of the flags of its API server, and the admission policies and webhooks of evenkeel away',
    `In the deployment: take ${hub} out of hubs, and deploy EvenkeelFunctions first (--exclusively), then all.`,
  ];
  return lines.join('\n');
}
