/** `evenkeel hub add` on a real API server: its connection works for all requests of the functions, and continues after tokens are renewed or revoked. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { program } from '../../../../cli/main.ts';
import { task as renewToken } from '../../../../functions/hub-connection/renew-token.lambda.ts';
import { HubRecords } from '../../../../shared/aws/hub-records.ts';
import { secretsOfAccount } from '../../../../shared/aws/secrets-manager/connection-secrets.ts';
import { SecretConnections } from '../../../../shared/aws/secrets-manager/secret-connections.ts';
import { SecretHubs } from '../../../../shared/aws/secrets-manager/secret-hubs.ts';
import { connectionSecretName } from '../../../../shared/core/environment.ts';
import { Fault } from '../../../../shared/core/fault.ts';
import type { InvocationContext } from '../../../../shared/core/invocation.ts';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { resourceBindings } from '../../../../shared/karmada/binding.ts';
import { readAccountToken } from '../../../../shared/kubernetes/account-token.ts';
import { openHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';
import { createTransport } from '../../../../shared/kubernetes/client/transport.ts';
import type { Hub as HubPort } from '../../../../shared/kubernetes/hub.ts';
import { workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { type AwsAccount, startAwsAccount } from '../../../fakes/aws-account.ts';
import type { FakeSecrets } from '../../../fakes/secrets-manager.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { deploymentIn, HubClient, until } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

/** An account of this run, because this suite deletes it. */
const NAME = `connect-${Date.now().toString(36)}`;
const ACCOUNT = `${NAME}/${NAME}`;
const SECRET = connectionSecretName('evenkeel', 'karmada');
const HOUR_MS = 3_600_000;

let hub: Hub;
let administrator: HubClient;
let account: AwsAccount;
let secrets: FakeSecrets;
let firstError = '';

beforeAll(async () => {
  hub = await startHub(rigOfSuite());
  administrator = await HubClient.of(hub.adminKubeconfig);
  await administrator.bindings(`${NAME}-shop`, ['web']);
  account = await startAwsAccount();
  ({ secrets } = account);
  vi.stubEnv('AWS_ENDPOINT_URL', secrets.endpoint.config.endpoint);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
  // Without an account the command fails and prints how to create one; afterwards it succeeds.
  firstError = await add().then(
    () => '',
    (thrown: unknown) => (thrown instanceof Fault ? thrown.message : String(thrown)),
  );
  await makeAccount();
  await add();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await account.close();
});

async function evenkeel(...args: readonly string[]): Promise<string> {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await program().parseAsync(['hub', ...args], { from: 'user' });
    return written.join('');
  } finally {
    write.mockRestore();
  }
}

function add(): Promise<string> {
  return evenkeel('add', 'karmada', '--kubeconfig', hub.adminKubeconfig, '--account', ACCOUNT);
}

async function makeAccount(): Promise<void> {
  const target = ['--hub', 'karmada', '--url', 'https://hook.example', '--account', ACCOUNT];
  await hub.kubectl.apply(await evenkeel('manifests', ...target, '--only', 'rbac'));
}

function held(): Connection {
  return JSON.parse(secrets.get(SECRET) ?? '{}') as Connection;
}

function context(now = Date.now()): InvocationContext {
  return {
    settings: parseSettings({}),
    telemetry: recording([]),
    now: () => now,
    newId: () => NAME,
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
}

/** As a deployed function connects. */
function connected(): Promise<HubPort> {
  const now = () => Date.now();
  const { registry } = account;
  const hubs = new SecretHubs({
    deployment: 'evenkeel',
    records: new HubRecords({ registry, now, onStale: () => undefined }),
    secrets: secretsOfAccount(),
    keepMs: 60_000,
    now,
    open: (name, connection, reload) => openHub(name, connection, { ...context(), reload }),
  });
  return hubs.connect('karmada');
}

async function listed(port: HubPort): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of port.list(workloadRebalancers)) names.push(...page.map(({ name }) => name));
  return names;
}

async function statusOf(token: string): Promise<number> {
  const transport = createTransport({ ...held(), token }, { maxSockets: 1, timeoutMs: 10_000 });
  try {
    return (await transport.send({ method: 'GET', path: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers' })).status;
  } finally {
    transport.close();
  }
}

describe('hub add', () => {
  it('names the manifests to apply if the ServiceAccount does not exist', () => {
    expect(firstError).toContain(`ServiceAccount ${ACCOUNT} not found on hub karmada`);
    expect(firstError).toContain('--only rbac | kubectl');
  });

  it('creates a token of 48 h for that account', () => {
    const token = readAccountToken(held().token ?? '');
    expect(token?.account).toEqual({ namespace: NAME, name: NAME });
    expect(((token?.expiresAt ?? 0) - (token?.issuedAt ?? 0)) / HOUR_MS).toBe(48);
    expect(held().account).toBe(`system:serviceaccount:${NAME}:${NAME}`);
  });

  it('creates a connection that works for all requests of the functions', async () => {
    const port = await connected();
    await administrator.rebalancer(NAME, [deploymentIn(`${NAME}-shop`, 'web')]);
    expect(await listed(port)).toContain(NAME);
    const key = { namespace: '', name: NAME };
    const binding = { namespace: `${NAME}-shop`, name: 'web-deployment' };
    expect((await port.getMany(resourceBindings, [binding])).size).toBe(1);
    const merge = { metadata: { annotations: { 'evenkeel.dev/test': NAME } } };
    expect((await port.patch(resourceBindings, binding, { merge })).result).toBe('done');
    const status = { merge: { status: { observedGeneration: 1 } }, subresource: 'status' } as const;
    expect((await port.patch(workloadRebalancers, key, status)).result).toBe('done');
    const now = await port.get(workloadRebalancers, key);
    const { uid = '', resourceVersion = '' } = now ?? {};
    expect((await port.delete(workloadRebalancers, key, { uid, resourceVersion })).result).toBe('done');
  });
});

describe('a token at half its life', () => {
  it('is renewed by the function with the shipped RBAC, and both tokens are valid', async () => {
    const before = held().token ?? '';
    const later = context(Date.now() + 25 * HOUR_MS);
    const store = secretsOfAccount();
    const { registry } = account;
    const connections = new SecretConnections({ deployment: 'evenkeel', registry, store, timeoutMs: 10_000 });
    const { reason } = await renewToken.run(
      { hub: 'karmada' },
      { ...later, connections },
      new Set(['HubTokenCheckDue']),
    );
    expect(reason).toMatch(/; renewed for 48 h$/);
    const after = held().token ?? '';
    expect(after).not.toBe(before);
    expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
    expect(held().hookTokens).toHaveLength(1);
  });
});

describe('a revoked token', () => {
  it('is replaced by the token in the secret, without a restart', async () => {
    const port = await connected();
    await listed(port);
    const old = held().token ?? '';
    await hub.kubectl.run('delete', 'serviceaccount', '-n', NAME, NAME);
    // An API server caches the authentication of a token for some seconds.
    await until('the old token is rejected', async () => ((await statusOf(old)) === 401 ? true : undefined));
    await expect(listed(port)).rejects.toMatchObject({ retryClass: 'retryable', reason: 'Unauthorized' });
    await makeAccount();
    await add();
    expect(await until('the new token is read', async () => listed(port).catch(() => undefined))).toEqual(
      expect.any(Array),
    );
    expect(await statusOf(old)).toBe(401);
  });
});

describe('hub remove', () => {
  it('makes the functions fail with the command that lists the hubs', async () => {
    await evenkeel('remove', 'karmada', '--yes');
    await expect(connected()).rejects.toMatchObject({
      reason: 'UnknownHub',
      message: expect.stringContaining('evenkeel hub list') as string,
    });
  });
});
