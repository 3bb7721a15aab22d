/** `evenkeel hub remove`: removes a hub from the registry of its deployment, and deletes its secret. */
import type { Command } from 'commander';
import { auditLogFilters } from '../../shared/aws/audit-log-filters.ts';
import { type FoundSecret, hubSecretsOf } from '../../shared/aws/secrets-manager/hub-secrets.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { asFault, Fault, invalidOption } from '../../shared/core/fault.ts';
import { type DeploymentAddress, reach, withReach } from '../operator/reach.ts';
import { readStoredConnection } from './next-connection.ts';
import { recordOf } from './registration.ts';

interface RemoveOptions extends DeploymentAddress {
  readonly yes?: true;
  readonly now?: true;
}

const after = `
The functions stop to connect to the hub and reject its events. If the command fails, run it again: it continues.

Examples:
  evenkeel hub remove karmada                    prints what would be removed
  evenkeel hub remove karmada --yes
  evenkeel hub remove karmada --yes --now        its secret can't be restored`;

export function registerRemove(hub: Command): void {
  withReach(hub.command('remove'))
    .description('remove a hub from the deployment: its record, its open tasks and its secret')
    .argument('<hub>', "the hub's name in the deployment")
    .option('--yes', 'confirm that the functions lose access to this hub')
    .option('--now', 'delete its secret without a recovery window of 7 days')
    .addHelpText('after', after)
    .action(async (name: string, options: RemoveOptions) => {
      process.stdout.write(`${await remove(name, options)}\n`);
    });
}

async function remove(hub: string, options: RemoveOptions): Promise<string> {
  const { deployment, yes, now = false } = options;
  const ask = reach(options);
  const secrets = hubSecretsOf(deployment);
  const [record, found] = await Promise.all([recordOf(ask, hub), secrets.find(hub)]);
  if (record === undefined && found.state === 'Absent')
    throw new Fault('terminal', `deployment ${deployment} has no hub ${hub}, and no secret of it`, {
      reason: 'UnknownHub',
    });
  if (!yes) {
    throw invalidOption(
      `hub ${hub} would be removed with its secret ${secrets.nameOf(hub)}, and its events would be rejected; confirm with --yes`,
    );
  }
  // First, because the record has the name of the log group: a second run still finds it.
  if (record?.auditLogGroup !== undefined)
    await auditLogFilters().delete({ deployment, hub, logGroup: record.auditLogGroup });
  const removed = await ask('removeHub', { hub });
  const account = accountOf(hub, found);
  await secrets.delete(hub, { now }).catch((thrown: unknown) => {
    const { retryClass, message, reason } = asFault(thrown);
    const left = `hub ${hub} is removed, and its secret ${secrets.nameOf(hub)} with its credential is left: ${message}; run it again`;
    throw new Fault(retryClass, left, { reason, cause: thrown });
  });
  const secret = `${secrets.nameOf(hub)} ${now ? 'is deleted' : 'can be restored for 7 days (--now deletes it at once)'}`;
  return report({ hub, account, removed, secret });
}

/** From the connection; undefined if it names no ServiceAccount or can't be read. */
function accountOf(hub: string, found: FoundSecret): { namespace: string; name: string } | undefined {
  if (found.state !== 'Present') return undefined;
  try {
    return serviceAccountOf(readStoredConnection(hub, found.value?.text).account);
  } catch {
    // What the secret holds does not matter for its deletion.
    return undefined;
  }
}

/** Of "system:serviceaccount:evenkeel:evenkeel"; undefined for any other user. */
function serviceAccountOf(user: unknown): { namespace: string; name: string } | undefined {
  const [system, kind, namespace, name] = typeof user === 'string' ? user.split(':') : [];
  if (system !== 'system' || kind !== 'serviceaccount' || !namespace || !name) return undefined;
  return { namespace, name };
}

interface Removed {
  readonly hub: string;
  readonly account: { namespace: string; name: string } | undefined;
  readonly removed: OutputOf<'removeHub'>;
  readonly secret: string;
}

function report({ hub, account, removed, secret }: Removed): string {
  const lines = [
    `Hub ${hub} is removed from the deployment.`,
    'Deleted:',
    ...removed.deleted.map((each) => `  ${each}`),
    `  its secret: ${secret}`,
    'Left in the deployment:',
    ...removed.left.map((each) => `  ${each}`),
    'On the hub:',
    ...(account === undefined
      ? ["  remove the permissions of Evenkeel's user on the hub"]
      : [
          `  kubectl delete serviceaccount -n ${account.namespace} ${account.name}    # until then tokens that were made stay valid`,
          `  kubectl delete clusterrole,clusterrolebinding -l app.kubernetes.io/part-of=evenkeel,app.kubernetes.io/instance=${account.name}`,
          `  kubectl delete clusterrole,clusterrolebinding ${account.name} --ignore-not-found    # of an earlier version, without labels`,
        ]),
    '  remove the audit webhook from the flags of its API server; evenkeel uninstall removes all else (docs/operations/uninstall.md)',
  ];
  return lines.join('\n');
}
