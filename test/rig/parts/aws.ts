/** The deployed system: the emulator, our stacks on it, the hub in its registry with its connection in its secret, and a gateway for the hub's audit events to the hook. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  ResourceExistsException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { REAL_HUB } from '../../../local/run.ts';
import { DynamoDbHubRegistry } from '../../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { connectionSecretName, hubTag, keyAlias } from '../../../shared/core/environment.ts';
import type { Connection } from '../../../shared/kubernetes/client/connection.ts';
import { connectionFromKubeconfig } from '../../../shared/kubernetes/client/kubeconfig.ts';
import { callersOf } from '../../../shared/kubernetes/hook-callers.ts';
import { hubFeatureNames } from '../../../shared/kubernetes/hub-features.ts';
import type { HubRegistry } from '../../../shared/kubernetes/hub-registry.ts';
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
    const deployed = await deployStacks(rig, emulator, { hub: REAL_HUB, settings });
    const given = await connectionFromKubeconfig(hub.kubeconfig);
    const connection = { ...given, account: ACCOUNT, hookTokens: [hub.hook.token] };
    const registrar = new HubRegistrar({ emulator, deployment: deployed });
    await registrar.register(REAL_HUB, connection);
    registrar.close();
  });
  const deployment = readDeployment(rig, REAL_HUB);
  await startHookGateway(rig, hub.hook, { emulator, hookUrl: deployment.hookUrl });
  return { emulator, deployment };
}

/** Registers hubs as `evenkeel hub add` does, as root of the account: the secret first, so that no function finds a record without one. */
export class HubRegistrar {
  readonly #table: DynamoDBClient;
  readonly #secrets: SecretsManagerClient;
  readonly #registry: HubRegistry;

  constructor({ emulator, deployment }: Aws) {
    this.#table = new DynamoDBClient(emulator.client());
    this.#secrets = new SecretsManagerClient(emulator.client());
    this.#registry = new DynamoDbHubRegistry(this.#table, deployment.hubsTableName, (_, fault) => {
      throw fault;
    });
  }

  async register(name: string, connection: Connection): Promise<void> {
    const tags = { [hubTag.deployment]: DEPLOYMENT, [hubTag.hub]: name };
    const create = new CreateSecretCommand({
      Name: connectionSecretName(DEPLOYMENT, name),
      KmsKeyId: keyAlias(DEPLOYMENT),
      SecretString: JSON.stringify(connection),
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    });
    await this.#secrets.send(create).catch((thrown: unknown) => {
      // The emulator ignores the token of a request, so that a request that the SDK sends again finds its own secret.
      if (!(thrown instanceof ResourceExistsException)) throw thrown;
    });
    const { server, account } = connection;
    const record = { name, state: 'Active', features: hubFeatureNames, server, account } as const;
    const written = await this.#registry.write({ ...record, callers: callersOf(name, connection) }, 0);
    if (written !== 'done') throw new Error(`the hub ${name} is in the registry already`);
  }

  async remove(name: string): Promise<void> {
    const record = await this.#registry.read(name);
    if (record === undefined) return;
    await this.#registry.delete(name, record.revision);
    const SecretId = connectionSecretName(DEPLOYMENT, name);
    await this.#secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  }

  close(): void {
    this.#table.destroy();
    this.#secrets.destroy();
  }
}
