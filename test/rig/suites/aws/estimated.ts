/** An estimator for the deployed functions: a gRPC server of this process, named in the hub's connection while a suite needs it. */
import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { loopbackKeyPair } from '../../../../local/hook-access.ts';
import { startEstimatorServer } from '../../../../local/practice-hub/estimator-server.ts';
import type { ObjectKey } from '../../../../shared/kubernetes/object-key.ts';
import { bindingObject, clusterObject, type Held, statusOf } from '../../../functions/descheduler/scene.ts';
import { startClusterApi } from '../../parts/karmada.ts';
import { bindingsPath, deploymentIn } from '../hub-client.ts';
import { type Deployed, SETTINGS } from './deployed.ts';

export const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';

export interface Answers {
  unschedulable(cluster: string, binding: ObjectKey): number;
  capacity(cluster: string): number;
}

/** Starts the estimator and waits until every warm function has reloaded the connection. Returns a function that stops it. */
export async function estimateBy(
  { aws }: Deployed,
  { unschedulable, capacity }: Answers,
): Promise<() => Promise<void>> {
  const fleet = { unschedulable, capacityFor: capacity };
  const server = await startEstimatorServer({ fleet, identity: await loopbackKeyPair('evenkeel rig estimator') });
  const client = new SecretsManagerClient(aws.emulator.client());
  const SecretId = aws.deployment.secretName;
  const { SecretString: before = '{}' } = await client.send(new GetSecretValueCommand({ SecretId }));
  const write = async (connection: string): Promise<void> => {
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: connection }));
    await wait(SETTINGS.hubConnectionSeconds * 1000);
  };
  const estimator = { kind: 'scheduler-estimator', ...server.estimator };
  await write(JSON.stringify({ ...(JSON.parse(before) as object), estimator }));
  return async () => {
    await write(before);
    client.destroy();
    await server.close();
  };
}

/** Clusters with capacity for that many replicas of one core each. */
export async function clustersWith(
  { client, rig, hub }: Deployed,
  free: Readonly<Record<string, number>>,
): Promise<void> {
  await startClusterApi(rig, hub);
  for (const [name, capacity] of Object.entries(free)) {
    const { status, ...object } = clusterObject(name, capacity);
    await client.create(CLUSTERS, object);
    await client.merge(`${CLUSTERS}/${name}/status`, { status });
  }
}

export async function withoutClusters({ client }: Deployed, names: readonly string[]): Promise<void> {
  for (const name of names) await client.send({ method: 'DELETE', path: `${CLUSTERS}/${name}` });
}

/** A binding with the descheduling annotation, in a separate namespace. */
export async function bindingIn({ client }: Deployed, namespace: string, held: Held): Promise<void> {
  const annotations = { 'evenkeel.dev/rescheduling-policy': 'OnUnschedulable' };
  const spec = { resource: deploymentIn(namespace, 'web') };
  const { metadata, ...object } = bindingObject(held, { annotations, spec });
  await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  await client.create(bindingsPath(namespace), { ...object, metadata: { ...metadata, namespace } });
  await client.merge(`${bindingsPath(namespace)}/${metadata.name}/status`, { status: statusOf(held) });
}
