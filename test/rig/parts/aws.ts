/** The deployed system: the emulator, our stacks on it, the hub's connection in its secret, and a gateway for the hub's audit events to the hook. */
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { REAL_HUB } from '../../../local/run.ts';
import { accessListOf } from '../../../shared/aws/secrets-manager/access-list.ts';
import { connectionFromKubeconfig } from '../../../shared/kubernetes/client/kubeconfig.ts';
import type { Rig } from '../rig.ts';
import { bootstrap, type DeployedSettings, type Deployment, deployStacks, readDeployment } from './aws-deployment.ts';
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
    await fillSecrets(emulator, await deployStacks(rig, emulator, { hub: REAL_HUB, settings }), hub);
  });
  const deployment = readDeployment(rig, REAL_HUB);
  await startHookGateway(rig, hub.hook, { emulator, hookUrl: deployment.hookUrl });
  return { emulator, deployment };
}

/** As described in docs/connect-a-hub.md. */
async function fillSecrets(emulator: AwsEmulator, deployment: Deployment, { kubeconfig, hook }: Hub): Promise<void> {
  const given = await connectionFromKubeconfig(kubeconfig);
  const connection = { ...given, account: ACCOUNT, hookTokens: [hook.token] };
  const client = new SecretsManagerClient(emulator.client());
  const put = (SecretId: string, value: object) =>
    client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }));
  await put(deployment.secretArn, connection);
  await put(deployment.hookAccessArn, accessListOf(REAL_HUB, connection));
  client.destroy();
}
