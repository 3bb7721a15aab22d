import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import { SecretHubs } from '../../../../shared/aws/secrets-manager/secret-hubs.ts';
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';
import type { Hub } from '../../../../shared/kubernetes/hub.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../../fakes/aws-endpoint.ts';

let endpoint: AwsEndpoint | undefined;
afterEach(() => endpoint?.close());

const token = 'a-token-of-some-length';
let now = 0;
let secret = '';
let opened: Connection[] = [];

async function hubs(text: string, keepMs = 1000): Promise<SecretHubs> {
  secret = text;
  now = 0;
  opened = [];
  endpoint = await startAwsEndpoint(() => ({ body: { SecretString: secret } }));
  return new SecretHubs(new SecretsManagerClient(endpoint.config), {
    secrets: { karmada: 'arn:karmada' },
    keepMs,
    now: () => now,
    open: (name, connection) => {
      opened.push(connection);
      return { name } as Hub;
    },
  });
}

const PEM = '-----BEGIN CERTIFICATE-----';
const grpcEstimator = {
  kind: 'scheduler-estimator',
  address: 'estimator-{cluster}.example:10352',
  caData: PEM,
  certificateData: PEM,
  keyData: '-----BEGIN EC PRIVATE KEY-----',
};

function connection(over: object = {}): string {
  return JSON.stringify({
    server: 'https://hub.example:6443',
    token: 'secret-hub-token',
    hookTokens: [token],
    ...over,
  });
}

describe('hubs from secrets', () => {
  it('reads a secret once while it is kept, and opens its hub once', async () => {
    const subject = await hubs(connection());
    expect(await subject.connect('karmada')).toBe(await subject.connect('karmada'));
    expect(endpoint?.calls).toHaveLength(1);
    expect(opened).toHaveLength(1);
  });

  it('keeps the pool of an unchanged secret, and opens another for a changed one', async () => {
    const subject = await hubs(connection());
    const first = await subject.connect('karmada');
    now = 1000;
    expect(await subject.connect('karmada')).toBe(first);
    secret = connection({ token: 'rotated' });
    now = 2000;
    expect(await subject.connect('karmada')).not.toBe(first);
    expect(endpoint?.calls).toHaveLength(3);
  });

  it('reports the replica estimation of the members from the secret that it has already read', async () => {
    const subject = await hubs(connection({ estimator: grpcEstimator }));
    await subject.connect('karmada');
    expect(await subject.estimatorOf('karmada')).toEqual(grpcEstimator);
    expect(await subject.hasEstimator('karmada')).toBe(true);
    expect(endpoint?.calls).toHaveLength(1);
    secret = connection({ estimator: { kind: 'pods' } });
    now = 1000;
    expect(await subject.estimatorOf('karmada')).toEqual({ kind: 'pods' });
    secret = connection();
    now = 2000;
    expect(await subject.estimatorOf('karmada')).toBeUndefined();
    expect(await subject.hasEstimator('karmada')).toBe(false);
  });

  it('names the hubs of the deployment', async () => {
    expect(await (await hubs(connection())).names()).toEqual(['karmada']);
  });

  it('rejects connections to a paused hub, and opens it read-only', async () => {
    const paused = { since: '2026-11-22T08:00:00Z', reason: 'a rollout' };
    const subject = await hubs(connection({ paused }));
    await expect(subject.connect('karmada')).rejects.toMatchObject({
      reason: 'HubPaused',
      message: 'hub karmada has been paused since 2026-11-22T08:00:00Z (a rollout); resume it first',
    });
    expect((await subject.open('karmada')).name).toBe('karmada');
    expect(await subject.pauseOf('karmada')).toEqual({ since: Date.UTC(2026, 10, 22, 8), reason: 'a rollout' });
  });

  it('connects as soon as a pause is over, though it was kept as paused for longer', async () => {
    const subject = await hubs(connection({ paused: { since: '2026-11-22T08:00:00Z', reason: '' } }), 300_000);
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
    secret = connection();
    expect(await subject.connect('karmada')).toMatchObject({ name: 'karmada' });
  });

  it('applies a pause and its end at the next read of the secret, and reports it within a second', async () => {
    const subject = await hubs(connection());
    const first = await subject.connect('karmada');
    secret = connection({ paused: { since: '2026-11-22T08:00:00Z', reason: '' } });
    expect(await subject.connect('karmada')).toBe(first);
    now = 1000;
    expect(await subject.pauseOf('karmada')).toMatchObject({ reason: '' });
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
    secret = connection();
    now = 2000;
    expect(await subject.connect('karmada')).toMatchObject({ name: 'karmada' });
    expect(await subject.pauseOf('karmada')).toBeUndefined();
  });

  it('rejects a hub that is not configured, and lists the configured ones', async () => {
    const subject = await hubs(connection());
    await expect(subject.connect('other')).rejects.toMatchObject({
      retryClass: 'terminal',
      reason: 'UnknownHub',
      message: expect.stringContaining('karmada') as string,
    });
    await expect(subject.connect('constructor')).rejects.toMatchObject({ reason: 'UnknownHub' });
  });

  it.each([
    ['is not JSON', 'no json: secret-hub-token', 'not JSON'],
    ['has no server', JSON.stringify({ token: 'secret-hub-token' }), 'server must be a string'],
    ['has a server that is no URL', connection({ server: 'hub' }), 'server is not a URL'],
    ['would send a token in the clear', connection({ server: 'http://hub.example' }), 'must be https'],
    ['has credentials in its URL', connection({ server: 'https://me:secret-hub-token@hub.example' }), 'user name'],
    [
      'has a pause since no time',
      connection({ paused: { since: 'monday', reason: '' } }),
      'paused.since is not a time',
    ],
    ['has a certificate without its key', connection({ clientCertificateData: 'x' }), 'go together'],
    ['has an estimator of no kind that we know', connection({ estimator: { kind: 'secret-hub-token' } }), 'estimator'],
    [
      'has an estimator without its key',
      connection({ estimator: { kind: 'scheduler-estimator', address: 'e:1', caData: PEM, certificateData: PEM } }),
      'estimator.keyData must be a string',
    ],
    [
      'has a key that is none',
      connection({ estimator: { ...grpcEstimator, keyData: 'secret-hub-token' } }),
      'estimator.keyData is not a private key in PEM',
    ],
    [
      'has an estimator without a port',
      connection({ estimator: { ...grpcEstimator, address: '{cluster}.example' } }),
      'estimator.address is not HOST:PORT',
    ],
    ['has a token that can be guessed', connection({ hookTokens: ['short'] }), 'hookTokens.0'],
  ])('reports what is wrong with a connection that %s, without its values', async (_, text, description) => {
    const subject = await hubs(text);
    const fault = await subject.connect('karmada').catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({ retryClass: 'terminal', reason: 'InvalidConnection' });
    expect((fault as Error).message).toContain(description);
    expect((fault as Error).message).not.toContain('secret-hub-token');
  });
});
