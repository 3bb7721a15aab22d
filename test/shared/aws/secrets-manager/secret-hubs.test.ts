import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import { HubRecords } from '../../../../shared/aws/hub-records.ts';
import { ConnectionSecrets } from '../../../../shared/aws/secrets-manager/connection-secrets.ts';
import { SecretHubs } from '../../../../shared/aws/secrets-manager/secret-hubs.ts';
import { Fault } from '../../../../shared/core/fault.ts';
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';
import type { Hub } from '../../../../shared/kubernetes/hub.ts';
import { paused, resumed } from '../../../../shared/kubernetes/hub-record.ts';
import type { HubRecord } from '../../../../shared/kubernetes/hub-registry.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../../fakes/aws-endpoint.ts';
import { hubRecord } from '../../../fakes/hub-records.ts';
import { MemoryHubRegistry } from '../../../fakes/stores/memory-hub-registry.ts';

let endpoint: AwsEndpoint | undefined;
afterEach(() => endpoint?.close());

const token = 'a-token-of-some-length';
let now = 0;
let secret = '';
/** Of Secrets Manager. */
let failure: { error: string; message: string } | undefined;
let opened: Connection[] = [];
let closed: string[] = [];
let busy: string[] = [];
let reload: () => Promise<Connection>;
let registry: MemoryHubRegistry;
/** Of the registry. */
let unreadable: Fault | undefined;

async function hubs(text: string, keepMs = 1000, names: readonly string[] = ['karmada']): Promise<SecretHubs> {
  secret = text;
  now = 0;
  [opened, closed, busy, failure, unreadable] = [[], [], [], undefined, undefined];
  registry = new MemoryHubRegistry(...names.map((name) => hubRecord(name)));
  endpoint = await startAwsEndpoint(() => failure ?? { body: { SecretString: secret, VersionId: 'v1' } });
  const read = <T>(answer: Promise<T>) => (unreadable ? Promise.reject(unreadable) : answer);
  return new SecretHubs({
    deployment: 'staging',
    records: new HubRecords({
      registry: { read: (name) => read(registry.read(name)), list: () => read(registry.list()) },
      now: () => now,
      onStale: () => undefined,
    }),
    secrets: new ConnectionSecrets(new SecretsManagerClient(endpoint.config)),
    keepMs,
    now: () => now,
    open: (name, connection, reloaded) => {
      opened.push(connection);
      reload = reloaded;
      return { hub: { name } as Hub, isIdle: () => !busy.includes(name), close: () => void closed.push(name) };
    },
  });
}

async function change(to: (record: HubRecord) => HubRecord, name = 'karmada'): Promise<void> {
  const record = await registry.read(name);
  if (record === undefined) throw new Error(`no record of ${name}`);
  expect(await registry.write(to(record), record.revision)).toBe('done');
}

const reads = () => endpoint?.calls.length;

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

  it('knows the features of a hub by its record, without its connection', async () => {
    const subject = await hubs(connection());
    await change((record) => ({ ...record, features: ['policies'] }));
    expect(await subject.uses('karmada', 'policies')).toBe(true);
    expect(await subject.uses('karmada', 'scheduler')).toBe(false);
    await expect(subject.uses('other', 'policies')).rejects.toMatchObject({ reason: 'UnknownHub' });
    expect([endpoint?.calls, opened]).toEqual([[], []]);
  });

  it('reads the secret of the hub by the names of deployment and hub', async () => {
    await (await hubs(connection())).connect('karmada');
    expect(endpoint?.calls.map(({ input }) => input.SecretId)).toEqual(['evenkeel/staging/hubs/karmada']);
  });

  it('names the hubs of the registry, without those that are being removed', async () => {
    const subject = await hubs(connection(), 1000, ['karmada', 'edge', 'leaving']);
    await change((record) => ({ ...record, state: 'Removing' }), 'leaving');
    expect(await subject.names()).toEqual(['edge', 'karmada']);
  });

  const pause = { since: Date.UTC(2026, 10, 22, 8), reason: 'a rollout' };

  it('rejects connections to a paused hub, and opens it read-only', async () => {
    const subject = await hubs(connection());
    await change((record) => paused(record, pause));
    await expect(subject.connect('karmada')).rejects.toMatchObject({
      reason: 'HubPaused',
      message: 'hub karmada has been paused since 2026-11-22T08:00:00Z (a rollout); resume it first',
    });
    expect((await subject.open('karmada')).name).toBe('karmada');
    expect(await subject.pauseOf('karmada')).toEqual(pause);
  });

  it('connects as soon as a pause is over, though the record is cached as paused', async () => {
    const subject = await hubs(connection());
    await change((record) => paused(record, pause));
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
    await change(resumed);
    expect(await subject.connect('karmada')).toMatchObject({ name: 'karmada' });
  });

  it('applies a pause within five seconds, and reports it within one', async () => {
    const subject = await hubs(connection());
    const first = await subject.connect('karmada');
    await change((record) => paused(record, pause));
    now = 999;
    expect(await subject.connect('karmada')).toBe(first);
    now = 1000;
    expect(await subject.pauseOf('karmada')).toEqual(pause);
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
    await change(resumed);
    now = 4000;
    await subject.connect('karmada');
    await change((record) => paused(record, pause));
    now = 9000;
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
  });

  it('does not take a pause that may be over from the cache while the registry cannot be read', async () => {
    const subject = await hubs(connection());
    await change((record) => paused(record, pause));
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'HubPaused' });
    unreadable = new Fault('limited', 'throttled', { reason: 'ThrottlingException' });
    await expect(subject.connect('karmada')).rejects.toMatchObject({ retryClass: 'limited' });
  });

  it('goes on with a hub for a minute while the registry cannot be read, and then fails with a retryable error', async () => {
    const subject = await hubs(connection(), 300_000);
    const first = await subject.connect('karmada');
    unreadable = new Fault('limited', 'throttled', { reason: 'ThrottlingException' });
    now = 59_999;
    expect(await subject.connect('karmada')).toBe(first);
    now = 65_000;
    await expect(subject.connect('karmada')).rejects.toMatchObject({ retryClass: 'limited' });
  });

  it('reads the connection again when its record has changed, before it is due', async () => {
    const subject = await hubs(connection(), 300_000);
    const first = await subject.connect('karmada');
    secret = connection({ token: 'another' });
    now = 4999;
    expect(await subject.connect('karmada')).toBe(first);
    await change((record) => ({ ...record, account: 'us' }));
    now = 5000;
    expect(await subject.connect('karmada')).not.toBe(first);
    expect(opened.map((each) => each.token)).toEqual(['secret-hub-token', 'another']);
    expect(closed).toEqual(['karmada']);
    expect(reads()).toBe(2);
  });

  it('keeps the client whose credential was rejected, which takes the new connection itself', async () => {
    const subject = await hubs(connection(), 300_000);
    const first = await subject.connect('karmada');
    secret = connection({ token: 'another' });
    now = 1000;
    expect(await reload()).toMatchObject({ token: 'another' });
    expect(await subject.connect('karmada')).toBe(first);
    expect([opened.length, closed]).toEqual([1, []]);
  });

  it.each([['other'], ['constructor'], ['No Hub'], ['']])('rejects the unknown hub %j', async (name) => {
    const subject = await hubs(connection());
    await expect(subject.connect(name)).rejects.toMatchObject({ retryClass: 'terminal', reason: 'UnknownHub' });
    expect(reads()).toBe(0);
  });

  it('connects to a hub that was registered a moment after it was unknown', async () => {
    const subject = await hubs(connection());
    await expect(subject.connect('edge')).rejects.toMatchObject({ reason: 'UnknownHub' });
    await registry.write(hubRecord('edge'), 0);
    expect(await subject.connect('edge')).toMatchObject({ name: 'edge' });
  });

  it('knows a hub no more whose secret is gone and whose record is too, although its record is still cached', async () => {
    const subject = await hubs(connection());
    await subject.connect('karmada');
    await change((record) => ({ ...record, state: 'Removing' }));
    failure = { error: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." };
    now = 1000;
    await expect(subject.connect('karmada')).rejects.toMatchObject({ reason: 'UnknownHub' });
    expect(closed).toEqual(['karmada']);
  });

  it('knows a hub that is being removed no more after five seconds, and closes its client', async () => {
    const subject = await hubs(connection(), 300_000);
    await subject.connect('karmada');
    await change((record) => ({ ...record, state: 'Removing' }));
    now = 5000;
    await expect(subject.connect('karmada')).rejects.toMatchObject({
      reason: 'UnknownHub',
      message: 'there is no hub karmada in this deployment; evenkeel hub list shows its hubs',
    });
    expect(closed).toEqual(['karmada']);
  });

  it.each([
    ['is missing', "Secrets Manager can't find the specified secret.", 'does not exist'],
    ['has no value', "can't find the specified secret value for staging label: AWSCURRENT", 'is empty'],
  ])('names the secret of a registered hub that %s, and the command that writes it', async (_, message, what) => {
    const subject = await hubs('');
    failure = { error: 'ResourceNotFoundException', message };
    await expect(subject.connect('karmada')).rejects.toMatchObject({
      retryClass: 'terminal',
      reason: 'InvalidConnection',
      message: `the connection of hub karmada cannot be used: its secret evenkeel/staging/hubs/karmada ${what}; evenkeel hub add karmada writes it`,
    });
  });

  it('has the clients of 100 hubs at most after it served 1,000, and closes none that is in use', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `hub-${i}`);
    const subject = await hubs(connection(), 1000, names);
    busy = ['hub-0', 'hub-1'];
    for (const name of names) await subject.connect(name);
    expect(closed).toHaveLength(900);
    expect(closed.filter((name) => busy.includes(name))).toEqual([]);
    const before = opened.length;
    await subject.connect('hub-0');
    await subject.connect('hub-999');
    expect(opened).toHaveLength(before);
  });

  it.each([
    ['is not JSON', 'no json: secret-hub-token', 'not JSON'],
    ['has no server', JSON.stringify({ token: 'secret-hub-token' }), 'server must be a string'],
    ['has a server that is no URL', connection({ server: 'hub' }), 'server is not a URL'],
    ['would send a token in the clear', connection({ server: 'http://hub.example' }), 'must be https'],
    ['has credentials in its URL', connection({ server: 'https://me:secret-hub-token@hub.example' }), 'user name'],
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
