/** Secrets of hubs as the command line uses them, over the wire. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HubSecrets } from '../../../../shared/aws/secrets-manager/hub-secrets.ts';
import { type FakeSecrets, startFakeSecrets } from '../../../fakes/secrets-manager.ts';

let fake: FakeSecrets;
let secrets: HubSecrets;
beforeEach(async () => {
  fake = await startFakeSecrets();
  secrets = new HubSecrets(new SecretsManagerClient({ ...fake.endpoint.config, maxAttempts: 1 }), 'staging');
});
afterEach(() => fake.endpoint.close());

const absent = { state: 'Absent' } as const;
const conflict = {
  retryClass: 'terminal',
  reason: 'Conflict',
  message: 'the secret of hub karmada was changed concurrently; run the command again',
};

describe('the secret of a hub', () => {
  it('is absent, present with its value, or scheduled for deletion', async () => {
    expect(await secrets.find('karmada')).toEqual(absent);
    await secrets.save('karmada', 'first', { found: absent });
    expect(await secrets.find('karmada')).toMatchObject({ state: 'Present', value: { text: 'first' } });
    await secrets.delete('karmada', { now: false });
    expect(await secrets.find('karmada')).toEqual({ state: 'Deleted' });
  });

  it.each(['AccessDeniedException', 'ThrottlingException'])(
    'is not taken for a deleted one when AWS rejects the read with %s',
    async (error) => {
      fake.onCall = () => ({ error });
      await expect(secrets.find('karmada')).rejects.toMatchObject({ reason: error });
    },
  );

  it('is not overwritten when another client has created or written it since it was read', async () => {
    await secrets.save('karmada', 'theirs', { found: absent });
    await expect(secrets.save('karmada', 'ours', { found: absent })).rejects.toMatchObject(conflict);
    const found = await secrets.find('karmada');
    await secrets.save('karmada', 'theirs again', { found });
    await expect(secrets.save('karmada', 'ours', { found })).rejects.toMatchObject(conflict);
    expect(await secrets.find('karmada')).toMatchObject({ value: { text: 'theirs again' } });
  });

  it('is described by its ARN and the key that encrypts it', async () => {
    await secrets.save('karmada', 'first', { found: absent, key: 'alias/own' });
    expect(await secrets.describe(secrets.nameOf('karmada'))).toEqual({
      arn: expect.stringContaining(':secret:evenkeel/staging/hubs/karmada-') as string,
      key: 'alias/own',
    });
  });
});
