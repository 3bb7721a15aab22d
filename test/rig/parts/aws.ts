/** The deployed system: the emulator, our stacks on it, the hub in its registry with its connection in its secret, and a gateway for the hub's audit events to the hook. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { REAL_HUB } from '../../../local/run.ts';
import { DynamoDbHubRegistry } from '../../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { hubTag, keyAlias } from '../../../shared/core/environment.ts';
import { connectionFromKubeconfig } from '../../../shared/kubernetes/client/kubeconfig.ts';
import { callersOf } from '../../../shared/kubernetes/hook-callers.ts';
import { hubFeatureNames } from '../../../shared/kubernetes/hub-features.ts';
import type { Rig } from '../rig.ts';
import {
  bootstrap,
  DEPLOYMENT,
  type DeployedSettings,
  type Deployment,
  deployStacks,
  readDeployment,
} from './aws-deployment.ts';
import { type AwsEmulator, startAwsEmulator } from './aws-emulator.ts';
import { startHookGateway, stopHookGateway } from './hook-gateway.ts';
import { ACCOUNT, type Hub } from './hub.ts';

export interface Aws {
  readonly emulator: AwsEmulator;
  readonly deployment: Deployment;
}

/** Needs only the hub's API server. The settings apply to the first deployment of the stacks; another `cdk deploy` can change them. */
export async function startAws(rig: Rig, hub: Hub, settings: DeployedSettings = {}): Promise<Aws> {
  const emulator = await startAwsEmulator(rig);
  await rig.once(`aws: stacks on ${emulator.pid}`, async () => {
    // Otherwise it would keep sending to the API of the previous emulator.
    await stopHookGateway(rig);
    await bootstrap(rig, emulator);
    await registerHub(emulator, await deployStacks(rig, emulator, { hub: REAL_HUB, settings }), hub);
  });
  const deployment = readDeployment(rig, REAL_HUB);
  await startHookGateway(rig, hub.hook, { emulator, hookUrl: deployment.hookUrl });
  return { emulator, deployment };
}

/** As `evenkeel hub add` does, as root of the account: the secret first, so that no function finds a record without one. */
async function registerHub(emulator: AwsEmulator, deployment: Deployment, { kubeconfig, hook }: Hub): Promise<void> {
  const given = await connectionFromKubeconfig(kubeconfig);
  const connection = { ...given, account: ACCOUNT, hookTokens: [hook.token] };
  const secrets = new SecretsManagerClient(emulator.client());
  const tags = { [hubTag.deployment]: DEPLOYMENT, [hubTag.hub]: REAL_HUB };
  await secrets.send(
    new CreateSecretCommand({
      Name: deployment.secretName,
      KmsKeyId: keyAlias(DEPLOYMENT),
      SecretString: JSON.stringify(connection),
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }),
  );
  secrets.destroy();
  const table = new DynamoDBClient(emulator.client());
  const registry = new DynamoDbHubRegistry(table, deployment.hubsTableName, (_, fault) => {
    throw fault;
  });
  const callers = callersOf(REAL_HUB, connection);
  const record = {
    name: REAL_HUB,
    state: 'Active',
    features: hubFeatureNames,
    server: given.server,
    account: ACCOUNT,
    callers,
  } as const;
  const written = await registry.write(record, 0);
  table.destroy();
  if (written !== 'done') throw new Error(`the hub ${REAL_HUB} is in the registry already`);
}
