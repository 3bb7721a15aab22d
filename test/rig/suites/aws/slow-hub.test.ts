/** A hub that takes 2.5 s for every response, and twice that on a new connection, with everything deployed and the deployed timeouts. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionSecrets } from '../../../../shared/aws/secrets-manager/connection-secrets.ts';
import { patchesOf } from '../audit-log.ts';
import { deploymentIn, type Rebalancer, until } from '../hub-client.ts';
import { type SlowProxy, slowProxy } from '../slow-proxy.ts';
import { type Deployed, drained, generationsOf, SETTINGS, startDeployed, taskOnce } from './deployed.ts';

const NAME = `slow-${Date.now()}`;
const WORKLOADS = 200;
const LATENCY_MS = 2500;
const names = Array.from({ length: WORKLOADS }, (_, index) => `w${String(index).padStart(4, '0')}`);

let deployed: Deployed;
let proxy: SlowProxy | undefined;
let secrets: ConnectionSecrets;
let before: string | undefined;

beforeAll(async () => {
  deployed = await startDeployed();
  secrets = new ConnectionSecrets(new SecretsManagerClient(deployed.aws.emulator.client()));
  await deployed.client.bindings(NAME, names);
  // The hook publishes each new binding; those events are not part of this test.
  await drained(deployed);
  before = (await secrets.read(deployed.aws.deployment.secretName))?.text ?? '';
  const connection = JSON.parse(before) as { server: string };
  const { hostname, port } = new URL(connection.server);
  proxy = await slowProxy({ host: hostname, port: Number(port) }, LATENCY_MS);
  await setSecret(JSON.stringify({ ...connection, server: `https://${hostname}:${proxy.port}` }));
});

afterAll(async () => {
  if (before !== undefined) await setSecret(before);
  await proxy?.close();
});

describe('a rebalancer of 200 workloads on a hub that takes 2.5 s for every response', () => {
  let rebalancer: Rebalancer;

  beforeAll(async () => {
    const { client, hub } = deployed;
    await client.rebalancer(
      NAME,
      names.map((workload) => deploymentIn(NAME, workload)),
    );
    for (let part = 50; part <= WORKLOADS; part += 50)
      await until(`${part} bindings are triggered`, async () => (patchesOf(hub, NAME).size >= part ? true : undefined));
    rebalancer = await client.finished(NAME);
  });

  it('finishes with each workload successful', () => {
    const results = rebalancer.status?.observedWorkloads.map(({ result }) => result);
    expect(results).toEqual(Array.from({ length: WORKLOADS }, () => 'Successful'));
  });

  it('uses the slow proxy', () => {
    expect(proxy?.connections).toBeGreaterThan(0);
  });

  it('triggers each binding once, and leaves no dead-letter message', async () => {
    expect(await generationsOf(deployed, NAME)).toEqual(Array.from({ length: WORKLOADS }, () => 2));
    const task = await taskOnce(deployed, rebalancer, ({ state }) => state === 'Finished');
    expect(task).toMatchObject({ successful: WORKLOADS, failed: 0, pendingChunks: [] });
    await deployed.queues.areWithoutDeadLetters();
  });
});

/** Writes the secret, and waits until every function has reloaded the connection. */
async function setSecret(text: string): Promise<void> {
  const { secretName } = deployed.aws.deployment;
  expect(await secrets.write(secretName, text, (await secrets.read(secretName))?.version)).toBe('done');
  const written = performance.now();
  const kept = SETTINGS.hubConnectionSeconds * 1000;
  await until('cached connections have expired', async () => (performance.now() - written > kept ? true : undefined));
}
