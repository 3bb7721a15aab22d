/** `evenkeel drain` and `evenkeel uncordon` on a hub over HTTP, with its members; the test writes the status that our functions would. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { user } from '../fakes/practice-fleet.ts';
import { evenkeel, type Ran } from './plan-scene.ts';
import { type RebalanceScene, startRebalanceScene } from './rebalance-scene.ts';

let scene: RebalanceScene;
const drain = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('drain', '--kubeconfig', scene.kubeconfig, ...args);
const uncordon = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('uncordon', '--kubeconfig', scene.kubeconfig, ...args);
const drains = () => scene.hub.store.list('clusterdrains');

interface Reported {
  readonly state?: string;
  readonly message?: string;
  readonly drained?: { readonly status: string; readonly reason: string; readonly message: string };
}

/** As our functions do for each new drain. */
function reporting({ state = 'Idle', message = '', drained }: Reported): void {
  const lastTransitionTime = '2026-11-21T10:00:00Z';
  const conditions = drained === undefined ? [] : [{ type: 'Drained', lastTransitionTime, ...drained }];
  scene.hub.store.onChange(({ type, plural, object: { metadata } }) => {
    if (plural !== 'clusterdrains' || type !== 'ADDED') return;
    const body = { status: { observedGeneration: metadata.generation, state, message, conditions } };
    const key = { namespace: '', name: metadata.name };
    scene.hub.store.patch('clusterdrains', key, { type: 'merge', body, subresource: 'status' }, user);
  });
}

beforeEach(async () => {
  scene = await startRebalanceScene(['web', 'api']);
});
afterEach(() => scene.close());

describe('evenkeel drain', () => {
  it('creates a ClusterDrain, and ends when its cluster is drained', async () => {
    const message = 'no workload has replicas on member2';
    reporting({ drained: { status: 'True', reason: 'NoReplicas', message } });
    const { code, out } = await drain('member2');
    expect([code, out]).toEqual([0, `clusterdrain.evenkeel.dev/member2 created\nmember2 is drained: ${message}\n`]);
    expect(drains().map(({ metadata, spec }) => [metadata.name, spec?.cluster])).toEqual([['member2', 'member2']]);
  });

  it('prints one document with -o json, and the progress on standard error', async () => {
    const message = 'no workload has replicas on member2';
    reporting({ drained: { status: 'True', reason: 'NoReplicas', message } });
    const { code, out, errors } = await drain('member2', '-o', 'json');
    expect([code, errors]).toEqual([
      0,
      ['clusterdrain.evenkeel.dev/member2 created', `member2 is drained: ${message}`],
    ]);
    expect(JSON.parse(out)).toEqual({ cluster: 'member2', drained: true, outcome: 'Drained', message });
  });

  it.each([
    [['--no-wait'], { drained: false, outcome: 'InProgress', message: '' }],
    [['--timeout', '1'], { drained: false, outcome: 'InProgress', message: '' }],
    [['--dry-run'], { policy: 'member2', triggers: [{ type: 'ClusterDrained', cluster: 'member2' }] }],
  ])('prints one document with -o json %j', async (options, document) => {
    const { out } = await drain('member2', '-o', 'json', ...options);
    expect(JSON.parse(out)).toMatchObject(document);
  });

  it('has the waves that the options ask for', async () => {
    await drain('member2', '--wave-size', '5', '--ready-within', '1h', '--no-wait');
    expect(drains()[0]?.spec).toMatchObject({ strategy: { waves: { size: 5, readyWithin: '3600s' } } });
  });

  it('ends the drain after the time of --for, and replaces one whose time is over', async () => {
    const now = Date.now();
    const created = await drain('member2', '--for', '4h', '--no-wait');
    const [first] = drains();
    const text = String(first?.spec?.until);
    expect(created.out).toBe(`clusterdrain.evenkeel.dev/member2 created; it ends at ${text}\n`);
    const until = Date.parse(text);
    expect(until - now).toBeGreaterThanOrEqual(4 * 3600_000 - 1000);
    expect(until - now).toBeLessThan(4 * 3600_000 + 60_000);
    const body = { spec: { until: '2026-11-21T10:00:00Z' } };
    scene.hub.store.patch('clusterdrains', { namespace: '', name: 'member2' }, { type: 'merge', body }, user);
    const { code, out } = await drain('member2', '--no-wait');
    expect([code, out]).toEqual([0, 'clusterdrain.evenkeel.dev/member2 created\n']);
    expect(drains().map(({ metadata, spec }) => [metadata.uid === first?.metadata.uid, spec?.until])).toEqual([
      [false, undefined],
    ]);
  });

  it('goes on with the drain that is there', async () => {
    await drain('member2', '--no-wait');
    const { code, out } = await drain('member2', '--no-wait');
    expect([code, out]).toEqual([0, 'clusterdrain.evenkeel.dev/member2 is there already, and goes on as it is\n']);
    expect(drains()).toHaveLength(1);
  });

  it('rejects a name that another cluster has', async () => {
    const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'ClusterDrain', metadata: { name: 'member2' } };
    scene.hub.store.create('clusterdrains', { ...object, spec: { cluster: 'member3' } }, user);
    const { code, errors } = await drain('member2', '--no-wait');
    expect([code, errors]).toEqual([
      2,
      [
        'ClusterDrain member2 is there already, and drains member3; delete it, or drain member2 with a ClusterDrain of another name',
      ],
    ]);
  });

  it.each<[Reported, string]>([
    [
      {
        drained: {
          status: 'False',
          reason: 'WorkloadsLeft',
          message: '1 workload on member2: Job shop/x: it is a Job',
        },
      },
      'member2 is not drained: 1 workload on member2: Job shop/x: it is a Job; the drain goes on when they can move',
    ],
    [
      { state: 'Stopped', message: 'wave 1 of 2 was not ready within 10m' },
      'member2 is not drained: wave 1 of 2 was not ready within 10m; edit the ClusterDrain, or end it with: evenkeel uncordon member2',
    ],
    [
      { state: 'Invalid', message: 'the hub is registered without --graceful-reduction' },
      'member2 is not drained: the hub is registered without --graceful-reduction; edit the ClusterDrain, or end it with: evenkeel uncordon member2',
    ],
    [
      { state: 'Over', message: 'the drain ended at 10:00; write a later spec.until to drain the cluster again' },
      'member2 is not drained: the drain ended at 10:00; write a later spec.until to drain the cluster again, or delete the ClusterDrain with: evenkeel uncordon member2',
    ],
  ])('ends with 1 and what to do for %j', async (status, error) => {
    reporting(status);
    const { code, errors } = await drain('member2');
    expect([code, errors]).toEqual([1, [error]]);
  });

  it('ends with 1 when the time has passed, and knows whether a function has seen the drain', async () => {
    const unseen = await drain('member2', '--timeout', '1');
    expect([unseen.code, unseen.errors]).toEqual([
      1,
      [
        'member2 is not drained after 1 s: no function has picked it up: evenkeel hub check --drains lists what the hub lacks',
      ],
    ]);
    reporting({ state: 'Running', message: 'wave 1 of 9: 50 workloads not ready yet' });
    const late = await drain('member3', '--timeout', '1');
    expect(late.errors).toEqual([
      'member3 is not drained after 1 s: wave 1 of 9: 50 workloads not ready yet; wait longer with --timeout, or check with: kubectl get clusterdrain member3',
    ]);
  });

  it.each([
    [['member9'], 'member9: the hub has no cluster of that name; it has member1, member2, member3'],
    [['member9', '--dry-run'], 'member9: the hub has no cluster of that name; it has member1, member2, member3'],
    [['member2', '--wave-size', 'all'], '--wave-size all is not a number of workloads; write 1 to 500'],
    [['member2', '--wave-size', '501'], '--wave-size 501 is not a number of workloads; write 1 to 500'],
    [
      ['member2', '--timeout', 'soon'],
      '--timeout "soon" is not a time; write seconds (300), or one like 90s, 5m or 1h30m',
    ],
    [['member2', '--for', '0'], '--for 0 would end the drain at once; write a time, for example 4h'],
    [['member2', '--for', 'ever'], '--for "ever" is not a time; write seconds (300), or one like 90s, 5m or 1h30m'],
  ])('rejects %j with what to do instead, and creates nothing', async (args, error) => {
    const { code, errors } = await drain(...args);
    expect([code, errors, drains()]).toEqual([2, [error], []]);
  });

  it('shows with --dry-run what would move where, and creates nothing', async () => {
    const { code, out } = await drain('member2', '--dry-run');
    expect(code).toBe(3);
    expect(out).toMatch(/^Drain of member2\n/);
    expect(out).toMatch(/^ *1 {2}Deployment shop\/api +3 {2}member1 0→\d, member2 3→0/m);
    expect(out).toContain('It would move 6 replicas of 2 workloads in 1 wave.');
    expect(out).toContain('Nothing was created (--dry-run).');
    expect(drains()).toEqual([]);
  });

  it('shows with --dry-run what can not move, and why', async () => {
    for (const name of ['member1', 'member3']) scene.fleet.setCapacity(name, name === 'member1' ? 0 : 8);
    await scene.fleet.settled();
    const { code, out } = await drain('member2', '--dry-run');
    expect([code, out]).toEqual([0, expect.stringContaining('it cannot be assigned anew: ')]);
    expect(out).toContain('It would move nothing; 2 skipped.');
  });

  function limit(per: string, replicas: string): void {
    const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } };
    scene.hub.store.create('movebudgets', { ...object, spec: { limits: [{ per, replicas }] } }, user);
  }

  it("shows with --dry-run what a workload's own limit never allows", async () => {
    limit('Hub', '100');
    const body = { metadata: { annotations: { 'evenkeel.dev/move-limit': '1' } } };
    scene.hub.store.patch('deployments', { namespace: 'shop', name: 'web' }, { type: 'merge', body }, user);
    const { out } = await drain('member2', '--dry-run');
    expect(out).toContain('Deployment shop/web  annotation evenkeel.dev/move-limit: 1: at most 1 replica');
    expect(out).toContain('1 skipped');
  });

  it('shows with --dry-run what a budget of the hub never allows', async () => {
    limit('Workload', '2');
    const { code, out } = await drain('member2', '--dry-run');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        'MoveBudget hub: at most 2 replicas of the workload at once, of which 0 are moving; this would move 3',
      ),
    ]);
  });
});

describe('evenkeel uncordon', () => {
  it('deletes the drains of the cluster', async () => {
    await drain('member2', '--no-wait');
    await drain('member3', '--no-wait');
    const { code, out } = await uncordon('member2');
    expect([code, out]).toEqual([0, 'clusterdrain.evenkeel.dev/member2 deleted; member2 gets replicas again\n']);
    expect(drains().map(({ metadata }) => metadata.name)).toEqual(['member3']);
  });

  it('of a cluster that is not drained names those that are', async () => {
    await drain('member3', '--no-wait');
    expect((await uncordon('member2')).errors).toEqual([
      'member2: no ClusterDrain drains it; drained clusters: member3',
    ]);
  });
});

describe('the name of a drain', () => {
  it('is that of the cluster, cut and with a digest if it is too long for the names of waves', async () => {
    const long = `${'cluster-of-a-very-long-name-'.repeat(3)}end`;
    scene.hub.store.create(
      'clusters',
      {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: { name: long },
        spec: { syncMode: 'Push' },
      },
      user,
    );
    await drain(long, '--no-wait');
    const [made] = drains();
    expect([made?.metadata.name, made?.metadata.name.length, made?.spec?.cluster]).toEqual([
      expect.stringMatching(/^cluster-of-a-very-long-name-clust-[0-9a-f]{8}$/),
      42,
      long,
    ]);
  });
});
