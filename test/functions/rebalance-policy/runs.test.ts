/** Runs during which the policy, its clusters or other users make a change. */
import { describe, expect, it, vi } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { APPROVED, approvalText } from '../../../shared/rebalance-policy/approval.ts';
import { REBALANCING } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { passing } from '../../fakes/store-hub.ts';
import { PolicyWorld } from './scene.ts';

const MINUTE = 60;
const HOUR = 3600;
const web = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name });
const home = { triggers: { clusterRecovered: { stableFor: '1m' } } };

/** Workloads w1 to w<count>, evicted from member1, which is healthy again; their policy is about to act. */
async function afterOutage(count: number, spec: object = home): Promise<PolicyWorld> {
  const world = new PolicyWorld(
    ['member1', 'member2', 'member3'].map((name) => ({ name, capacity: count * 6, readyDelayMs: 2000 })),
  );
  for (let i = 1; i <= count; i++) world.run(`w${i}`, 3);
  world.policy('home', spec);
  await world.pass(10);
  world.fleet.fail('member1');
  await world.pass(MINUTE);
  world.fleet.recover('member1');
  return world;
}

function homeWith(strategy: object): object {
  return { ...home, strategy };
}

function isHome(world: PolicyWorld, name: string): boolean {
  return (world.assigned(name).member1 ?? 0) > 0;
}

async function linesOf(world: PolicyWorld, code: string): Promise<readonly object[]> {
  return (await world.telemetry.lines({ about: [{ code }], since: 0, limit: 100 })).map(({ fields }) => fields);
}

function homeCount(world: PolicyWorld, count: number): number {
  return Array.from({ length: count }, (_, i) => `w${i + 1}`).filter((name) => isHome(world, name)).length;
}

describe('waves', () => {
  it('come one after another, each when the last is ready, in their order', async () => {
    const world = await afterOutage(
      6,
      homeWith({ waves: { size: 2, pause: '1m' }, order: [{ by: 'Replicas', descending: true }] }),
    );
    await world.pass(MINUTE + 10);
    expect(homeCount(world, 6)).toBe(2);
    await world.pass(MINUTE + 20);
    expect(homeCount(world, 6)).toBe(4);
    await world.pass(3 * MINUTE);
    expect(homeCount(world, 6)).toBe(6);
    expect(world.waves).toHaveLength(3);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', waves: 3, wavesDone: 3, workloads: 6 }]);
  });

  it.each([
    ['AfterFirstWave', [2, 6]],
    ['EachWave', [0, 2, 4, 6]],
  ])('wait for the approvals of a user: %s', async (approval, homeAfter) => {
    const world = await afterOutage(6, homeWith({ waves: { size: 2 }, approval }));
    await world.pass(MINUTE + 10);
    const seen = [];
    for (const [approvals, expected] of homeAfter.entries()) {
      await world.pass(5 * MINUTE);
      expect([approvals, homeCount(world, 6)]).toEqual([approvals, expected]);
      const { message, state, lastRun } = world.status('home') as {
        message: string;
        state: string;
        lastRun: { name: string; wavesDone: number };
      };
      seen.push(`${state}: ${message.replace(lastRun.name, 'RUN')}`);
      world.annotate('rebalancepolicies', 'home', { [APPROVED]: approvalText(lastRun.name, lastRun.wavesDone + 1) });
    }
    const waits = seen.slice(0, -1).map((text) => text.replace(/wave \d/, 'wave N'));
    expect(waits).toEqual(waits.map(() => 'Waiting: wave N of 3 waits for approval: evenkeel approve RUN'));
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', waves: 3, wavesDone: 3 }]);
    const events = world.store.list('events', 'default').filter(({ reason }) => reason === 'WaitingForApproval');
    const written = events.map(({ type, message }) => [type, message]);
    const { name } = (world.status('home') as { lastRun: { name: string } }).lastRun;
    const numbers = approval === 'EachWave' ? [1, 2, 3] : [2];
    expect(written).toEqual(
      numbers.map((number) => ['Normal', `wave ${number} of 3 waits for approval: evenkeel approve ${name}`]),
    );
  });

  it('wait until every workload is healthy by the expression of the policy', async () => {
    const healthy = "clusters.all(c, c.health == 'Healthy') && workload.name != 'w2'";
    const world = await afterOutage(2, homeWith({ waves: { size: 1, healthy, readyWithin: '2m' } }));
    await world.pass(6 * MINUTE);
    expect(world.status('home')).toMatchObject({
      state: 'Stopped',
      message: `wave 2 of 2 was not ready within 2m: Deployment shop/w2: strategy.waves.healthy is not true: ${healthy}`,
    });
  });

  it('end if the expression is edited to an invalid one while one is in flight', async () => {
    const strategy = { waves: { healthy: 'false', readyWithin: '2m' } };
    const world = await afterOutage(1, homeWith(strategy));
    await world.pass(MINUTE + 20);
    expect(world.waves).toHaveLength(1);
    world.editPolicy('home', homeWith({ waves: { healthy: 'replicas >', readyWithin: '2m' } }));
    await world.pass(6 * MINUTE);
    expect(await world.runs('home')).toMatchObject([
      {
        state: 'Stopped',
        message: expect.stringContaining('strategy.waves.healthy is invalid: Unexpected token: EOF') as string,
      },
    ]);
  });

  it('do not start with an expression that is invalid: the policy is not accepted', async () => {
    const world = await afterOutage(1, homeWith({ waves: { healthy: 'pods > 2' } }));
    await world.pass(6 * MINUTE);
    expect([world.waves, world.status('home')]).toEqual([
      [],
      expect.objectContaining({
        state: 'Invalid',
        message:
          'spec.strategy.waves.healthy: Invalid value: "pods > 2": Unknown variable: pods; it may read workload, replicas, clusters',
      }),
    ]);
  });

  it('are percent of the run, and no larger than what may be in flight', async () => {
    const world = await afterOutage(8, homeWith({ waves: { percent: 50 }, maxInFlight: { replicas: 3 } }));
    await world.pass(20 * MINUTE);
    // Each moves one replica: percent allows 4, replicas allow 3.
    expect(world.waves).toHaveLength(3);
    expect(homeCount(world, 8)).toBe(8);
  });

  it('are standard rebalancers, owned by the policy, that go when they have expired', async () => {
    const world = await afterOutage(1, homeWith({ ttlSecondsAfterFinished: 600 }));
    await world.pass(2 * MINUTE);
    const [name = ''] = world.waves;
    expect(world.rebalancer(name)).toMatchObject({
      metadata: {
        labels: { 'evenkeel.dev/rebalance-policy': 'home' },
        ownerReferences: [
          { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', name: 'home', controller: true },
        ],
      },
      spec: { ttlSecondsAfterFinished: 600, workloads: [web('w1')] },
    });
    await world.pass(HOUR);
    expect(world.rebalancer(name)).toBeUndefined();
  });

  it('start in a window only', async () => {
    // It is about 10:03; the window opens at 12.
    const world = await afterOutage(1, homeWith({ windows: [{ cron: '0 12 * * *', duration: '30m' }] }));
    await world.pass(10 * MINUTE);
    expect(world.status('home')).toMatchObject({ state: 'Waiting' });
    expect(world.waves).toEqual([]);
    await world.pass(2 * HOUR);
    expect(world.waves).toHaveLength(1);
    expect(isHome(world, 'w1')).toBe(true);
  });

  it('stop the run when one is not ready in time: a condition, an event, an alarm, and nothing more until a user resumes it', async () => {
    const world = await afterOutage(4, homeWith({ waves: { size: 2, readyWithin: '2m' } }));
    world.fleet.setReadyDelay('member1', HOUR * 1000);
    await world.pass(6 * MINUTE);
    expect(world.waves).toHaveLength(1);
    expect(world.status('home')).toMatchObject({
      state: 'Stopped',
      lastRun: { state: 'Stopped', wavesDone: 1, waves: 2 },
    });
    const conditions = world.status('home').conditions as { type: string; status: string; message: string }[];
    const stopped = conditions.find(({ type }) => type === 'Stopped');
    expect(stopped?.status).toBe('True');
    expect(stopped?.message).toContain(
      'wave 1 of 2 was not ready within 2m: Deployment shop/w1: 0 of 1 ready on member1',
    );
    expect(world.store.list('events', 'default').map(({ reason, type }) => [type, reason])).toEqual([
      ['Normal', 'Finished'],
      ['Warning', 'RunStopped'],
      ['Normal', 'RunStarted'],
    ]);
    expect(world.telemetry.counts.get('PolicyRunsStopped')).toBe(1);
    const [run] = await world.runs('home');
    const line = { hub: 'karmada', policy: 'home', run: run?.run, error: run?.message };
    expect(await linesOf(world, 'EK320')).toEqual([line]);
    expect(stopped?.message).toContain(line.error);
    world.fleet.setReadyDelay('member1', 1000);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(HOUR);
    expect(world.waves).toHaveLength(1);
    world.editPolicy('home', { suspend: true });
    await world.pass(10);
    expect(world.status('home')).toMatchObject({ state: 'Suspended' });
    world.editPolicy('home', { suspend: false });
    await world.pass(10 * MINUTE);
    expect(homeCount(world, 4)).toBe(4);
    expect(world.status('home')).toMatchObject({ state: 'Idle' });
  });
});

describe('the WorkloadRebalancer of a wave', () => {
  const isCreation = ({ verb, plural }: { verb: string; plural: string }) =>
    verb === 'create' && plural === 'workloadrebalancers';

  it('is executed without an event of the hook, which ignores writes of our own account', async () => {
    const world = await afterOutage(1);
    world.hook = false;
    await world.pass(10 * MINUTE);
    expect(isHome(world, 'w1')).toBe(true);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', moved: 1 }]);
  });

  it('is read once when it was created: the response to the creation has its uid', async () => {
    const world = await afterOutage(1);
    world.hook = false;
    // So that no other function reads it.
    const publish = world.bus.publish.bind(world.bus);
    vi.spyOn(world.bus, 'publish').mockImplementation((events) =>
      publish(events.filter(({ type }) => type !== 'WorkloadRebalancerChanged')),
    );
    let created: number | undefined;
    world.hub.interference.after = (call) => {
      if (isCreation(call)) created = world.hub.calls.length;
    };
    while (created === undefined) await world.pass(1);
    await world.pass(0);
    const reads = world.hub.calls
      .slice(created)
      .filter(({ verb, plural }) => `${verb} ${plural}` === 'get workloadrebalancers');
    expect(reads).toHaveLength(1);
  });

  it('that an earlier delivery created and that is finished by now ends the wave, and the run goes on', async () => {
    const world = await afterOutage(2, homeWith({ waves: { size: 1 } }));
    let [responses, lostAt] = [0, 0];
    world.hub.interference = {
      before: (call) => {
        if (isCreation(call) && lostAt > 0 && world.clock.now() < lostAt + 30_000) throw passing();
      },
      after: (call) => {
        if (!isCreation(call) || responses++ > 0) return;
        lostAt = world.clock.now();
        throw passing();
      },
    };
    await world.pass(10 * MINUTE);
    expect(lostAt).toBeGreaterThan(0);
    expect(homeCount(world, 2)).toBe(2);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', waves: 2, wavesDone: 2, moved: 2 }]);
  });
});

describe('a hub that rejects a wave', () => {
  it('stops the run with the message of the hub, and releases the workloads', async () => {
    const world = await afterOutage(1);
    const reason = 'only evenkeel may write the wave of a policy';
    world.hub.interference.before = ({ verb, plural }) => {
      if (verb === 'create' && plural === 'workloadrebalancers')
        throw new Fault('retryable', reason, { reason: 'Invalid' });
    };
    await world.pass(5 * MINUTE);
    expect(world.status('home')).toMatchObject({ state: 'Stopped' });
    expect(await world.runs('home')).toMatchObject([
      { state: 'Stopped', message: `the hub rejected the WorkloadRebalancer of wave 1 of 1: ${reason}` },
    ]);
    const lease = { run: 'another', until: world.clock.now() + 1 };
    const binding = { namespace: 'shop', name: 'w1-deployment' };
    expect(await world.policies.takeLease('karmada', binding, lease, world.clock.now())).toBe(true);
    expect(world.deadLetters).toEqual([]);
  });
});

describe('a policy in the middle of its run', () => {
  const slow = { waves: { size: 1, pause: '5m' } };

  it('that is suspended brings the wave in flight to its end and starts nothing, until it is resumed', async () => {
    const world = await afterOutage(3, homeWith(slow));
    await world.pass(MINUTE + 10);
    world.editPolicy('home', { suspend: true });
    await world.pass(HOUR);
    expect(homeCount(world, 3)).toBe(1);
    expect(await world.runs('home')).toMatchObject([{ state: 'Running' }]);
    world.editPolicy('home', { suspend: false });
    await world.pass(HOUR);
    expect(homeCount(world, 3)).toBe(3);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', moved: 3 }]);
  });

  it('that is edited ends its run, and the rest is planned again by the new spec', async () => {
    const world = await afterOutage(3, homeWith(slow));
    await world.pass(MINUTE + 10);
    world.editPolicy('home', { selector: { exclude: { names: ['w3'] } }, strategy: { waves: { pause: '0s' } } });
    await world.pass(2 * MINUTE);
    expect(await world.runs('home')).toMatchObject([
      { state: 'Superseded', moved: 1 },
      { state: 'Finished', moved: 1, workloads: 1 },
    ]);
    expect([isHome(world, 'w2'), isHome(world, 'w3')]).toEqual([true, false]);
  });

  it('that is deleted starts nothing more, and its run is kept as Cancelled', async () => {
    const world = await afterOutage(3, homeWith(slow));
    await world.pass(MINUTE + 10);
    world.deletePolicy('home');
    await world.pass(HOUR);
    expect(homeCount(world, 3)).toBe(1);
    expect(await world.runs('home')).toMatchObject([{ state: 'Cancelled', message: 'the policy was deleted' }]);
    // The delivery that ends the run also reports its end.
    expect(await linesOf(world, 'EK001')).toEqual([]);
    await world.passResyncing(5);
    const [kept] = await world.policies.readStates('karmada');
    expect(kept?.expiresAt).toBeGreaterThan(world.clock.now());
  });

  it('that is deleted keeps its row until the time that the first evaluation without it set', async () => {
    const world = await afterOutage(1);
    await world.pass(10 * MINUTE);
    world.deletePolicy('home');
    await world.passResyncing(5);
    const before = await world.policies.readStates('karmada');
    expect(before).toMatchObject([{ expiresAt: expect.any(Number) as number }]);
    await world.passResyncing(10);
    expect(await world.policies.readStates('karmada')).toEqual(before);
  });

  it('gives way when the cluster fails again, and resumes it when the cluster is healthy', async () => {
    const world = await afterOutage(3, homeWith(slow));
    await world.pass(MINUTE + 10);
    world.fleet.fail('member1');
    await world.pass(10 * MINUTE);
    expect(homeCount(world, 3)).toBe(0);
    expect(await world.runs('home')).toMatchObject([
      { state: 'Superseded', message: expect.stringMatching(/member1 is no longer healthy/) as string },
    ]);
    world.fleet.recover('member1');
    await world.pass(HOUR);
    expect(homeCount(world, 3)).toBe(3);
    expect((await world.runs('home')).at(-1)).toMatchObject({ state: 'Finished' });
  });
});

describe('hands off', () => {
  it('skips what its owners, its namespace or the hub exclude from policies', async () => {
    const world = await afterOutage(4);
    const never = { type: 'merge', body: { metadata: { annotations: { [REBALANCING]: 'Never' } } } } as const;
    world.store.patch('deployments', { namespace: 'shop', name: 'w1' }, never, user);
    world.store.patch('resourcebindings', { namespace: 'shop', name: 'w2-deployment' }, never, user);
    const suspended = { type: 'merge', body: { spec: { suspension: { scheduling: true } } } } as const;
    world.store.patch('resourcebindings', { namespace: 'shop', name: 'w3-deployment' }, suspended, user);
    await world.pass(5 * MINUTE);
    expect(homeCount(world, 4)).toBe(1);
    expect(
      new Map(
        (await world.decisions('home')).map(({ workload, outcome, reason }) => [workload.name, [outcome, reason]]),
      ),
    ).toEqual(
      new Map([
        ['w4', ['Moved', 'rescheduled and ready']],
        ['w1', ['Skipped', 'evenkeel.dev/rebalancing on the workload keeps policies away']],
        ['w2', ['Skipped', 'evenkeel.dev/rebalancing on the binding keeps policies away']],
        ['w3', ['Skipped', 'its scheduling is suspended']],
      ]),
    );
    world.store.patch('namespaces', { namespace: '', name: 'shop' }, never, user);
    world.editPolicy('home', { triggers: { imbalance: { percent: 1 } } });
    await world.pass(HOUR);
    expect(world.waves).toHaveLength(1);
  });

  it('skips what a user is rebalancing: the user has priority', async () => {
    const world = await afterOutage(1);
    world.hook = false; // So no function acts on the user's rebalancer yet.
    world.create('mine', [web('w1')]);
    await world.publishCluster('member1');
    await world.pass(5 * MINUTE);
    expect(world.waves).toEqual([]);
    expect(world.reasons).toContain('wave 1 of 1: 0 workloads to move');
    await world.publishRebalancer('mine');
    await world.pass(5 * MINUTE);
    expect(world.results('mine')).toEqual(['Deployment shop/w1=Successful']);
    expect(isHome(world, 'w1')).toBe(true);
    expect(world.waves).toEqual([]);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', moved: 0, skipped: 1 }]);
  });

  it('what the descheduler has just taken replicas out of; and it leaves alone what a policy has just moved', async () => {
    const world = await afterOutage(1);
    const taken = { metadata: { annotations: { 'evenkeel.dev/descheduled-at': '2026-11-21T10:02:00Z' } } };
    world.store.patch(
      'resourcebindings',
      { namespace: 'shop', name: 'w1-deployment' },
      { type: 'merge', body: taken },
      user,
    );
    await world.pass(10 * MINUTE);
    expect(isHome(world, 'w1')).toBe(false);
    // 30 minutes of cool-down from 10:02 on; the recovery is not forgotten meanwhile.
    await world.pass(30 * MINUTE);
    expect(isHome(world, 'w1')).toBe(true);
  });

  it('what cools down, and comes back to it', async () => {
    const world = await afterOutage(1);
    await world.pass(3 * MINUTE);
    expect(isHome(world, 'w1')).toBe(true);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(10 * MINUTE);
    expect(isHome(world, 'w1')).toBe(false);
    await world.pass(30 * MINUTE);
    expect(isHome(world, 'w1')).toBe(true);
    expect((await world.runs('home')).map(({ state }) => state)).toEqual(['Finished', 'Finished']);
  });
});

describe('two policies on one workload', () => {
  it('never move it at once, and only one of them moves it', async () => {
    const world = await afterOutage(3);
    world.policy('also', home);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(20 * MINUTE);
    expect(homeCount(world, 3)).toBe(3);
    const moved = await Promise.all(
      ['home', 'also'].map(async (name) => (await world.runs(name)).reduce((sum, run) => sum + run.moved, 0)),
    );
    expect(moved.reduce((sum, each) => sum + each, 0)).toBe(3);
    const triggered = world.hub.calls.filter(({ verb, plural }) => verb === 'patch' && plural === 'resourcebindings');
    expect(triggered).toHaveLength(3);
  });
});

describe('two policies of one hub', () => {
  it('each have their own run', async () => {
    const only = (name: string) => ({ ...home, selector: { exclude: { names: [name] } } });
    const world = await afterOutage(2, only('w2'));
    world.policy('also', only('w1'));
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(5 * MINUTE);
    for (const [name, workload] of [
      ['home', 'w1'],
      ['also', 'w2'],
    ] as const) {
      expect(await world.runs(name)).toMatchObject([{ state: 'Finished', moved: 1 }]);
      expect((await world.decisions(name)).map((each) => each.workload.name)).toEqual([workload]);
    }
  });
});

describe('a run that waits', () => {
  it('keeps the reason in its status when the hub is compared, without a write', async () => {
    // It is about 10:03; the window opens at 12.
    const world = await afterOutage(1, homeWith({ windows: [{ cron: '0 12 * * *', duration: '30m' }] }));
    await world.pass(10 * MINUTE);
    const waiting = world.status('home');
    expect(waiting).toMatchObject({ state: 'Waiting' });
    const calls = world.hub.calls.length;
    await world.resync();
    await world.pass(MINUTE);
    expect(world.status('home')).toEqual(waiting);
    expect(world.hub.calls.slice(calls).filter(({ verb }) => verb !== 'list' && verb !== 'get')).toEqual([]);
  });
});

describe('a hub whose hook is down for an hour', () => {
  it('is found by resync: the same end, later', async () => {
    const world = new PolicyWorld();
    world.hook = false;
    world.run('web', 12);
    world.policy('home', home);
    await world.passResyncing(5);
    world.fleet.fail('member1');
    await world.passResyncing(20);
    world.fleet.recover('member1');
    await world.passResyncing(35);
    expect(world.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', moved: 4 }]);
  });
});

describe('a dry run', () => {
  it('records what it would do, and does nothing; again only when there is reason to', async () => {
    const world = await afterOutage(2, { ...home, dryRun: true });
    await world.pass(HOUR);
    expect(world.waves).toEqual([]);
    expect(homeCount(world, 2)).toBe(0);
    expect(await world.runs('home')).toMatchObject([{ state: 'DryRun', workloads: 2, waves: 1 }]);
    expect((await world.decisions('home')).map(({ outcome, next }) => [outcome, next.member1])).toEqual([
      ['DryRun', 1],
      ['DryRun', 1],
    ]);
  });
});

describe('a policy that cannot be followed', () => {
  it('reports the field, the value and the remedy, and does nothing', async () => {
    const world = new PolicyWorld();
    world.policy('odd', { triggers: { schedule: { cron: '0 25 * * *', timeZone: 'Mars/Base' } } });
    await world.pass(10);
    expect(world.status('odd')).toMatchObject({ state: 'Invalid' });
    const [accepted] = world.status('odd').conditions as { message: string }[];
    expect(accepted?.message).toMatch(/^spec\.triggers\.schedule\.timeZone is "Mars\/Base"; write a name of the IANA/);
    const lines = await linesOf(world, 'EK321');
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).toMatchObject({ hub: 'karmada', policy: 'odd', error: accepted?.message });
  });

  it('has all its problems in one line', async () => {
    const world = new PolicyWorld();
    const windows = [{ cron: '0 1 * * *', timeZone: 'Venus/Base', duration: '2h' }];
    const schedule = { cron: '0 3 * * *', timeZone: 'Mars/Base' };
    world.policy('odd', { triggers: { schedule }, strategy: { windows } });
    await world.pass(10);
    const [line] = await linesOf(world, 'EK321');
    expect(line).toMatchObject({
      error: expect.stringMatching(
        /^spec\.triggers\.schedule\.timeZone is .*; spec\.strategy\.windows\[0\]\.timeZone is /,
      ) as string,
    });
  });

  it('has no such line where it can be', async () => {
    const world = new PolicyWorld();
    world.policy('fine', { triggers: { schedule: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' } } });
    await world.pass(10);
    expect(await linesOf(world, 'EK321')).toEqual([]);
  });
});

describe('a requested run', () => {
  const asked = (requestedAt: string) => ({ triggers: { requestedAt } });
  const triggersOf = async (world: PolicyWorld) =>
    (await world.runs('home')).map(({ state, triggers }) => [state, triggers.map(({ type }) => type)]);

  it('begins once, and not by a request from before the policy was created', async () => {
    const world = await afterOutage(4, asked('2026-11-21T09:00:00Z'));
    await world.pass(10 * MINUTE);
    expect([homeCount(world, 4), await world.runs('home')]).toEqual([0, []]);
    world.editPolicy('home', asked('2026-11-21T10:05:00Z'));
    await world.pass(5 * MINUTE);
    expect(homeCount(world, 4)).toBe(4);
    await world.passResyncing(20);
    expect(await triggersOf(world)).toEqual([['Finished', ['Requested']]]);
  });

  it('begins at its time', async () => {
    const world = await afterOutage(2, asked('2026-11-21T10:30:00Z'));
    await world.pass(25 * MINUTE);
    expect(homeCount(world, 2)).toBe(0);
    await world.pass(6 * MINUTE);
    expect(homeCount(world, 2)).toBe(2);
  });

  it('follows the run that is in progress, and does not end it', async () => {
    const world = await afterOutage(3, homeWith({ waves: { size: 1, pause: '5m' }, coolDown: '0s' }));
    await world.pass(MINUTE + 10);
    world.editPolicy('home', asked('2026-11-21T10:02:00Z'));
    await world.pass(HOUR);
    expect(await triggersOf(world)).toEqual([
      ['Finished', ['ClusterRecovered']],
      ['Finished', ['Requested']],
    ]);
  });

  it('is planned again if the policy is edited in the course of it', async () => {
    const world = await afterOutage(3, {
      ...asked('2026-11-21T10:05:00Z'),
      strategy: { waves: { size: 1, pause: '5m' } },
    });
    await world.pass(5 * MINUTE);
    expect(homeCount(world, 3)).toBe(1);
    world.editPolicy('home', { strategy: { waves: { pause: '0s' } } });
    await world.pass(5 * MINUTE);
    expect(await triggersOf(world)).toEqual([
      ['Superseded', ['Requested']],
      ['Finished', ['Requested']],
    ]);
    expect(homeCount(world, 3)).toBe(3);
  });
});
