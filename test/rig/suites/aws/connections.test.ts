/** The hub's secret as the command line and the renewal use it: it is found by the tags that the stack set, and written only over the version that was read. */
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
  before = await secrets.read(deployed.aws.deployment.secretArn);
});

/** Restores the secret for the deployed functions. */
afterAll(async () => {
  const { secretArn } = deployed.aws.deployment;
  await secrets.write(secretArn, before?.text ?? '', (await secrets.read(secretArn))?.version);
});

describe('the secret of a hub', () => {
  it('is found by its tags, only in its own deployment', async () => {
    const { secretArn } = deployed.aws.deployment;
    expect((await secrets.list('evenkeel')).map(({ hub, arn }) => [hub, arn])).toEqual([[HUB, secretArn]]);
    const { hookAccessArn } = deployed.aws.deployment;
    const lists = await secrets.list('evenkeel', 'hookAccess');
    expect(lists.map(({ hub, arn }) => [hub, arn])).toEqual([[HUB, hookAccessArn]]);
    expect(await secrets.list('another')).toEqual([]);
  });

  it('is written over the version that was read, and is not overwritten after a concurrent write', async () => {
    const { secretArn } = deployed.aws.deployment;
    const read = await secrets.read(secretArn);
    const text = `${read?.text} `;
    expect(await secrets.write(secretArn, text, read?.version)).toBe('done');
    expect(await secrets.write(secretArn, '{"late":true}', read?.version)).toBe('changed');
    expect((await secrets.read(secretArn))?.text).toBe(text);
  });

  it('that does not exist is rejected with UnknownSecret', async () => {
    const arn = `${deployed.aws.deployment.secretArn}-another`;
    await expect(secrets.read(arn)).rejects.toMatchObject({ retryClass: 'terminal', reason: 'UnknownSecret' });
  });
});
