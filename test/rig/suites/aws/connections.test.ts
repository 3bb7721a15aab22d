/** The hub's secret as the command line and the renewal use it: it is found by its tags, and written only over the version that was read. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionSecrets, type SecretValue } from '../../../../shared/aws/secrets-manager/connection-secrets.ts';
import { type Deployed, HUB, startDeployed } from './deployed.ts';

let deployed: Deployed;
let secrets: ConnectionSecrets;
let before: SecretValue | undefined;

beforeAll(async () => {
  deployed = await startDeployed();
  secrets = new ConnectionSecrets(new SecretsManagerClient(deployed.aws.emulator.client()));
  before = await secrets.read(deployed.aws.deployment.secretName);
});

/** Restores the secret for the deployed functions. */
afterAll(async () => {
  const { secretName } = deployed.aws.deployment;
  await secrets.write(secretName, before?.text ?? '', (await secrets.read(secretName))?.version);
});

describe('the secret of a hub', () => {
  it('is found by its tags, only in its own deployment', async () => {
    const { secretName } = deployed.aws.deployment;
    const found = await secrets.list('evenkeel');
    expect(found.map(({ hub }) => hub)).toEqual([HUB]);
    expect(found[0]?.arn).toContain(`:secret:${secretName}`);
    expect(await secrets.list('another')).toEqual([]);
  });

  it('is written over the version that was read, and is not overwritten after a concurrent write', async () => {
    const { secretName } = deployed.aws.deployment;
    const read = await secrets.read(secretName);
    const text = `${read?.text} `;
    expect(await secrets.write(secretName, text, read?.version)).toBe('done');
    expect(await secrets.write(secretName, '{"late":true}', read?.version)).toBe('changed');
    expect((await secrets.read(secretName))?.text).toBe(text);
  });

  it('that does not exist is rejected with UnknownSecret', async () => {
    const arn = `${deployed.aws.deployment.secretName}-another`;
    await expect(secrets.read(arn)).rejects.toMatchObject({ retryClass: 'terminal', reason: 'UnknownSecret' });
  });
});
