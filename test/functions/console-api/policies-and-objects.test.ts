/** What the pages of policies, drains and budgets show, and objects as the hub has them. */
import { describe, expect, it } from 'vitest';
import { asking } from '../../fakes/ask.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const hub = 'karmada';
const evenkeelDev = 'evenkeel.dev/v1alpha1';
const members = ['member1', 'member2'].map((name) => ({ name, capacity: 60, readyDelayMs: 5000 }));

async function world(options: { readonly budgets?: boolean } = {}): Promise<PolicyWorld> {
  const made = new PolicyWorld(members, { reductions: true, ...options });
  made.run('web', 6);
  await made.pass(60);
  return made;
}

const budgetOf = (...limits: readonly object[]) => ({
  ...{ apiVersion: evenkeelDev, kind: 'MoveBudget', metadata: { name: 'fleet' }, spec: { limits } },
});

describe('a RebalancePolicy', () => {
  it('is shown with what starts its runs, its windows and its conditions', async () => {
    const w = await world();
    const windows = [{ cron: '0 22 * * 1-5', timeZone: 'Europe/Berlin', duration: '4h' }];
    w.policy('home', {
      triggers: {
        clusterRecovered: { stableFor: '1m' },
        schedule: { cron: '0 3 * * *', timeZone: 'UTC' },
        imbalance: { percent: 20 },
        externalEvents: [{ types: ['ZonalShift'], action: 'Rebalance' }],
      },
      strategy: { windows },
    });
    w.policy('by-load', { triggers: { pressure: { high: 90, low: 60 } } });
    await w.pass(60);
    const { policies } = await asking(w.answerers)('listPolicies', { hub });
    expect(policies.map(({ name, triggers, windows: open }) => [name, triggers, open])).toEqual([
      ['by-load', ['when a cluster is over 90% of its cpu or memory'], []],
      [
        'home',
        [
          'when a cluster has been healthy again for 1m',
          'on the schedule 0 3 * * * (UTC)',
          'when 20% of a workload would move',
          'on ZonalShift',
        ],
        ['4h from 0 22 * * 1-5 (Europe/Berlin)'],
      ],
    ]);
    expect(policies.map(({ windowClosesAt, windowOpensAt }) => [windowClosesAt, windowOpensAt])).toEqual([
      [undefined, undefined],
      // The world begins on a Saturday.
      [undefined, '2026-11-23T21:00:00Z'],
    ]);
    expect(policies.map(({ conditions }) => conditions)).toEqual([expect.any(Array), expect.any(Array)]);
  });
});

it('a policy has the end of its open window', async () => {
  const w = await world();
  const windows = ['30m', '1h'].map((duration) => ({ cron: '0 10 * * *', timeZone: 'UTC', duration }));
  w.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { windows } });
  const { policies } = await asking(w.answerers)('listPolicies', { hub });
  expect(policies[0]).toMatchObject({ windowClosesAt: '2026-11-21T11:00:00Z' });
  expect(policies[0]).not.toHaveProperty('windowOpensAt');
});

describe('a preview of a RebalancePolicy', () => {
  it('has the waves of the run that the recovery of a cluster would start, and writes nothing', async () => {
    const w = new PolicyWorld(members, { reductions: true });
    for (const name of ['web', 'api']) w.run(name, 6);
    await w.pass(60);
    w.fleet.fail('member1');
    await w.pass(60);
    w.fleet.recover('member1');
    await w.pass(60);
    const triggers = { clusterRecovered: { stableFor: '24h' } };
    w.policy('home', { triggers, strategy: { waves: { size: 1 } } });
    const before = w.store.list('resourcebindings');
    const preview = await asking(w.answerers)('previewPolicy', { hub, name: 'home' });
    expect(preview).toMatchObject({
      triggers: ['ClusterRecovered member1', 'ClusterRecovered member2'],
      ...{ workloads: 2, replicas: 6, skipped: [], still: 0, unselected: 0, notes: [] },
    });
    expect(preview.waves.map((wave) => wave.map(({ workload, moves }) => [workload.name, moves]))).toEqual([
      [['api', 3]],
      [['web', 3]],
    ]);
    expect(preview.waves[0]?.[0]).toMatchObject({
      ...{ binding: { namespace: 'shop', name: 'api-deployment' }, current: { member2: 6 } },
      next: { member1: 3, member2: 3 },
    });
    expect(w.store.list('resourcebindings')).toEqual(before);
  });

  it('of a policy that no hub has is an error', async () => {
    const ask = asking((await world()).answerers);
    await expect(ask('previewPolicy', { hub, name: 'away' })).rejects.toMatchObject({
      ...{ reason: 'NotFound', message: 'hub karmada has no RebalancePolicy away' },
    });
  });

  it('is limited by the MoveBudgets of the hub', async () => {
    const w = await world({ budgets: true });
    w.fleet.fail('member1');
    await w.pass(60);
    w.fleet.recover('member1');
    await w.pass(60);
    w.policy('home', { triggers: { clusterRecovered: { stableFor: '24h' } } });
    w.store.create('movebudgets', budgetOf({ per: 'Workload', replicas: '1' }), user);
    const { waves, skipped } = await asking(w.answerers)('previewPolicy', { hub, name: 'home' });
    expect(waves).toEqual([]);
    expect(skipped.map(({ workload, reason }) => [workload.name, reason])).toEqual([
      ['web', expect.stringContaining('MoveBudget fleet: at most 1 replica of the workload at once')],
    ]);
  });
});

describe('MoveBudgets', () => {
  it('are shown with what they allow now, and the moves in flight', async () => {
    const w = await world({ budgets: true });
    w.store.create(
      'movebudgets',
      budgetOf(
        { per: 'Hub', replicas: '10' },
        { per: 'Cluster', replicas: '5', window: '1h', reasons: ['Drain'] },
        { per: 'Workload', replicas: '50%' },
        { per: 'Hub', replicas: '0', duration: '1m', schedule: { cron: '0 0 1 1 *', timeZone: 'UTC' } },
      ),
      user,
    );
    const move = { binding: { namespace: 'shop', name: 'web-deployment' }, generation: 1, at: w.clock.now() } as const;
    const moves = [
      { ...move, reason: 'Policy', mover: 'WorkloadRebalancer a', leaves: { member1: 3 } },
      { ...move, reason: 'Drain', mover: 'ClusterDrain b', leaves: { member2: 2 }, over: true },
    ] as const;
    await w.ledger.save(hub, moves, { before: undefined, expiresAt: w.clock.now() + 3600_000 });
    const { budgets, moves: inFlight } = await asking(w.answerers)('listBudgets', { hub });
    expect(budgets).toEqual([
      {
        name: 'fleet',
        limits: [
          { per: 'Hub', replicas: '10', applies: true, left: 7 },
          {
            ...{ per: 'Cluster', replicas: '5', windowSeconds: 3600, reasons: ['Drain'], applies: true },
            leftByCluster: { member1: 5, member2: 3 },
          },
          { per: 'Workload', replicas: '50%', applies: true },
          { per: 'Hub', replicas: '0', applies: false },
        ],
      },
    ]);
    expect(inFlight.map(({ mover, leaves }) => [mover, leaves])).toEqual([['WorkloadRebalancer a', { member1: 3 }]]);
  });

  it('are none on a hub that is registered without them', async () => {
    const w = await world();
    expect(await asking(w.answerers)('listBudgets', { hub })).toEqual({ budgets: [], moves: [] });
  });
});

describe('an object', () => {
  it.each([
    ['bindings', 'shop', 'web-deployment', 'ResourceBinding'],
    ['clusters', '-', 'member1', 'Cluster'],
    ['policies', '-', 'home', 'RebalancePolicy'],
  ] as const)('of the %s is shown as the API server sends it', async (kind, namespace, name, expected) => {
    const w = await world();
    w.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } } });
    const { object } = await asking(w.answerers)('getObject', { hub, kind, namespace, name });
    expect(object).toMatchObject({ kind: expected, metadata: { name } });
    expect(object.metadata).toHaveProperty('managedFields');
  });

  it('that is not there is named in the error', async () => {
    const ask = asking((await world()).answerers);
    await expect(
      ask('getObject', { hub, kind: 'bindings', namespace: 'shop', name: 'api-deployment' }),
    ).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'hub karmada has none of the bindings that is named shop/api-deployment',
    });
  });

  it('of another kind is not shown, least of all a Secret', async () => {
    const ask = asking((await world()).answerers);
    const kind = 'secrets' as 'bindings';
    await expect(ask('getObject', { hub, kind, namespace: 'evenkeel', name: 'token' })).rejects.toThrow('kind');
  });
});
