/** `evenkeel hub add|list|remove`, on fakes of Secrets Manager and of hubs over HTTP. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { program } from '../../cli/main.ts';
import {
  type AccessList,
  accessListOf,
  hasCaller,
  hasReviewKey,
  parseAccessList,
} from '../../shared/aws/secrets-manager/access-list.ts';
import { Fault } from '../../shared/core/fault.ts';
import { reviewKeyOf } from '../../shared/kubernetes/hook-callers.ts';
import { jwt } from '../builders.ts';
import { identities } from '../fakes/estimator-identities.ts';
import { type FakeSecrets, startFakeSecrets } from '../fakes/secrets-manager.ts';
import { startTokenHub, type TokenHub } from '../fakes/token-hub.ts';

const folder = mkdtempSync(join(tmpdir(), 'hub-connections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tags = (hub: string, deployment = 'evenkeel') => ({ 'evenkeel:hub': hub, 'evenkeel:deployment': deployment });
const accessTags = (hub: string) => ({ 'evenkeel:hook-access': hub, 'evenkeel:deployment': 'evenkeel' });
/** Like the kubeconfig of the practice hub: without it, client libraries reject plain HTTP. */
const plain = { 'insecure-skip-tls-verify': true };
const kubeconfig = join(folder, 'kubeconfig');
const hookTokenFile = join(folder, 'hook-token');
let secrets: FakeSecrets;
let hub: TokenHub;
let other: TokenHub;

beforeEach(async () => {
  [secrets, hub, other] = await Promise.all([startFakeSecrets(), startTokenHub('admin'), startTokenHub('other-admin')]);
  secrets.make('arn:theirs', tags('karmada', 'another'));
  secrets.make('arn:unrelated', { team: 'x' });
  secrets.make('arn:karmada', tags('karmada'));
  secrets.make('arn:edge', tags('edge'));
  for (const name of ['karmada', 'edge']) secrets.make(`arn:${name}-access`, accessTags(name));
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
  vi.unstubAllEnvs();
  await Promise.all([secrets.endpoint.close(), hub.close(), other.close()]);
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

function held(arn = 'arn:karmada'): Record<string, unknown> {
  return JSON.parse(secrets.get(arn) ?? '{}') as Record<string, unknown>;
}

/** The access list of karmada, as the hook parses it. */
function accessList(arn = 'arn:karmada-access'): AccessList {
  return parseAccessList('karmada', secrets.get(arn));
}

describe('the access list of a hub', () => {
  it('is written by hub add next to the connection, and accepts only the hook token of the connection', async () => {
    await add('--hook-token-file', hookTokenFile);
    const bearer = readFileSync(hookTokenFile, 'utf8').trim();
    expect(hasCaller(accessList(), { bearer, subject: '' })).toBe(true);
    expect(hasCaller(accessList(), { bearer: 'another-token-of-some-length', subject: '' })).toBe(false);
    expect(hasReviewKey(accessList(), reviewKeyOf('karmada', bearer))).toBe(true);
    expect(accessList().account).toBe('system:serviceaccount:evenkeel:evenkeel');
    for (const secret of [bearer, String(held().token)])
      expect(secrets.get('arn:karmada-access')).not.toContain(secret);
    expect(secrets.get('arn:edge-access')).toBeUndefined();
  });

  it('rejects every caller after hub remove', async () => {
    await add('--hook-token-file', hookTokenFile);
    const bearer = readFileSync(hookTokenFile, 'utf8').trim();
    await evenkeel('remove', 'karmada', '--yes');
    expect(hasCaller(accessList(), { bearer, subject: '' })).toBe(false);
  });

  it('is written by hub allow-callers for a connection that was written by hand, without a request to the hub', async () => {
    const hookTokens = ['a'.repeat(16)];
    secrets.set('arn:karmada', JSON.stringify({ server: hub.url, hookTokens, hookSubjects: ['CN=x'], account: 'us' }));
    const { error, out } = await evenkeel('allow-callers', 'karmada');
    expect([error, hub.seen]).toEqual([undefined, []]);
    expect(out).toContain('Hub karmada: the hook accepts 1 hook tokens and 1 certificate subjects');
    expect(accessList()).toEqual(accessListOf('karmada', { hookTokens, hookSubjects: ['CN=x'], account: 'us' }));
  });

  it('is not written for a hub without a connection', async () => {
    const { error } = await evenkeel('allow-callers', 'karmada');
    expect(error).toBe('hub karmada has no connection yet; evenkeel hub add makes one');
    expect(secrets.get('arn:karmada-access')).toBeUndefined();
  });

  it('can be in a secret that --hook-access names', async () => {
    await add('--hook-access', 'arn:unrelated');
    expect(accessList('arn:unrelated').hookTokenDigests).toHaveLength(1);
    expect(secrets.get('arn:karmada-access')).toBeUndefined();
  });

  it('needs its secret before the hub issues a token: deployments of earlier versions have none', async () => {
    secrets.make('arn:old', tags('old'));
    const { error } = await evenkeel('add', 'old', '--kubeconfig', kubeconfig);
    expect(error).toMatch(/^deployment evenkeel has no access list of hub old \(it has: edge, karmada\); deploy Even/);
    expect(hub.asked).toEqual([]);
  });
});

describe('hub add', () => {
  it('creates a token for the ServiceAccount, tests it, and writes it to the secret of that hub only', async () => {
    const { error, out } = await add('--token-hours', '24');
    expect(error).toBeUndefined();
    const [, token] = [...hub.valid];
    const { hookTokens, ...rest } = held();
    expect(rest).toEqual({ server: hub.url, token, account: 'system:serviceaccount:evenkeel:evenkeel' });
    expect(hookTokens).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(hub.asked).toEqual([24 * 3600]);
    expect(hub.seen.at(-1)).toBe(`GET /apis/apps.karmada.io/v1alpha1/workloadrebalancers?limit=1 ${token}`);
    expect([secrets.get('arn:edge'), secrets.get('arn:theirs')]).toEqual([undefined, undefined]);
    expect(out).toContain(`the functions reach ${hub.url} as system:serviceaccount:evenkeel:evenkeel`);
    for (const secret of [token, (hookTokens as string[])[0], 'admin']) expect(out).not.toContain(secret);
  });

  it('renews the token when it runs again, and keeps the hook tokens and the other fields of the secret', async () => {
    await add();
    secrets.set(
      'arn:karmada',
      JSON.stringify({ ...held(), hookSubjects: ['CN=x'], clientCertificateData: 'old', clientKeyData: 'old' }),
    );
    const before = held();
    expect((await add()).error).toBeUndefined();
    expect(held()).toMatchObject({ hookTokens: before.hookTokens, hookSubjects: ['CN=x'] });
    expect(held().token).not.toBe(before.token);
    expect(held()).not.toHaveProperty('clientKeyData');
  });

  it('writes a new hook token to a file with mode 0600, and keeps the old one valid', async () => {
    secrets.set('arn:karmada', JSON.stringify({ server: hub.url, hookTokens: ['a'.repeat(16), 'b'.repeat(16)] }));
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
    expect(held('arn:edge').server).toBe(other.url);
  });

  it('accepts the secret, and the address at which the functions reach the hub', async () => {
    await add('--secret', 'arn:theirs', '--server', 'https://hub.example:5443');
    expect([held('arn:theirs').server, secrets.get('arn:karmada')]).toEqual(['https://hub.example:5443', undefined]);
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
    expect(secrets.get('arn:karmada')).toBeUndefined();
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
    expect(held()).toEqual({});
  });

  it('rejects a server that is no hub with a terminal fault', async () => {
    hub.unserved = ['workloadrebalancers', 'elasticworkloads'];
    const add = program().parseAsync(['hub', 'add', 'karmada', '--kubeconfig', kubeconfig], { from: 'user' });
    await expect(add).rejects.toMatchObject({ retryClass: 'terminal', reason: 'NotAHub' });
  });

  it('keeps a concurrent write to the secret', async () => {
    secrets.set('arn:karmada', '{}');
    secrets.onCall = ({ operation }) => {
      if (operation === 'PutSecretValue') secrets.set('arn:karmada', '{"theirs":true}');
    };
    const { error } = await add();
    expect(held()).toEqual({ theirs: true });
    expect(error).toContain('the secret of hub karmada was changed concurrently; run the command again');
  });

  it.each([
    ['invalid hours', ['--token-hours', '0'], '--token-hours "0" is not a whole number of hours from 1 to 8760'],
    ['an account without a namespace', ['--account', 'x'], '--account "x" is not NAMESPACE/NAME'],
    ['a region without a cluster', ['--region', 'eu-west-1'], '--region eu-west-1 is for --eks'],
    ['a cluster without a region', ['--eks', 'c'], '--eks c needs the region of the cluster'],
    ['an invalid region', ['--eks', 'c', '--region', 'x'], 'eksCluster.region is not an AWS region'],
    ['an unknown context', ['--context', 'x'], 'it has no context "x" (it has: karmada, edge)'],
    ['a missing file', ['--kubeconfig', '/none'], 'kubeconfig /none cannot be used: there is no such file'],
    ['an unknown secret', ['--secret', 'arn:none'], 'there is no secret arn:none in this account and region'],
    ['an unknown deployment', ['--deployment', 'x'], 'deployment x has no hub karmada (it has: none)'],
    ['a server with plain HTTP', ['--server', 'http://hub.example'], 'server must be https'],
    ['a file without a token', ['--hook-token-file', '/dev/null'], '--hook-token-file /dev/null holds no token'],
  ])('rejects %s with one line, and writes nothing', async (_, args, description) => {
    const { error, out } = await add(...args);
    expect(out).toBe('');
    expect(error).toContain(description);
    expect(error).not.toContain('\n');
    expect(secrets.get('arn:karmada')).toBeUndefined();
  });

  it('reports the message of the hub for an unauthorized user, without the token', async () => {
    hub.valid.clear();
    const { error } = await add();
    expect(error).toBe('the hub answered 401 to get ServiceAccount evenkeel/evenkeel: Unauthorized');
  });

  it('keeps a secret that is no connection', async () => {
    secrets.set('arn:karmada', 'password: hunter2');
    const { error } = await add();
    expect(secrets.get('arn:karmada')).toBe('password: hunter2');
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
    expect((await evenkeel('list')).out).toMatch(/^karmada .* token +scheduler-estimator /m);
  });

  it('is kept when the hub is added again without it, and removed with none', async () => {
    const { out } = await add('--estimator', 'pods');
    expect(out).toContain('evenkeel hub manifests --count-pods');
    await add();
    expect(held().estimator).toEqual({ kind: 'pods' });
    await add('--estimator', 'none');
    expect(held()).not.toHaveProperty('estimator');
  });

  it('is removed with all other credentials by hub remove', async () => {
    await add(...(await grpc()));
    expect(secrets.get('arn:karmada')).toContain('PRIVATE KEY');
    await evenkeel('remove', 'karmada', '--yes');
    expect(secrets.get('arn:karmada')).not.toContain('PRIVATE KEY');
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

describe('a paused hub', () => {
  it('stays paused when it is added again with another token', async () => {
    await add();
    const paused = { since: '2026-11-18T10:00:00Z', reason: 'a rollout' };
    const { token } = held();
    secrets.set('arn:karmada', JSON.stringify({ ...held(), paused }));
    await add();
    expect(held().paused).toEqual(paused);
    expect(held().token).not.toBe(token);
  });
});

describe('hub list', () => {
  beforeEach(() => {
    const token = jwt({ sub: 'system:serviceaccount:a:b', iat: 0, exp: Date.parse('2026-11-23T10:00:00Z') / 1000 });
    secrets.set(
      'arn:karmada',
      JSON.stringify({ server: 'https://k.example', token, hookTokens: ['h'.repeat(16)], estimator: { kind: 'pods' } }),
    );
    secrets.make('arn:eks', tags('a-eks'));
    const paused = { since: '2026-11-18T10:00:00Z', reason: 'a rollout' };
    const eksCluster = { name: 'c', region: 'eu-west-1' };
    secrets.set('arn:eks', JSON.stringify({ server: 'https://e.example', eksCluster, paused }));
    secrets.make('arn:broken', tags('broken'));
    secrets.set('arn:broken', 'hunter2');
  });

  it('shows the server, the credential and its expiry of each hub of the deployment, and no secret', async () => {
    const { out } = await evenkeel('list');
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['HUB', 'SERVER', 'CREDENTIAL', 'ESTIMATOR', 'EXPIRES', 'PAUSED', 'CHANGED'],
      ['a-eks', 'https://e.example', 'EKS', '-', 'never', '2026-11-18T10:00:00Z', '2026-11-18T11:06:40Z'],
      ['broken', '-', 'unreadable', '-', '-', '-', '2026-11-18T11:06:40Z'],
      ['edge', '-', 'none', '-', '-', '-', '2026-11-18T11:06:40Z'],
      ['karmada', 'https://k.example', 'token', 'pods', '2026-11-23T10:00:00Z', '-', '2026-11-18T11:06:40Z'],
      [''],
    ]);
    for (const secret of ['hhhh', 'hunter2', 'eyJ']) expect(out).not.toContain(secret);
  });

  it('prints the same as JSON', async () => {
    const rows = JSON.parse((await evenkeel('list', '-o', 'json')).out) as { hub: string; expires: string }[];
    expect(rows.map(({ hub: name, expires }) => [name, expires])).toEqual([
      ['a-eks', 'never'],
      ['broken', ''],
      ['edge', ''],
      ['karmada', '2026-11-23T10:00:00Z'],
    ]);
  });

  it('prints that the deployment has no hubs', async () => {
    const { out } = await evenkeel('list', '--deployment', 'unknown');
    expect(out).toBe('Deployment unknown has no hubs in this account and region.\n');
  });
});

describe('hub remove', () => {
  it('does nothing without --yes', async () => {
    await add();
    const before = secrets.get('arn:karmada');
    const { error } = await evenkeel('remove', 'karmada');
    expect(secrets.get('arn:karmada')).toBe(before);
    expect(error).toContain('confirm with --yes');
  });

  it('removes the credential and the hook tokens, and prints the remaining steps', async () => {
    await add();
    const { error, out } = await evenkeel('remove', 'karmada', '--yes');
    expect([error, held()]).toEqual([undefined, { server: hub.url, hookTokens: [] }]);
    expect(out).toContain('kubectl delete serviceaccount -n evenkeel evenkeel');
    expect((await evenkeel('list')).out).toMatch(/^karmada +http:\S+ +none +- /m);
  });

  it('rejects an unknown hub', async () => {
    const { error } = await evenkeel('remove', 'x', '--yes');
    expect(error).toMatch(/^deployment evenkeel has no hub x \(it has: edge, karmada\); /);
  });
});
