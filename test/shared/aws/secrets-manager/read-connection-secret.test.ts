import { describe, expect, it } from 'vitest';
import { readConnectionSecret } from '../../../../shared/aws/secrets-manager/read-connection-secret.ts';
import { Fault } from '../../../../shared/core/fault.ts';

const names = { hub: 'karmada', secret: 'evenkeel/staging/hubs/karmada' };
const unusable = (what: string) => ({
  retryClass: 'terminal',
  reason: 'InvalidConnection',
  message: `the connection of hub karmada cannot be used: its secret ${names.secret} ${what}; evenkeel hub add karmada writes it`,
});

describe('the secret of a registered hub', () => {
  it('is read with its version', async () => {
    const value = { text: '{}', version: 'v1' };
    expect(await readConnectionSecret({ read: async () => value }, names)).toEqual(value);
  });

  it.each([
    ['has no value', async () => undefined, unusable('is empty')],
    ['has an empty value', async () => ({ text: '', version: 'v1' }), unusable('is empty')],
    [
      'does not exist',
      () => Promise.reject(new Fault('terminal', 'no such secret', { reason: 'UnknownSecret' })),
      unusable('does not exist'),
    ],
    [
      'cannot be read',
      () => Promise.reject(new Fault('limited', 'SecretsManager: slow down', { reason: 'ThrottlingException' })),
      { retryClass: 'limited', reason: 'ThrottlingException', message: 'SecretsManager: slow down' },
    ],
  ])('that %s is rejected with the reason', async (_, read, fault) => {
    await expect(readConnectionSecret({ read }, names)).rejects.toMatchObject(fault);
  });
});
