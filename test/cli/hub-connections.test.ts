/** `evenkeel hub add|set|remove|migrate`, on fakes of AWS and of hubs over HTTP, and the real functions. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { program } from '../../cli/main.ts';
import { connectionSecretName } from '../../shared/core/environment.ts';
import { Fault } from '../../shared/core/fault.ts';
import { hasCaller, hasReviewKey, reviewKeyOf } from '../../shared/kubernetes/hook-callers.ts';
import type { HookCallers, HubRecord } from '../../shared/kubernetes/hub-registry.ts';
import { at, storedHub } from '../builders.ts';
import { type AwsAccount, startAwsAccount } from '../fakes/aws-account.ts';
import { identities } from '../fakes/estimator-identities.ts';
import type { FakeSecrets } from '../fakes/secrets-manager.ts';
import { startTokenHub, type TokenHub } from '../fakes/token-hub.ts';

const folder = mkdtempSync(join(tmpdir(), 'hub-connections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tags = (hub: string, deployment = 'evenkeel') => ({ 'evenkeel:hub': hub, 'evenkeel:deployment': deployment });
const secretOf = (name: string) => connectionSecretName('evenkeel', name);
const none = { tokenDigests: [], reviewKeyDigests: [], subjects: [] };
/** Like the kubeconfig of the practice hub: without it, client libraries reject plain HTTP. */
const plain = { 'insecure-skip-tls-verify': true };
const kubeconfig = join(folder, 'kubeconfig');
const hookTokenFile = join(folder, 'hook-token');
let account: AwsAccount;
let secrets: FakeSecrets;
let hub: TokenHub;
let other: TokenHub;

beforeEach(async () => {
  [account, hub, other] = await Promise.all([startAwsAccount(), startTokenHub('admin'), startTokenHub('other-admin')]);
  ({ secrets } = account);
  secrets.make('arn:theirs', tags('karmada', 'another'));
  secrets.make('arn:unrelated', { team: 'x' });
  rmSync(hookTokenFile, { force: true });
  vi.stubEnv('AWS_ENDPOINT_URL', secrets.endpoint.config.endpoint);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
  writeFileSync(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'karmada', cluster: { server: hub.url, ...plain } },
        { name: 'edge', cluster: { server: other.url, ...plain } },
      ],
      users: [
        { name: 'admin', user: { token: 'admin' } },
        { name: 'other-admin', user: { token: 'other-admin' } },
      ],
      contexts: [
        { name: 'karmada', context: { cluster: 'karmada', user: 'admin' } },
        { name: 'edge', context: { cluster: 'edge', user: 'other-admin' } },
      ],
      'current-context': 'karmada',
    }),
  );
});

afterEach(async () => {
  process.exitCode = undefined;
  vi.unstubAllEnvs();
  await Promise.all([account.close(), hub.close(), other.close()]);
});

interface Ran {
  /** The message of the fault with which the command failed. */
  readonly error: string | undefined;
  readonly out: string;
}

async function evenkeel(...args: readonly string[]): Promise<Ran> {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await program().parseAsync(['hub', ...args], { from: 'user' });
    return { error: undefined, out: written.join('') };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { error: thrown.message, out: written.join('') };
  } finally {
    write.mockRestore();
  }
}

function add(...args: readonly string[]): Promise<Ran> {
  return evenkeel('add', 'karmada', '--kubeconfig', kubeconfig, ...args);
}

/** The connection in the secret of a hub. */
function held(name = 'karmada'): Record<string, unknown> {
  return JSON.parse(secrets.get(secretOf(name)) ?? '{}') as Record<string, unknown>;
}

/** Stores it as a user would by hand. */
function store(connection: object, name = 'karmada'): void {
  const arn = `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${secretOf(name)}-a1B2c3`;
  if (!secrets.all.has(arn)) secrets.make(arn, tags(name));
  secrets.set(arn, JSON.stringify(connection));
}

const isStored = (name = 'karmada') => [...secrets.all.keys()].some((arn) => arn.includes(secretOf(name)));

async function record(name = 'karmada'): Promise<HubRecord | undefined> {
  return account.registry.read(name);
}

async function callers(): Promise<HookCallers> {
  return (await record())?.callers ?? none;
}

const pause = { since: at(0), reason: 'a rollout', by: 'claimed:bob' };

describe('hub add', () => {
  it('creates a token for the ServiceAccount, tests it, and stores it in a new secret with the key and the tags of the deployment', async () => {
    const { error, out } = await add('--token-hours', '24');
    expect(error).toBeUndefined();
    const [, token] = [...hub.valid];
    const { hookTokens, ...rest } = held();
    expect(rest).toEqual({ server: hub.url, token, account: 'system:serviceaccount:evenkeel:evenkeel' });
    expect(hookTokens).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(hub.asked).toEqual([24 * 3600]);
    expect(hub.seen.at(-1)).toBe(`GET /apis/apps.karmada.io/v1alpha1/workloadrebalancers?limit=1 ${token}`);
    const created = secrets.endpoint.calls.find(({ operation }) => operation === 'CreateSecret');
    expect(created?.input).toMatchObject({
      Name: 'evenkeel/evenkeel/hubs/karmada',
      KmsKeyId: 'alias/evenkeel-evenkeel',
      Tags: [
        { Key: 'evenkeel:deployment', Value: 'evenkeel' },
        { Key: 'evenkeel:hub', Value: 'karmada' },
      ],
    });
    expect(secrets.get('arn:theirs')).toBeUndefined();
    expect(out).toContain(`the functions reach ${hub.url} as system:serviceaccount:evenkeel:evenkeel`);
    for (const secret of [token, (hookTokens as string[])[0], 'admin']) expect(out).not.toContain(secret);
  });

  it('registers the hub with its server and account, and digests of its hook tokens instead of the tokens', async () => {
    const { out } = await add('--hook-token-file', hookTokenFile);
    const bearer = readFileSync(hookTokenFile, 'utf8').trim();
    expect(await record()).toMatchObject({
      ...{ name: 'karmada', state: 'Active', server: hub.url, features: [], revision: 1 },
      account: 'system:serviceaccount:evenkeel:evenkeel',
    });
    expect(hasCaller(await callers(), { bearer, subject: '' })).toBe(true);
    expect(hasCaller(await callers(), { bearer: 'another-token-of-some-length', subject: '' })).toBe(false);
    expect(hasReviewKey(await callers(), reviewKeyOf('karmada', bearer))).toBe(true);
    for (const secret of [bearer, String(held().token)]) expect(JSON.stringify(await record())).not.toContain(secret);
    expect(out).toContain('running functions use it within seconds (revision 1)');
  });

  it('prints which features are off, and the command that adds one', async () => {
    const { out } = await add();
    expect(out).toContain(
      'Features: none. Off: --scheduler, --policies, --graceful-reduction, --elastic-workloads; resync does not list their objects. ' +
        'If the hub uses one, name all of its features: evenkeel hub set karmada --scheduler\n',
    );
    expect((await add('--policies', '--create-rebalancers')).out).toContain(
      'Features: --policies, --create-rebalancers. Off: --scheduler, --graceful-reduction, --elastic-workloads; resync does not list their objects. ' +
        'If the hub uses one, name all of its features: evenkeel hub set karmada --policies --create-rebalancers --scheduler\n',
    );
    const all = ['--scheduler', '--policies', '--graceful-reduction', '--elastic-workloads'];
    const complete = `Features: ${all.join(', ')}.\n`;
    expect((await add(...all)).out).toContain(complete);
    expect((await add()).out).toContain(complete);
  });

  it('has the hub compared at once', async () => {
    await add();
    await account.world.pass(10);
    const comparedAt = await account.world.tasks.comparedAt('karmada');
    expect(account.world.clock.now() - (comparedAt ?? Number.NaN)).toBeLessThanOrEqual(10_000);
  });

  it('registers the features and the log group, subscribes the function to it, and keeps both when it runs again', async () => {
    const group = '/aws/eks/karmada/cluster';
    await add('--policies', '--scheduler', '--audit-log-group', group);
    expect(await record()).toMatchObject({ features: ['scheduler', 'policies'], auditLogGroup: group });
    expect([...account.filters]).toEqual([
      [`${group} evenkeel-karmada`, 'arn:aws:lambda:eu-west-1:123456789012:function:evenkeel-read-audit-log'],
    ]);
    await add();
    expect(await record()).toMatchObject({ features: ['scheduler', 'policies'], auditLogGroup: group, revision: 2 });
    await add('--no-features');
    expect(await record()).toMatchObject({ features: [], auditLogGroup: group });
  });

  it('keeps the pause of a hub that is added again, and reports it', async () => {
    await add();
    const { revision: _, ...before } = (await record()) ?? storedHub();
    await account.registry.write({ ...before, pause }, 1);
    const { token } = held();
    const { out } = await add();
    expect(await record()).toMatchObject({ pause, revision: 3 });
    expect(held().token).not.toBe(token);
    expect(out).toContain('It stays paused since 2026-11-21T10:00:00Z; evenkeel resume karmada ends that.');
  });

  it('registers the stored connection when it runs again after the registration failed', async () => {
    secrets.onCall = ({ operation }) =>
      operation.includes('run-command') ? { status: 403, error: 'AccessDeniedException' } : undefined;
    const { error } = await add();
    expect(error).toMatch(/^the connection of hub karmada is stored, but the hub is not registered: .*; run it again$/);
    expect([held().server, await record()]).toEqual([hub.url, undefined]);
    secrets.onCall = undefined;
    const { hookTokens } = held();
    expect((await add()).error).toBeUndefined();
    expect([held().hookTokens, (await record())?.state]).toEqual([hookTokens, 'Active']);
  });

  it('restores a secret that is scheduled for deletion, with none of its tokens', async () => {
    await add();
    const before = held();
    await evenkeel('remove', 'karmada', '--yes');
    expect((await add()).error).toBeUndefined();
    expect(held().hookTokens).not.toEqual(before.hookTokens);
    expect(await record()).toMatchObject({ state: 'Active', revision: 1 });
  });

  it('names the order of an upgrade if the deployed functions have no registry', async () => {
    account.unknown = ['getHub'];
    const { error } = await add();
    expect(error).toContain('evenkeel hub migrate, then cdk deploy');
    expect([hub.asked, isStored()]).toEqual([[], false]);
  });

  it('renews the token when it runs again, and keeps the hook tokens and the other fields of the secret', async () => {
    await add();
    store({ ...held(), hookSubjects: ['CN=x'], clientCertificateData: 'old', clientKeyData: 'old' });
    const before = held();
    expect((await add()).error).toBeUndefined();
    expect(held()).toMatchObject({ hookTokens: before.hookTokens, hookSubjects: ['CN=x'] });
    expect(held().token).not.toBe(before.token);
    expect(held()).not.toHaveProperty('clientKeyData');
  });

  it('writes a new hook token to a file with mode 0600, and keeps the old one valid', async () => {
    store({ server: hub.url, hookTokens: ['a'.repeat(16), 'b'.repeat(16)] });
    const { out } = await add('--hook-token-file', hookTokenFile);
    const token = readFileSync(hookTokenFile, 'utf8').trim();
    expect(statSync(hookTokenFile).mode & 0o777).toBe(0o600);
    expect(held().hookTokens).toEqual([token, 'a'.repeat(16)]);
    expect(out).not.toContain(token);
    await add('--hook-token-file', hookTokenFile);
    expect(held().hookTokens).toEqual([token, 'a'.repeat(16)]);
  });

  it('uses the context of --context, and sends no request to another hub', async () => {
    const { error } = await evenkeel('add', 'edge', '--kubeconfig', kubeconfig, '--context', 'edge');
    expect([error, hub.seen]).toEqual([undefined, []]);
    expect(held('edge').server).toBe(other.url);
    expect(isStored()).toBe(false);
  });

  it('accepts the address at which the functions reach the hub', async () => {
    await add('--server', 'https://hub.example:5443');
    expect([held().server, (await record())?.server]).toEqual(['https://hub.example:5443', 'https://hub.example:5443']);
  });

  it('with --eks creates no token and sends no request: the functions sign their own', async () => {
    const { error, out } = await add('--eks', 'karmada-host', '--region', 'eu-west-1');
    expect([error, hub.seen]).toEqual([undefined, []]);
    expect(held()).toMatchObject({
      server: hub.url,
      eksCluster: { name: 'karmada-host', region: 'eu-west-1' },
      account: 'evenkeel',
    });
    expect(held()).not.toHaveProperty('token');
    expect(out).toContain('aws eks create-access-entry --cluster-name karmada-host');
  });

  it('prints the command that creates a missing ServiceAccount, and writes nothing', async () => {
    hub.hasAccount = false;
    const { error } = await add();
    expect(isStored()).toBe(false);
    expect(error).toBe(
      'ServiceAccount evenkeel/evenkeel not found on hub karmada; make it so with: evenkeel hub manifests ' +
        `--hub karmada --url HOOK_URL --account evenkeel/evenkeel --only rbac | kubectl --kubeconfig ${kubeconfig} apply -f -`,
    );
  });

  it('accepts a hub of Open Cluster Management, and rejects a cluster that is no hub', async () => {
    hub.unserved = ['workloadrebalancers'];
    expect((await add()).error).toBeUndefined();
    const before = held();
    hub.unserved = ['workloadrebalancers', 'elasticworkloads'];
    const { error } = await add();
    expect(error).toContain('hub karmada serves neither WorkloadRebalancers nor ElasticWorkloads; give the kubeconfig');
    expect(error).toContain('evenkeel hub manifests --elastic-workloads');
    expect(held()).toEqual(before);
  });

  it('tests the new token on the first kind that the hub serves', async () => {
    await add();
    const [token] = [...hub.valid].slice(1);
    expect(hub.seen.at(-1)).toBe(`GET /apis/apps.karmada.io/v1alpha1/workloadrebalancers?limit=1 ${token}`);
  });

  it('reports the status and the kind if the account may not list it', async () => {
    hub.forbidden = ['workloadrebalancers'];
    expect((await add()).error).toContain(
      'hub karmada answered 403 when system:serviceaccount:evenkeel:evenkeel listed WorkloadRebalancers',
    );
    expect(isStored()).toBe(false);
  });

  it('rejects a server that is no hub with a terminal fault', async () => {
    hub.unserved = ['workloadrebalancers', 'elasticworkloads'];
    const add = program().parseAsync(['hub', 'add', 'karmada', '--kubeconfig', kubeconfig], { from: 'user' });
    await expect(add).rejects.toMatchObject({ retryClass: 'terminal', reason: 'NotAHub' });
  });

  it('keeps a concurrent write to the secret', async () => {
    store({});
    secrets.onCall = ({ operation }) => {
      if (operation === 'PutSecretValue') store({ theirs: true });
    };
    const { error } = await add();
    expect(held()).toEqual({ theirs: true });
    expect(error).toContain('the secret of hub karmada was changed concurrently; run the command again');
    expect(await record()).toBeUndefined();
  });

  it.each([
    ['invalid hours', ['--token-hours', '0'], '--token-hours "0" is not a whole number of hours from 1 to 8760'],
    ['an account without a namespace', ['--account', 'x'], '--account "x" is not NAMESPACE/NAME'],
    ['a region without a cluster', ['--region', 'eu-west-1'], '--region eu-west-1 is for --eks'],
    ['a cluster without a region', ['--eks', 'c'], '--eks c needs the region of the cluster'],
    ['an invalid region', ['--eks', 'c', '--region', 'x'], 'eksCluster.region is not an AWS region'],
    ['an unknown context', ['--context', 'x'], 'it has no context "x" (it has: karmada, edge)'],
    ['a missing file', ['--kubeconfig', '/none'], 'kubeconfig /none cannot be used: there is no such file'],
    ['an unknown deployment', ['--deployment', 'x'], 'there is no deployment x in this account and region'],
    ['features and none', ['--policies', '--no-features'], '--no-features and --policies exclude each other'],
    [
      'a feature without those that it needs',
      ['--drains', '--policies'],
      '--policies --drains does not work without --graceful-reduction; add that',
    ],
    ['a server with plain HTTP', ['--server', 'http://hub.example'], 'server must be https'],
    ['a file without a token', ['--hook-token-file', '/dev/null'], '--hook-token-file /dev/null holds no token'],
  ])('rejects %s with one line, and writes nothing', async (_, args, description) => {
    const { error, out } = await add(...args);
    expect(out).toBe('');
    expect(error).toContain(description);
    expect(error).not.toContain('\n');
    expect([isStored(), await record()]).toEqual([false, undefined]);
  });

  it('reports the message of the hub for an unauthorized user, without the token', async () => {
    hub.valid.clear();
    const { error } = await add();
    expect(error).toBe('the hub answered 401 to get ServiceAccount evenkeel/evenkeel: Unauthorized');
  });

  it('keeps a secret that is no connection', async () => {
    store({});
    secrets.set(secretOf('karmada'), 'password: hunter2');
    const { error } = await add();
    expect(secrets.get(secretOf('karmada'))).toBe('password: hunter2');
    expect(error).not.toContain('hunter2');
    expect(existsSync(hookTokenFile)).toBe(false);
  });
});

describe('hub add --estimator', () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const address = 'karmada-scheduler-estimator-{cluster}.karmada-system.svc:10352';

  async function grpc(over: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const { known } = await identities();
    const options = {
      '--estimator': 'scheduler-estimator',
      '--estimator-address': address,
      '--estimator-ca': file('ca.pem', known.cert),
      '--estimator-cert': file('cert.pem', known.cert),
      '--estimator-key': file('key.pem', known.key),
      ...over,
    };
    return Object.entries(options).flat();
  }

  it('saves the address and the client certificate of the estimators, and prints no key', async () => {
    const { known } = await identities();
    const { error, out } = await add(...(await grpc()));
    expect(error).toBeUndefined();
    const pem = { caData: known.cert, certificateData: known.cert, keyData: known.key };
    expect(held().estimator).toEqual({ kind: 'scheduler-estimator', address, ...pem });
    expect(out).not.toContain('PRIVATE KEY');
  });

  it('is kept when the hub is added again without it, and removed with none', async () => {
    const { out } = await add('--estimator', 'pods');
    expect(out).toContain('evenkeel hub manifests --count-pods');
    await add();
    expect(held().estimator).toEqual({ kind: 'pods' });
    expect((await record())?.hasEstimator).toBe(true);
    await add('--estimator', 'none');
    expect(held()).not.toHaveProperty('estimator');
    expect((await record())?.hasEstimator).toBe(false);
  });

  it('is changed by hub set, which keeps the credential', async () => {
    await add();
    const { token } = held();
    await evenkeel('set', 'karmada', '--estimator', 'pods');
    expect(held()).toMatchObject({ token, estimator: { kind: 'pods' } });
    await evenkeel('set', 'karmada');
    expect(held()).toMatchObject({ token, estimator: { kind: 'pods' } });
  });

  it.each([
    ['an unknown kind', { '--estimator': 'grpc' }, '--estimator grpc is none of scheduler-estimator, pods, none'],
    [
      'its other options without it',
      { '--estimator': 'pods' },
      '--estimator-address is for --estimator scheduler-estimator',
    ],
    [
      'an address without a port',
      { '--estimator-address': 'estimators.example' },
      'is not HOST:PORT; write for example',
    ],
    ['an address that is a URL', { '--estimator-address': 'https://estimators.example:10352' }, 'is not HOST:PORT'],
    ['a missing file', { '--estimator-ca': '/no/such/file' }, '--estimator-ca /no/such/file cannot be read (ENOENT)'],
  ])('rejects %s before the hub issues a token', async (_, over, description) => {
    const { error } = await add(...(await grpc(over)));
    expect([error, hub.asked]).toEqual([expect.stringContaining(description) as string, []]);
  });

  it('rejects a key that does not match the certificate, without printing it', async () => {
    const { stranger } = await identities();
    const { error } = await add(...(await grpc({ '--estimator-key': file('other.pem', stranger.key) })));
    expect(error).toBe(
      '--estimator-cert and --estimator-key are not a certificate and its key; give PEM files that go together',
    );
  });

  it('names the option that is missing', async () => {
    const { error } = await add('--estimator', 'scheduler-estimator', '--estimator-address', address);
    expect(error).toContain('--estimator scheduler-estimator needs --estimator-ca');
  });
});

describe('hub set', () => {
  const [a, b] = ['/aws/eks/a/cluster', '/aws/eks/b/cluster'];

  it('changes exactly the given features, and keeps all else without a request to the hub', async () => {
    await add('--policies', '--audit-log-group', a);
    const before = await record();
    const requests = hub.seen.length;
    const { error, out } = await evenkeel('set', 'karmada', '--scheduler', '--create-rebalancers');
    expect([error, hub.seen.length]).toEqual([undefined, requests]);
    expect(await record()).toEqual({ ...before, features: ['scheduler', 'createRebalancers'], revision: 2 });
    expect(out).toBe(
      'Hub karmada is changed (revision 2); running functions use it within seconds.\n' +
        'Features: --scheduler, --create-rebalancers. Off: --policies, --graceful-reduction, --elastic-workloads; resync does not list their objects. ' +
        'If the hub uses one, name all of its features: evenkeel hub set karmada --scheduler --create-rebalancers --policies\n',
    );
  });

  it('moves the subscription to another log group, and deletes it with none', async () => {
    await add('--audit-log-group', a);
    await evenkeel('set', 'karmada', '--audit-log-group', b);
    expect([(await record())?.auditLogGroup, ...account.filters.keys()]).toEqual([b, `${b} evenkeel-karmada`]);
    await evenkeel('set', 'karmada', '--audit-log-group', 'none');
    expect([(await record())?.auditLogGroup, account.filters.size]).toEqual([undefined, 0]);
  });

  it('registers the callers of a connection that was changed by hand', async () => {
    await add();
    store({ ...held(), hookTokens: [], hookSubjects: ['CN=karmada-apiserver'] });
    await evenkeel('set', 'karmada');
    expect(await callers()).toEqual({ ...none, subjects: ['CN=karmada-apiserver'] });
  });

  it('continues where it failed: the record names the log group before the subscription exists', async () => {
    await add();
    secrets.onCall = ({ operation }) =>
      operation === 'PutSubscriptionFilter' ? { error: 'AccessDeniedException' } : undefined;
    const { error } = await evenkeel('set', 'karmada', '--audit-log-group', a);
    expect(error).toMatch(/^hub karmada is changed in part: CloudWatch Logs: AccessDeniedException: .*; run it again$/);
    secrets.onCall = undefined;
    await evenkeel('set', 'karmada', '--audit-log-group', a);
    expect([...account.filters.keys()]).toEqual([`${a} evenkeel-karmada`]);
  });

  it('rejects a log group of another hub, and subscribes to nothing', async () => {
    await account.registry.write({ ...storedHub({ name: 'edge', auditLogGroup: a }) }, 0);
    await add();
    const { error } = await evenkeel('set', 'karmada', '--audit-log-group', a);
    expect(error).toContain('is that of hub edge; a log is of one hub');
    expect(account.filters.size).toBe(0);
  });

  it('rejects a hub that was not added', async () => {
    const { error } = await evenkeel('set', 'karmada', '--policies');
    expect(error).toBe(
      'deployment evenkeel has no hub karmada with a connection; evenkeel hub add karmada connects it',
    );
  });
});

describe('hub remove', () => {
  const recovery = () => secrets.endpoint.calls.filter(({ operation }) => operation === 'DeleteSecret');

  it('does nothing without --yes', async () => {
    await add();
    const before = [held(), await record()];
    const { error } = await evenkeel('remove', 'karmada');
    expect([held(), await record()]).toEqual(before);
    expect(error).toContain('confirm with --yes');
  });

  it('deletes the record, the subscription and the secret, and prints what is left', async () => {
    await add('--audit-log-group', '/aws/eks/karmada/cluster');
    const { error, out } = await evenkeel('remove', 'karmada', '--yes');
    expect([error, await record(), account.filters.size]).toEqual([undefined, undefined, 0]);
    expect(recovery().map(({ input }) => input)).toEqual([
      { SecretId: 'evenkeel/evenkeel/hubs/karmada', RecoveryWindowInDays: 7 },
    ]);
    expect([...secrets.all.values()].filter(({ deleted }) => deleted)).toHaveLength(1);
    for (const line of [
      'evenkeel/evenkeel/hubs/karmada can be restored for 7 days',
      'one-time schedules: each fires once',
      'kubectl delete serviceaccount -n evenkeel evenkeel',
    ])
      expect(out).toContain(line);
  });

  it('deletes the secret at once with --now, also if it is scheduled for deletion', async () => {
    await add();
    await evenkeel('remove', 'karmada', '--yes');
    const { error, out } = await evenkeel('remove', 'karmada', '--yes', '--now');
    expect([error, isStored()]).toEqual([undefined, false]);
    expect(out).toContain('evenkeel/evenkeel/hubs/karmada is deleted');
  });

  it('can be repeated', async () => {
    await add();
    const runs = [await evenkeel('remove', 'karmada', '--yes'), await evenkeel('remove', 'karmada', '--yes')];
    expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(await account.registry.list()).toEqual([]);
  });

  it('reports the secret that is left if its deletion failed, and deletes it when it runs again', async () => {
    await add();
    secrets.onCall = ({ operation }) => (operation === 'DeleteSecret' ? { error: 'AccessDeniedException' } : undefined);
    const { error } = await evenkeel('remove', 'karmada', '--yes');
    expect(error).toMatch(
      /^hub karmada is removed, and its secret evenkeel\/evenkeel\/hubs\/karmada with its credential is left: .*; run it again$/,
    );
    expect(await record()).toBeUndefined();
    secrets.onCall = undefined;
    expect((await evenkeel('remove', 'karmada', '--yes')).error).toBeUndefined();
    expect([...secrets.all.values()].filter(({ deleted }) => deleted)).toHaveLength(1);
  });

  it('rejects an unknown hub', async () => {
    const { error } = await evenkeel('remove', 'x', '--yes');
    expect(error).toBe('deployment evenkeel has no hub x, and no secret of it');
  });
});

describe('hub migrate', () => {
  const hookTokens = ['a'.repeat(16)];
  const connection = { server: 'https://k.example', token: 'old', account: 'us', hookTokens };
  const paused = { since: '2026-11-21T10:00:00Z', reason: 'a rollout', by: 'claimed:bob' };

  beforeEach(() => {
    secrets.make('arn:karmada', tags('karmada'), 'arn:key');
    secrets.set('arn:karmada', JSON.stringify({ ...connection, paused }));
    secrets.make('arn:empty', tags('empty'), 'arn:key');
    secrets.set('arn:theirs', JSON.stringify(connection));
  });

  const words = async () =>
    (await evenkeel('migrate')).out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));

  it('copies connections before the deploy, with the key that exists by then, and registers them after it', async () => {
    account.unknown = ['getHub', 'registerHub'];
    expect(await words()).toEqual([
      ['empty', 'nothing to copy', 'not registered: run it again after cdk deploy'],
      ['karmada', 'copied to evenkeel/evenkeel/hubs/karmada', 'not registered: run it again after cdk deploy'],
    ]);
    expect([held().token, process.exitCode]).toEqual(['old', 1]);
    expect([...secrets.all.values()].at(-1)?.key).toBe('arn:key');
    account.unknown = [];
    expect((await words())[1]).toEqual(['karmada', 'copied already', 'registered, and paused as before']);
    expect(await record()).toMatchObject({ server: 'https://k.example', account: 'us', pause, revision: 1 });
    expect(hasCaller(await callers(), { bearer: hookTokens[0] ?? '', subject: '' })).toBe(true);
  });

  it('copies a token that was renewed between two runs, and changes nothing once the hub is registered', async () => {
    account.unknown = ['getHub', 'registerHub'];
    await words();
    secrets.set('arn:karmada', JSON.stringify({ ...connection, token: 'renewed' }));
    await words();
    expect(held().token).toBe('renewed');
    account.unknown = [];
    await words();
    secrets.set('arn:karmada', JSON.stringify({ ...connection, token: 'stale' }));
    expect((await words())[1]).toEqual(['karmada', 'not copied: it is registered', 'registered already']);
    expect([held().token, (await record())?.revision]).toEqual(['renewed', 1]);
  });

  it('names the hubs that are registered without features, also when it runs again, until they have one', async () => {
    store(connection, 'edge');
    const named = async () =>
      (await evenkeel('migrate')).out.match(/^Registered without features: (.*)\. Resync/m)?.[1];
    expect([await named(), await named()]).toEqual(['edge, karmada', 'edge, karmada']);
    await evenkeel('set', 'edge', '--policies');
    expect(await named()).toBe('karmada');
    await evenkeel('set', 'karmada', '--scheduler');
    expect(await named()).toBeUndefined();
  });

  it('registers a connection that was stored by hand', async () => {
    store(connection, 'edge');
    expect((await words()).find(([name]) => name === 'edge')).toEqual(['edge', 'nothing to copy', 'registered']);
    expect(await record('edge')).toMatchObject({ server: 'https://k.example', revision: 1 });
  });

  it('reports a hub that it cannot register, and goes on with the others', async () => {
    store({ server: 'http://plain.example' }, 'broken');
    const rows = await words();
    expect(rows[0]?.[1]).toContain('failed: the connection of hub broken cannot be used: server must be https');
    expect(rows.slice(0, 3).map(([name]) => name)).toEqual(['broken', 'empty', 'karmada']);
    expect([(await record())?.state, process.exitCode]).toEqual(['Active', 1]);
  });
});

describe('hub list', () => {
  beforeEach(async () => {
    const records = [
      storedHub({ name: 'karmada', server: 'https://k.example', features: ['policies', 'scheduler'], revision: 4 }),
      storedHub({ name: 'prod-b', pause }),
      storedHub({ name: 'prod-a', state: 'Removing' }),
      storedHub({ name: 'prod-c' }),
    ];
    for (const each of records) await account.registry.write(each, 0);
  });

  it('shows the record and the reach of each hub, those that need attention first', async () => {
    const { out } = await evenkeel('list');
    const server = 'https://karmada.example:6443';
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['HUB', 'STATE', 'SERVER', 'FEATURES', 'REACH', 'LAST-COMPARED', 'PAUSED', 'REVISION'],
      ['prod-b', 'Active', server, '-', 'Unreachable', '-', '2026-11-21T10:00:00Z', '1'],
      ['prod-c', 'Active', server, '-', 'Unreachable', '-', '-', '1'],
      ['karmada', 'Active', 'https://k.example', 'policies,scheduler', 'NotCompared', '-', '-', '1'],
      ['prod-a', 'Removing', server, '-', 'Unreachable', '-', '-', '1'],
    ]);
  });

  it('shows the hubs whose name contains a text, and prints the same as JSON and as names', async () => {
    expect((await evenkeel('list', 'prod', '-o', 'name')).out).toBe('hub/prod-b\nhub/prod-c\nhub/prod-a\n');
    const rows = JSON.parse((await evenkeel('list', 'karm', '-o', 'json')).out) as HubRecord[];
    expect(rows).toMatchObject([{ name: 'karmada', features: ['policies', 'scheduler'] }]);
    expect((await evenkeel('list', 'x-y')).out).toBe('The deployment has no hub whose name contains "x-y".\n');
  });
});
