/** `evenkeel hub list`: the hubs of a deployment and their connections, without secrets. */
import type { Command } from 'commander';
import { type HubSecret, secretsOfAccount } from '../../shared/aws/secrets-manager/connection-secrets.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { credentialKind, parseConnection } from '../../shared/kubernetes/client/connection.ts';
import { takesOutput } from '../hub-options.ts';
import { printed, type Rows } from '../operator/printed-rows.ts';
import { expiryOf, readStoredConnection } from './next-connection.ts';

interface ListOptions {
  readonly deployment: string;
  readonly output: 'table' | 'json' | 'yaml' | 'name';
}

interface ListedHub {
  readonly hub: string;
  readonly server: string;
  readonly credential: string;
  readonly estimator: string;
  readonly expires: string;
  /** Since when. */
  readonly paused: string;
  readonly changed: string;
}

const after = `
Examples:
  evenkeel hub list
  evenkeel hub list --deployment staging -o yaml`;

export function registerList(hub: Command): void {
  const command = hub
    .command('list')
    .description('list the hubs of a deployment, and how they are reached')
    .option('--deployment <name>', "the deployment's name in its configuration", 'evenkeel');
  takesOutput(command, ['json', 'yaml', 'name'])
    .addHelpText('after', after)
    .action(async ({ deployment, output }: ListOptions) => {
      const store = secretsOfAccount();
      const secrets = await store.list(deployment);
      const rows = await Promise.all(
        secrets.map(async (secret) => rowOf(secret, (await store.read(secret.arn))?.text)),
      );
      process.stdout.write(`${printed(rowsOf(rows, deployment), output)}\n`);
    });
}

function rowOf({ hub, changed }: HubSecret, text: string | undefined): ListedHub {
  const row = {
    hub,
    server: '',
    estimator: '',
    expires: '',
    paused: '',
    changed: changed === undefined ? '' : toTimestamp(changed.getTime()),
  };
  if (text === undefined) return { ...row, credential: 'none' };
  try {
    const connection = parseConnection(hub, text);
    const expires = expiryOf(readStoredConnection(hub, text));
    const estimator = connection.estimator?.kind ?? '';
    const paused = connection.paused === undefined ? '' : toTimestamp(connection.paused.since);
    return { ...row, server: connection.server, credential: credentialKind(connection), estimator, expires, paused };
  } catch {
    return { ...row, credential: 'unreadable' };
  }
}

function rowsOf(rows: readonly ListedHub[], deployment: string): Rows<ListedHub> {
  const columns = ['hub', 'server', 'credential', 'estimator', 'expires', 'paused', 'changed'] as const;
  return {
    rows,
    document: rows,
    columns: columns.map((column) => ({ head: column.toUpperCase(), of: (row) => row[column] || '-' })),
    name: ({ hub }) => `hub/${hub}`,
    none: `Deployment ${deployment} has no hubs in this account and region.`,
  };
}
