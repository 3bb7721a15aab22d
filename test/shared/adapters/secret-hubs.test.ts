import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../shared/adapters/kubernetes/connection.ts';
import { reviewKeyOf } from '../../../shared/adapters/secrets-manager/review-key.ts';
import { SecretHubs } from '../../../shared/adapters/secrets-manager/secret-hubs.ts';
import type { Hub } from '../../../shared/ports/hub.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

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

  it('keeps the pool of a secret that did not change, and opens another for one that did', async () => {
    const subject = await hubs(connection());
    const first = await subject.connect('karmada');
    now = 1000;
    expect(await subject.connect('karmada')).toBe(first);
    secret = connection({ token: 'rotated' });
    now = 2000;
    expect(await subject.connect('karmada')).not.toBe(first);
    expect(endpoint?.calls).toHaveLength(3);
  });

  it('says by what the members are counted, from the secret that it has read already', async () => {
    const subject = await hubs(connection({ estimator: grpcEstimator }));
    await subject.connect('karmada');
    expect(await subject.estimatorOf('karmada')).toEqual(grpcEstimator);
    expect(endpoint?.calls).toHaveLength(1);
    secret = connection({ estimator: { kind: 'pods' } });
    now = 1000;
    expect(await subject.estimatorOf('karmada')).toEqual({ kind: 'pods' });
    secret = connection();
    now = 2000;
    expect(await subject.estimatorOf('karmada')).toBeUndefined();
  });

  it('names the hubs of the deployment', async () => {
    expect(await (await hubs(connection())).names()).toEqual(['karmada']);
  });

  it('connects nobody to a paused hub, and opens it for questions', async () => {
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

  it('takes up a pause, and its end, with the next reading of the secret, and tells of it within a second', async () => {
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

  it('refuses a hub that is not configured, and names those that are', async () => {
    const subject = await hubs(connection());
    await expect(subject.connect('other')).rejects.toMatchObject({
      verdict: 'terminal',
      reason: 'UnknownHub',
      message: expect.stringContaining('karmada') as string,
    });
    await expect(subject.connect('constructor')).rejects.toMatchObject({ reason: 'UnknownHub' });
  });

  it.each([
    ['is not JSON', 'no json: secret-hub-token', 'not JSON'],
    ['has no server', JSON.stringify({ token: 'secret-hub-token' }), 'server is missing'],
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
      'estimator.keyData is missing',
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
  ])('says of a connection that %s what is wrong, and shows no value of it', async (_, text, says) => {
    const subject = await hubs(text);
    const fault = await subject.connect('karmada').catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({ verdict: 'terminal', reason: 'InvalidConnection' });
    expect((fault as Error).message).toContain(says);
    expect((fault as Error).message).not.toContain('secret-hub-token');
  });
});

describe('who may raise events', () => {
  it.each([
    ['its token', 'karmada', token, true],
    ['another token', 'karmada', 'another-token-of-length', false],
    ['no token', 'karmada', '', false],
    ['a prefix of its token', 'karmada', token.slice(0, -1), false],
    ['a token for a hub that is not here', 'other', token, false],
    ['a name that every object has', 'toString', token, false],
  ])('%s: %s %s', async (_, hub, given, expected) => {
    expect(await (await hubs(connection())).mayRaiseEvents(hub, { bearer: given, subject: '' })).toBe(expected);
  });

  it('takes either of two tokens while one replaces the other', async () => {
    const subject = await hubs(connection({ hookTokens: [token, 'the-next-token-in-line'] }));
    expect(await subject.mayRaiseEvents('karmada', { bearer: token, subject: '' })).toBe(true);
    expect(await subject.mayRaiseEvents('karmada', { bearer: 'the-next-token-in-line', subject: '' })).toBe(true);
  });

  const subject = 'CN=apiserver,O=edge';

  it.each([
    ['the subject it names', subject, true],
    ['another subject', 'CN=apiserver,O=other', false],
    ['none', '', false],
  ])('takes, of the callers whose certificate was verified, %s', async (_, given, expected) => {
    const subjects = await hubs(connection({ hookTokens: [], hookSubjects: [subject] }));
    expect(await subjects.mayRaiseEvents('karmada', { bearer: '', subject: given })).toBe(expected);
  });

  it('takes no subject for a token, and no token for a subject', async () => {
    const both = await hubs(connection({ hookSubjects: [subject] }));
    expect(await both.mayRaiseEvents('karmada', { bearer: subject, subject: token })).toBe(false);
  });
});

describe('the key of an admission webhook', () => {
  it.each([
    ['made from its token', 'karmada', reviewKeyOf('karmada', token), true],
    ['made from another token', 'karmada', reviewKeyOf('karmada', 'another-token-of-length'), false],
    ['made for another hub', 'karmada', reviewKeyOf('other', token), false],
    ['that is the token', 'karmada', token, false],
    ['that is empty', 'karmada', '', false],
    ['for a hub that is not here', 'other', reviewKeyOf('other', token), false],
    ['for a name that every object has', 'toString', reviewKeyOf('toString', token), false],
  ])('%s: %s %s', async (_, hub, key, expected) => {
    expect(await (await hubs(connection())).holdsReviewKey(hub, key)).toBe(expected);
  });

  it('is one of two while a token replaces another', async () => {
    const subject = await hubs(connection({ hookTokens: [token, 'the-next-token-in-line'] }));
    const key = reviewKeyOf('karmada', 'the-next-token-in-line');
    expect(await subject.holdsReviewKey('karmada', key)).toBe(true);
    expect(await subject.mayRaiseEvents('karmada', { bearer: key, subject: '' })).toBe(false);
  });
});

describe('the name by which a hub knows us', () => {
  it.each([['system:serviceaccount:evenkeel:evenkeel'], [undefined]])(
    'is what its connection says: %s',
    async (account) => {
      expect(await (await hubs(connection({ account }))).accountOf('karmada')).toBe(account);
    },
  );
});
