/** `evenkeel hub add|list|remove` as a person types them, on secrets and hubs over the wire. */
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
} from '../../shared/adapters/secrets-manager/access-list.ts';
import { reviewKeyOf } from '../../shared/adapters/secrets-manager/review-key.ts';
import { Fault } from '../../shared/model/fault.ts';
import { jwt } from '../builders.ts';
import { identities } from '../fakes/estimator-identities.ts';
import { type FakeSecrets, startFakeSecrets } from '../fakes/secrets-manager.ts';
import { startTokenHub, type TokenHub } from '../fakes/token-hub.ts';

const folder = mkdtempSync(join(tmpdir(), 'hub-connections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tags = (hub: string, deployment = 'evenkeel') => ({ 'evenkeel:hub': hub, 'evenkeel:deployment': deployment });
const accessTags = (hub: string) => ({ 'evenkeel:hook-access': hub, 'evenkeel:deployment': 'evenkeel' });
/** As the kubeconfig of the practice hub has it: without it, client libraries speak no plain HTTP. */
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
  /** What kept it from its work. */
  readonly said: string | undefined;
  readonly out: string;
}

async function evenkeel(...args: readonly string[]): Promise<Ran> {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await program().parseAsync(['hub', ...args], { from: 'user' });
    return { said: undefined, out: written.join('') };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { said: thrown.message, out: written.join('') };
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

/** The access list of karmada, as the hook reads it. */
function accessList(arn = 'arn:karmada-access'): AccessList {
  return parseAccessList('karmada', secrets.get(arn));
}

describe('the access list of a hub', () => {
  it('is written by hub add beside the connection, and lets in the hook token of the connection and no other', async () => {
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

  it('is written by hub allow-callers from a connection that was written by hand, without asking the hub', async () => {
    const hookTokens = ['a'.repeat(16)];
    secrets.set('arn:karmada', JSON.stringify({ server: hub.url, hookTokens, hookSubjects: ['CN=x'], account: 'us' }));
    const { said, out } = await evenkeel('allow-callers', 'karmada');
    expect([said, hub.seen]).toEqual([undefined, []]);
    expect(out).toContain('Hub karmada: the hook accepts 1 hook tokens and 1 certificate subjects');
    expect(accessList()).toEqual(accessListOf('karmada', { hookTokens, hookSubjects: ['CN=x'], account: 'us' }));
  });

  it('is not written for a hub without a connection', async () => {
    const { said } = await evenkeel('allow-callers', 'karmada');
    expect(said).toBe('hub karmada has no connection yet; evenkeel hub add makes one');
    expect(secrets.get('arn:karmada-access')).toBeUndefined();
  });

  it('may be in a secret that is named', async () => {
    await add('--hook-access', 'arn:unrelated');
    expect(accessList('arn:unrelated').hookTokenDigests).toHaveLength(1);
    expect(secrets.get('arn:karmada-access')).toBeUndefined();
  });

  it('needs its secret before the hub is asked for a token: a deployment from before has none', async () => {
    secrets.make('arn:old', tags('old'));
    const { said } = await evenkeel('add', 'old', '--kubeconfig', kubeconfig);
    expect(said).toMatch(/^deployment evenkeel has no access list of hub old \(it has: edge, karmada\); deploy Even/);
    expect(hub.asked).toEqual([]);
  });
});

describe('hub add', () => {
  it('has the hub make a token for the ServiceAccount, tries it, and puts it into the secret of that hub alone', async () => {
    const { said, out } = await add('--token-hours', '24');
    expect(said).toBeUndefined();
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

  it('again renews the token, and keeps the hook tokens that are in use and what else is in the secret', async () => {
    await add();
    secrets.set(
      'arn:karmada',
      JSON.stringify({ ...held(), hookSubjects: ['CN=x'], clientCertificateData: 'old', clientKeyData: 'old' }),
    );
    const before = held();
    expect((await add()).said).toBeUndefined();
    expect(held()).toMatchObject({ hookTokens: before.hookTokens, hookSubjects: ['CN=x'] });
    expect(held().token).not.toBe(before.token);
    expect(held()).not.toHaveProperty('clientKeyData');
  });

  it('keeps a new hook token in a file that only its owner reads, and the old one is valid beside it', async () => {
    secrets.set('arn:karmada', JSON.stringify({ server: hub.url, hookTokens: ['a'.repeat(16), 'b'.repeat(16)] }));
    const { out } = await add('--hook-token-file', hookTokenFile);
    const token = readFileSync(hookTokenFile, 'utf8').trim();
    expect(statSync(hookTokenFile).mode & 0o777).toBe(0o600);
    expect(held().hookTokens).toEqual([token, 'a'.repeat(16)]);
    expect(out).not.toContain(token);
    await add('--hook-token-file', hookTokenFile);
    expect(held().hookTokens).toEqual([token, 'a'.repeat(16)]);
  });

  it('takes another context, and then asks no other hub', async () => {
    const { said } = await evenkeel('add', 'edge', '--kubeconfig', kubeconfig, '--context', 'edge');
    expect([said, hub.seen]).toEqual([undefined, []]);
    expect(held('arn:edge').server).toBe(other.url);
  });

  it('may name the secret, and where the functions reach the hub', async () => {
    await add('--secret', 'arn:theirs', '--server', 'https://hub.example:5443');
    expect([held('arn:theirs').server, secrets.get('arn:karmada')]).toEqual(['https://hub.example:5443', undefined]);
  });

  it('with --eks makes no token and asks nobody: the functions sign their own', async () => {
    const { said, out } = await add('--eks', 'karmada-host', '--region', 'eu-west-1');
    expect([said, hub.seen]).toEqual([undefined, []]);
    expect(held()).toMatchObject({
      server: hub.url,
      eksCluster: { name: 'karmada-host', region: 'eu-west-1' },
      account: 'evenkeel',
    });
    expect(held()).not.toHaveProperty('token');
    expect(out).toContain('aws eks create-access-entry --cluster-name karmada-host');
  });

  it('says which command makes the ServiceAccount, where there is none, and writes nothing', async () => {
    hub.hasAccount = false;
    const { said } = await add();
    expect(secrets.get('arn:karmada')).toBeUndefined();
    expect(said).toBe(
      'ServiceAccount evenkeel/evenkeel not found on hub karmada; make it so with: evenkeel hub manifests ' +
        `--hub karmada --url HOOK_URL --account evenkeel/evenkeel --only rbac | kubectl --kubeconfig ${kubeconfig} apply -f -`,
    );
  });

  it('takes a hub of Open Cluster Management too, and no cluster that is neither', async () => {
    hub.unserved = ['workloadrebalancers'];
    expect((await add()).said).toBeUndefined();
    const before = held();
    hub.unserved = ['workloadrebalancers', 'elasticworkloads'];
    const { said } = await add();
    expect(said).toContain('hub karmada serves neither WorkloadRebalancers nor ElasticWorkloads; give the kubeconfig');
    expect(said).toContain('evenkeel hub manifests --elastic-workloads');
    expect(held()).toEqual(before);
  });

  it('tries the new token on the first kind that the hub serves', async () => {
    await add();
    const [token] = [...hub.valid].slice(1);
    expect(hub.seen.at(-1)).toBe(`GET /apis/apps.karmada.io/v1alpha1/workloadrebalancers?limit=1 ${token}`);
  });

  it('names the status and the kind where the account may not list it', async () => {
    hub.forbidden = ['workloadrebalancers'];
    expect((await add()).said).toContain(
      'hub karmada answered 403 when system:serviceaccount:evenkeel:evenkeel listed WorkloadRebalancers',
    );
    expect(held()).toEqual({});
  });

  it('rejects a server that is no hub with a terminal fault', async () => {
    hub.unserved = ['workloadrebalancers', 'elasticworkloads'];
    const add = program().parseAsync(['hub', 'add', 'karmada', '--kubeconfig', kubeconfig], { from: 'user' });
    await expect(add).rejects.toMatchObject({ retryClass: 'terminal', reason: 'NotAHub' });
  });

  it('leaves what somebody else writes meanwhile', async () => {
    secrets.set('arn:karmada', '{}');
    secrets.onCall = ({ operation }) => {
      if (operation === 'PutSecretValue') secrets.set('arn:karmada', '{"theirs":true}');
    };
    const { said } = await add();
    expect(held()).toEqual({ theirs: true });
    expect(said).toContain('the secret of hub karmada was changed concurrently; run the command again');
  });

  it.each([
    ['hours that are none', ['--token-hours', '0'], '--token-hours "0" is not a whole number of hours from 1 to 8760'],
    ['an account without namespace', ['--account', 'x'], '--account "x" is not NAMESPACE/NAME'],
    ['a region without a cluster', ['--region', 'eu-west-1'], '--region eu-west-1 is for --eks'],
    ['a cluster without a region', ['--eks', 'c'], '--eks c needs the region of the cluster'],
    ['a region that is none', ['--eks', 'c', '--region', 'x'], 'eksCluster.region is not an AWS region'],
    ['a context that is not there', ['--context', 'x'], 'it has no context "x" (it has: karmada, edge)'],
    ['a file that is not there', ['--kubeconfig', '/none'], 'kubeconfig /none cannot be used: there is no such file'],
    ['a secret that is not there', ['--secret', 'arn:none'], 'there is no secret arn:none in this account and region'],
    ['a deployment that is not there', ['--deployment', 'x'], 'deployment x has no hub karmada (it has: none)'],
    ['a server in the clear', ['--server', 'http://hub.example'], 'server must be https'],
    ['a file that is no token', ['--hook-token-file', '/dev/null'], '--hook-token-file /dev/null holds no token'],
  ])('refuses %s in one line, and writes nothing', async (_, args, description) => {
    const { said, out } = await add(...args);
    expect(out).toBe('');
    expect(said).toContain(description);
    expect(said).not.toContain('\n');
    expect(secrets.get('arn:karmada')).toBeUndefined();
  });

  it('says that the person may not, in the words of the hub, without the token', async () => {
    hub.valid.clear();
    const { said } = await add();
    expect(said).toBe('the hub answered 401 to get ServiceAccount evenkeel/evenkeel: Unauthorized');
  });

  it('does not overwrite a secret that holds something else', async () => {
    secrets.set('arn:karmada', 'password: hunter2');
    const { said } = await add();
    expect(secrets.get('arn:karmada')).toBe('password: hunter2');
    expect(said).not.toContain('hunter2');
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

  it('keeps where the estimators are and by what we are known to them, and shows none of it', async () => {
    const { known } = await identities();
    const { said, out } = await add(...(await grpc()));
    expect(said).toBeUndefined();
    const pem = { caData: known.cert, certificateData: known.cert, keyData: known.key };
    expect(held().estimator).toEqual({ kind: 'scheduler-estimator', address, ...pem });
    expect(out).not.toContain('PRIVATE KEY');
    expect((await evenkeel('list')).out).toMatch(/^karmada .* token +scheduler-estimator /m);
  });

  it('stays as it is when the hub is added again without it, and goes with none', async () => {
    const { out } = await add('--estimator', 'pods');
    expect(out).toContain('evenkeel hub manifests --count-pods');
    await add();
    expect(held().estimator).toEqual({ kind: 'pods' });
    await add('--estimator', 'none');
    expect(held()).not.toHaveProperty('estimator');
  });

  it('goes with everything else that opens a hub', async () => {
    await add(...(await grpc()));
    expect(secrets.get('arn:karmada')).toContain('PRIVATE KEY');
    await evenkeel('remove', 'karmada', '--yes');
    expect(secrets.get('arn:karmada')).not.toContain('PRIVATE KEY');
  });

  it.each([
    ['a kind that is none', { '--estimator': 'grpc' }, '--estimator grpc is none of scheduler-estimator, pods, none'],
    ['its parts without it', { '--estimator': 'pods' }, '--estimator-address is for --estimator scheduler-estimator'],
    ['no port', { '--estimator-address': 'estimators.example' }, 'is not HOST:PORT; write for example'],
    ['a URL', { '--estimator-address': 'https://estimators.example:10352' }, 'is not HOST:PORT'],
    [
      'a file that is not there',
      { '--estimator-ca': '/no/such/file' },
      '--estimator-ca /no/such/file cannot be read (ENOENT)',
    ],
  ])('with %s is refused before the hub is asked for a token', async (_, over, description) => {
    const { said } = await add(...(await grpc(over)));
    expect([said, hub.asked]).toEqual([expect.stringContaining(description) as string, []]);
  });

  it('with a key that is not of the certificate is refused, and none of it is shown', async () => {
    const { stranger } = await identities();
    const { said } = await add(...(await grpc({ '--estimator-key': file('other.pem', stranger.key) })));
    expect(said).toBe(
      '--estimator-cert and --estimator-key are not a certificate and its key; give PEM files that go together',
    );
  });

  it('that lacks a part says which', async () => {
    const { said } = await add('--estimator', 'scheduler-estimator', '--estimator-address', address);
    expect(said).toContain('--estimator scheduler-estimator needs --estimator-ca');
  });
});

describe('a hub that is paused', () => {
  it('stays so when it is added again, with another token', async () => {
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

  it('shows each hub of the deployment, its server, its credential and when that ends, and no secret', async () => {
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

  it('says that there are none', async () => {
    const { out } = await evenkeel('list', '--deployment', 'nobody');
    expect(out).toBe('Deployment nobody has no hubs in this account and region.\n');
  });
});

describe('hub remove', () => {
  it('asks for --yes, and does nothing without', async () => {
    await add();
    const before = secrets.get('arn:karmada');
    const { said } = await evenkeel('remove', 'karmada');
    expect(secrets.get('arn:karmada')).toBe(before);
    expect(said).toContain('confirm with --yes');
  });

  it('takes the credential and the hook tokens out, and says what is left to do', async () => {
    await add();
    const { said, out } = await evenkeel('remove', 'karmada', '--yes');
    expect([said, held()]).toEqual([undefined, { server: hub.url, hookTokens: [] }]);
    expect(out).toContain('kubectl delete serviceaccount -n evenkeel evenkeel');
    expect((await evenkeel('list')).out).toMatch(/^karmada +http:\S+ +none +- /m);
  });

  it('refuses a hub that is not there', async () => {
    const { said } = await evenkeel('remove', 'x', '--yes');
    expect(said).toMatch(/^deployment evenkeel has no hub x \(it has: edge, karmada\); /);
  });
});
