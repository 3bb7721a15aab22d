/** `evenkeel hub list`: the hubs of a deployment and how they are reached; no secret among it. */
import { type Command, Option } from 'commander';
import { credentialKind, parseConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { type HubSecret, secretsOfAccount } from '../../shared/adapters/secrets-manager/connection-secrets.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import { aligned } from '../aligned.ts';
import { expiryOf, readHeld } from './next-connection.ts';

interface Options {
  readonly deployment: string;
  readonly output: 'table' | 'json';
}

interface Row {
  readonly hub: string;
  readonly server: string;
  readonly credential: string;
  readonly estimator: string;
  readonly expires: string;
  readonly changed: string;
}

export function registerList(hub: Command): void {
  hub
    .command('list')
    .description('list the hubs of a deployment, and how they are reached')
    .option('--deployment <name>', "the deployment's name in its configuration", 'evenkeel')
    .addOption(new Option('-o, --output <form>', 'how to print').choices(['table', 'json']).default('table'))
    .action(async ({ deployment, output }: Options) => {
      const store = secretsOfAccount();
      const secrets = await store.list(deployment);
      const rows = await Promise.all(
        secrets.map(async (secret) => rowOf(secret, (await store.read(secret.arn))?.text)),
      );
      const text = output === 'json' ? JSON.stringify(rows, undefined, 2) : table(rows, deployment);
      process.stdout.write(`${text}\n`);
    });
}

function rowOf({ hub, changed }: HubSecret, text: string | undefined): Row {
  const row = {
    hub,
    server: '',
    estimator: '',
    expires: '',
    changed: changed === undefined ? '' : toTimestamp(changed.getTime()),
  };
  if (text === undefined) return { ...row, credential: 'none' };
  try {
    const connection = parseConnection(hub, text);
    const expires = expiryOf(readHeld(hub, text));
    const estimator = connection.estimator?.kind ?? '';
    return { ...row, server: connection.server, credential: credentialKind(connection), estimator, expires };
  } catch {
    return { ...row, credential: 'unreadable' };
  }
}

function table(rows: readonly Row[], deployment: string): string {
  if (rows.length === 0) return `Deployment ${deployment} has no hubs in this account and region.`;
  const columns = ['hub', 'server', 'credential', 'estimator', 'expires', 'changed'] as const;
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((c) => row[c] || '-')),
  ];
  return aligned(lines).join('\n');
}
