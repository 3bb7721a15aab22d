/** `evenkeel hub add`: creates the connection by which the functions reach a hub, from a kubeconfig, and stores it in the hub's secret. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type Fault, invalidOption } from '../../shared/core/fault.ts';
import { settingDefinitions } from '../../shared/core/settings.ts';
import { type EstimatorWords, estimatorKinds, readEstimator } from '../../shared/estimator/estimator-choice.ts';
import { type EstimatorChoice, parseConnection } from '../../shared/kubernetes/client/connection.ts';
import { parseAccount } from '../../shared/manifests/target.ts';
import { connectionByEks, connectionByServiceAccount } from './connection-source.ts';
import { findAccessList, findSecret, type SecretPlace, takesPlace } from './hub-secrets.ts';
import {
  addHookToken,
  type ConnectionSource,
  connected,
  expiryOf,
  hookTokensOf,
  readStoredConnection,
  type StoredConnection,
  withEstimator,
} from './next-connection.ts';

interface AddOptions extends EstimatorWords, SecretPlace {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly server?: string;
  readonly account: string;
  readonly tokenHours: string;
  readonly eks?: string;
  readonly region?: string;
  readonly user: string;
  readonly hookTokenFile?: string;
}

const hours = settingDefinitions.tokenHours;

const after = `
Examples:
  evenkeel hub add karmada --kubeconfig karmada.conf
  evenkeel hub add karmada --kubeconfig karmada.conf --hook-token-file hook-token
  evenkeel hub add fleet --kubeconfig fleet.conf --eks fleet --region eu-west-1`;

export function registerAdd(hub: Command): void {
  takesPlace(hub.command('add'))
    .description('connect the functions to a hub: creates a connection and stores it in the secret of the hub')
    .argument('<name>', "the hub's name in the deployment")
    .requiredOption('--kubeconfig <file>', 'a kubeconfig that may create tokens on the hub')
    .option('--context <name>', 'a context of the kubeconfig, instead of its current one')
    .option('--server <url>', "where the functions reach the hub, if that is not the kubeconfig's server")
    .option('--account <namespace/name>', 'the ServiceAccount that the functions use', 'evenkeel/evenkeel')
    .option('--token-hours <n>', 'requested lifetime of its token; the functions renew it', String(hours.default))
    .option('--eks <cluster>', "reach it with the functions' own AWS roles instead, as this cluster of EKS")
    .option('--region <region>', 'of the cluster, with --eks')
    .option('--user <name>', "with --eks: the user name of the functions' access entries", 'evenkeel')
    .option('--hook-token-file <file>', 'where the token that the hub presents is kept; made unless the file is there')
    .option('--estimator <kind>', `how unschedulable replicas are counted: ${estimatorKinds.join(', ')}`)
    .option(
      '--estimator-address <host:port>',
      "address of the members' scheduler-estimators; {cluster} is the member's name",
    )
    .option('--estimator-ca <file>', 'PEM of the CA that signed their certificates')
    .option('--estimator-cert <file>', 'PEM of the client certificate for the scheduler-estimators')
    .option('--estimator-key <file>', 'PEM of its key')
    .addHelpText('after', after)
    .action(async (name: string, options: AddOptions) => {
      process.stdout.write(`${await add(name, options)}\n`);
    });
}

async function add(hub: string, options: AddOptions): Promise<string> {
  const account = parseAccount(options.account);
  const tokenHours = parseHours(options.tokenHours);
  const estimator = readEstimator(options);
  // The secrets are read first: a token that cannot be stored would stay valid.
  const { secret, value, write } = await findSecret(hub, options);
  const accessList = await findAccessList(hub, options);
  const held = readStoredConnection(hub, value?.text);
  const eks = eksOf(options);
  const way = await (eks
    ? connectionByEks({ ...options, eks })
    : connectionByServiceAccount({ ...options, hub, account, tokenHours }));
  const hookTokens = hookTokensFor(held, options.hookTokenFile);
  const next = withEstimator(connected(held, way, hookTokens), estimator);
  const connection = parseConnection(hub, JSON.stringify(next));
  await write(next);
  await accessList.write(connection);
  return report({ hub, way, next, secret, options });
}

function eksOf({ eks, region }: AddOptions): { name: string; region: string } | undefined {
  if (eks === undefined) {
    if (region !== undefined) throw invalidOption(`--region ${region} is for --eks; name the cluster, or leave it out`);
    return undefined;
  }
  if (region === undefined)
    throw invalidOption(`--eks ${eks} needs the region of the cluster; add for example --region eu-west-1`);
  return { name: eks, region };
}

/** The hook token of the file. A new one is created if there is none, or if the file does not exist; otherwise the current ones are kept. */
function hookTokensFor(held: StoredConnection, file: string | undefined): readonly string[] {
  const tokens = hookTokensOf(held);
  if (file === undefined) return tokens.length > 0 ? tokens : [newToken()];
  return addHookToken(tokens, tokenOf(file));
}

function tokenOf(file: string): string {
  try {
    const made = newToken();
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' });
    return made;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, thrown);
  }
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (/^\S{16,}$/.test(token)) return token;
  } catch (thrown) {
    throw unusable(file, thrown);
  }
  throw invalidOption(
    `--hook-token-file ${file} holds no token of 16 characters or more; name a file that is not there, for a new one`,
  );
}

function unusable(file: string, thrown: unknown): Fault {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return invalidOption(`--hook-token-file ${file} cannot be used (${code}); name a file that can be written`);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function parseHours(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= hours.min && value <= hours.max) return value;
  throw invalidOption(
    `--token-hours ${JSON.stringify(text)} is not a whole number of hours from ${hours.min} to ${hours.max}; the default is ${hours.default}`,
  );
}

interface Added {
  readonly hub: string;
  readonly way: ConnectionSource;
  readonly next: StoredConnection;
  readonly secret: string;
  readonly options: AddOptions;
}

function report({ hub, way, next, secret, options }: Added): string {
  const file = options.hookTokenFile;
  const who =
    'token' in way.credential
      ? `as ${way.account}, with a token until ${expiryOf(next)} that the functions renew`
      : `as an EKS cluster, by the roles of the functions`;
  const toFile = `--hook-token-file ${file ?? 'FILE'}`;
  const lines = [
    `Hub ${hub}: the functions reach ${way.server} ${who}.`,
    `Its connection is in ${secret}; running functions use it within hubConnectionSeconds.`,
    'Next:',
    ...('token' in way.credential
      ? []
      : [
          `  for each ROLE of the stack's output HubCallers: aws eks create-access-entry --cluster-name ${way.credential.eksCluster.name} --principal-arn ROLE --username ${way.account}`,
          `  kubectl create clusterrolebinding ${way.account}-eks --clusterrole ${parseAccount(options.account).name} --user ${way.account}`,
        ]),
    file === undefined
      ? `  the token that the hub presents to the hook is in the secret; to have it in a file, run this again with ${toFile}`
      : `  ${file} holds the token that the hub presents to the hook: keep it beside audit-webhook.yaml (evenkeel hub manifests --only audit-webhook)`,
    ...((next.estimator as EstimatorChoice | undefined)?.kind === 'pods'
      ? [
          '  evenkeel hub manifests --count-pods, and a role in each member (docs/connect-a-hub.md), let pods be counted',
        ]
      : []),
    '  evenkeel hub list shows what is connected',
  ];
  return lines.join('\n');
}
