/** `evenkeel get policies`, `get drains` and `-l`, on a hub with a drained cluster; and `evenkeel version`. */
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { VERSION } from '../../../shared/core/version.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { PolicyWorld } from '../../functions/rebalance-policy/scene.ts';
import { evenkeel as command } from '../plan-scene.ts';
import { commandOnWorld } from './command-on-world.ts';

const members = ['member1', 'member2'].map((name) => ({ name, capacity: 60, readyDelayMs: 5000 }));
const evenkeelDev = { apiVersion: 'evenkeel.dev/v1alpha1' };

const evenkeel = commandOnWorld(async () => {
  const world = new PolicyWorld(members, { reductions: true, budgets: true });
  world.run('web', 6);
  await world.pass(60);
  const web = { namespace: 'shop', name: 'web' };
  world.store.patch('deployments', web, { type: 'merge', body: { metadata: { labels: { app: 'web' } } } }, user);
  const policy = { ...evenkeelDev, kind: 'RebalancePolicy', metadata: { name: 'home', labels: { team: 'a' } } };
  world.store.create(
    'rebalancepolicies',
    { ...policy, spec: { suspend: true, triggers: { clusterRecovered: { stableFor: '60s' } } } },
    user,
  );
  const drain = { ...evenkeelDev, kind: 'ClusterDrain', metadata: { name: 'maintenance' } };
  world.store.create('clusterdrains', { ...drain, spec: { cluster: 'member1' } }, user);
  const limits = [
    { per: 'Hub', replicas: '10' },
    { per: 'Cluster', replicas: '5', window: '1h', reasons: ['Drain'] },
    { per: 'Workload', replicas: '50%' },
  ];
  world.store.create(
    'movebudgets',
    { ...evenkeelDev, kind: 'MoveBudget', metadata: { name: 'fleet' }, spec: { limits } },
    user,
  );
  const body = { metadata: { labels: { region: 'eu' } } };
  world.store.patch('clusters', { namespace: '', name: 'member2' }, { type: 'merge', body }, user);
  await world.pass(120);
  return world;
});

const lines = async (...args: readonly string[]) =>
  (await evenkeel(...args))
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('evenkeel get policies', () => {
  it('lists the RebalancePolicies with their states', async () => {
    expect(await lines('get', 'policies')).toEqual([
      ['NAME', 'STATE', 'LAST RUN', 'WAVES', 'MOVED', 'MESSAGE'],
      ['home', 'Suspended', '-', '-', '-', expect.any(String)],
    ]);
    expect(await evenkeel('get', 'policy', 'home', '-o', 'jsonpath={.policies[*].suspended}')).toBe('true\n');
  });
});

describe('evenkeel get drains', () => {
  it('lists the ClusterDrains, which the name of a cluster selects too', async () => {
    const [head, drain = [], ...more] = await lines('get', 'drains', 'member1');
    expect(head?.slice(0, 3)).toEqual(['NAME', 'CLUSTER', 'STATE']);
    expect([drain.slice(0, 2), more]).toEqual([['maintenance', 'member1'], []]);
    expect(await evenkeel('get', 'drains', '-o', 'jsonpath={.drains[*].lastRun.state}')).toBe('Finished\n');
  });
});

describe('evenkeel get budgets', () => {
  it('lists each limit with what it allows now: the drain has moved three replicas from member1', async () => {
    expect(await lines('get', 'budgets')).toEqual([
      ['NAME', 'PER', 'REPLICAS', 'WINDOW', 'COUNTS', 'LEFT'],
      ['fleet', 'Hub', '10', '-', 'all', '7'],
      ['fleet', 'Cluster', '5', '3600s', 'Drain', 'member1 2, member2 5'],
      ['fleet', 'Workload', '50%', '-', 'all', '-'],
    ]);
    expect(await evenkeel('get', 'budget', 'fleet', '-o', 'name')).toBe('budget/fleet\n'.repeat(3));
  });
});

describe('evenkeel get -l', () => {
  it.each([
    ['clusters', 'region=eu', ['cluster/member2']],
    ['clusters', 'region!=eu', ['cluster/member1']],
    ['policies', 'team in (a)', ['policy/home']],
    ['drains', 'team', ['']],
  ])('of %s with %s are those with the labels', async (thing, selector, names) => {
    expect((await evenkeel('get', thing, '-l', selector, '-o', 'name')).trimEnd().split('\n')).toEqual(names);
  });

  it('prints that none has the labels', async () => {
    expect(await evenkeel('get', 'policies', '-l', 'team=b')).toBe('No policies have these labels.\n');
  });

  it('of workloads are those whose own labels match', async () => {
    expect(await evenkeel('get', 'workloads', '-A', '-l', 'app=web', '-o', 'name')).toBe(
      'binding/shop/web-deployment\n',
    );
    expect(await evenkeel('get', 'workloads', '-A', '-l', 'app=other')).toBe('No workloads have these labels.\n');
  });
});

describe('evenkeel version', () => {
  it('is that of the package', () => {
    expect(VERSION).toBe(packageJson.version);
  });

  it('prints the versions of the command and of the server', async () => {
    expect(await evenkeel('version')).toBe(`Client: ${VERSION}\nServer: ${VERSION}\n`);
    expect(JSON.parse(await evenkeel('version', '-o', 'json'))).toEqual({
      clientVersion: VERSION,
      serverVersion: VERSION,
    });
  });

  it('prints that of the command, and exits with 2, if no server responds', async () => {
    const { code, out, errors } = await command('version', '--api', 'http://127.0.0.1:9');
    expect([code, out]).toEqual([2, `Client: ${VERSION}\n`]);
    expect(errors).toEqual([expect.stringMatching(/^no server version: no response from http:\/\/127\.0\.0\.1:9; /)]);
  });

  it('calls nothing with --client', async () => {
    const { code, out } = await command('version', '--client', '-o', 'yaml', '--api', 'http://127.0.0.1:9');
    expect([code, out]).toEqual([0, `clientVersion: ${VERSION}\n`]);
  });
});
