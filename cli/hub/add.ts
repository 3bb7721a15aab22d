/** `evenkeel hub add`: creates the connection by which the functions reach a hub, from a kubeconfig, stores it in a secret, and registers the hub. */
import type { Command } from 'commander';
import { hubSecretsOf } from '../../shared/aws/secrets-manager/hub-secrets.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { settingDefinitions } from '../../shared/core/settings.ts';
import { type EstimatorWords, readEstimator } from '../../shared/estimator/estimator-choice.ts';
import { type EstimatorChoice, parseConnection } from '../../shared/kubernetes/client/connection.ts';
import { parseAccount } from '../../shared/manifests/target.ts';
import { type DeploymentAddress, reach, withReach } from '../operator/reach.ts';
import { connectionByEks, connectionByServiceAccount } from './connection-source.ts';
import { hookTokensFor } from './hook-token-file.ts';
import {
  type ConnectionSource,
  connected,
  expiryOf,
  readStoredConnection,
  type StoredConnection,
  withEstimator,
} from './next-connection.ts';
import {
  changesOf,
  featureLine,
  fieldsOf,
  orAgain,
  type RecordOptions,
  recordOf,
  takesEstimator,
  takesRecord,
  withSubscription,
} from './registration.ts';

interface AddOptions extends DeploymentAddress, EstimatorWords, RecordOptions {
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
  evenkeel hub add karmada --kubeconfig karmada.conf --hook-token-file hook-token --policies
  evenkeel hub add fleet --kubeconfig fleet.conf --eks fleet --region eu-west-1`;

export function registerAdd(hub: Command): void {
  takesEstimator(takesRecord(withReach(hub.command('add'))))
    .description('connect a hub: creates a connection, stores it in a secret, and registers the hub')
    .argument('<name>', "the hub's name in the deployment")
    .requiredOption('--kubeconfig <file>', 'a kubeconfig that may create tokens on the hub')
    .option('--context <context>', 'a context of the kubeconfig, instead of its current one')
    .option('--server <url>', "where the functions reach the hub, if that is not the kubeconfig's server")
    .option('--account <namespace/name>', 'the ServiceAccount that the functions use', 'evenkeel/evenkeel')
    .option('--token-hours <n>', 'requested lifetime of its token; the functions renew it', String(hours.default))
    .option('--eks <cluster>', "reach it with the functions' own AWS roles instead, as this cluster of EKS")
    .option('--region <region>', 'of the cluster, with --eks')
    .option('--user <name>', "with --eks: the user name of the functions' access entries", 'evenkeel')
    .option('--hook-token-file <file>', 'where the token that the hub presents is kept; made unless the file is there')
    .addHelpText('after', after)
    .action(async (name: string, options: AddOptions) => {
      process.stdout.write(`${await add(name, options)}\n`);
    });
}

async function add(hub: string, options: AddOptions): Promise<string> {
  const { deployment } = options;
  const account = parseAccount(options.account);
  const tokenHours = parseHours(options.tokenHours);
  const estimator = readEstimator(options);
  const changes = changesOf(options);
  const eks = eksOf(options);
  // Deployment and secret are read first: a token that cannot be stored would stay valid.
  const ask = reach(options);
  const secrets = hubSecretsOf(deployment);
  const [record, found] = await Promise.all([recordOf(ask, hub), secrets.find(hub)]);
  const held = readStoredConnection(hub, found.state === 'Present' ? found.value?.text : undefined);
  const way = await (eks
    ? connectionByEks({ ...options, eks })
    : connectionByServiceAccount({ ...options, hub, account, tokenHours }));
  const hookTokens = hookTokensFor(held, options.hookTokenFile);
  const next = withEstimator(connected(held, way, hookTokens), estimator);
  const connection = parseConnection(hub, JSON.stringify(next));
  await secrets.save(hub, JSON.stringify(next), { found });
  const registered = await orAgain(`the connection of hub ${hub} is stored, but the hub is not registered`, () =>
    withSubscription({ deployment, hub, record, changes }, () =>
      ask('registerHub', { hub, ...fieldsOf(hub, connection), ...changes }),
    ),
  );
  const features = changes.features ?? record?.features ?? [];
  return report({ hub, way, next, registered, features, secret: secrets.nameOf(hub), options });
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
  readonly registered: OutputOf<'registerHub'>;
  readonly features: readonly string[];
  readonly secret: string;
  readonly options: AddOptions;
}

function report({ hub, way, next, registered, features, secret, options }: Added): string {
  const file = options.hookTokenFile;
  const who =
    'token' in way.credential
      ? `as ${way.account}, with a token until ${expiryOf(next)} that the functions renew`
      : `as an EKS cluster, by the roles of the functions`;
  const toFile = `--hook-token-file ${file ?? 'FILE'}`;
  const lines = [
    `Hub ${hub}: the functions reach ${way.server} ${who}.`,
    `Its connection is in ${secret}; running functions use it within seconds (revision ${registered.revision}).`,
    featureLine(hub, features),
    ...(registered.paused === undefined
      ? []
      : [`It stays paused since ${registered.paused.since}; evenkeel resume ${hub} ends that.`]),
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
          '  evenkeel hub manifests --count-pods, and a role in each member (docs/guides/estimators.md), let pods be counted',
        ]
      : []),
    `  evenkeel hub list ${hub} shows whether it is reached`,
  ];
  return lines.join('\n');
}
