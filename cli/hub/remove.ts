/** `evenkeel hub remove`: removes the credential from a hub's secret, so that the functions no longer connect to it and reject its events. */
import type { Command } from 'commander';
import { invalidOption } from '../../shared/core/fault.ts';
import { findAccessList, findSecret, type SecretPlace, takesPlace } from './hub-secrets.ts';
import { disconnected, readStoredConnection } from './next-connection.ts';

interface RemoveOptions extends SecretPlace {
  readonly yes?: true;
}

const after = `
Examples:
  evenkeel hub remove karmada                    prints what would be removed
  evenkeel hub remove karmada --yes`;

export function registerRemove(hub: Command): void {
  takesPlace(hub.command('remove'))
    .description("take a hub's credential and tokens out of its secret")
    .argument('<name>', "the hub's name in the deployment")
    .option('--yes', 'confirm that the functions lose access to this hub')
    .addHelpText('after', after)
    .action(async (name: string, { yes, ...place }: RemoveOptions) => {
      const { value, write } = await findSecret(name, place);
      if (!yes) {
        throw invalidOption(
          `hub ${name} would lose its connection, and its events would be rejected; confirm with --yes`,
        );
      }
      const held = readStoredConnection(name, value?.text);
      const accessList = await findAccessList(name, place);
      await accessList.write({ hookTokens: [] });
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
      ? ["  remove the permissions of Evenkeel's user on the hub"]
      : [
          `  kubectl delete serviceaccount -n ${account.namespace} ${account.name}    # until then tokens that were made stay valid`,
          `  kubectl delete clusterrole,clusterrolebinding ${account.name}`,
        ]),
    "  remove the audit webhook from the flags of its API server, and delete Evenkeel's admission policies and webhooks",
    `In the deployment: take ${hub} out of hubs, and deploy EvenkeelFunctions first (--exclusively), then all.`,
  ];
  return lines.join('\n');
}
