/** What can happen to a workload while replicas of it are held: each with its claimed end. */
import { describe, expect, it } from 'vitest';
import { user } from '../../fakes/practice-fleet.ts';
import { GracefulWorld, heldWorld, workload } from './scene.ts';

const STRATEGY = 'evenkeel.dev/replica-reduction-strategy';
const GRACE = 'evenkeel.dev/replica-reduction-grace-period-seconds';
const SUPPRESS = 'evenkeel.dev/replica-reduction-suppress-deletion';
const words = { [STRATEGY]: 'DelayWorkDeletion' };

function events(world: GracefulWorld): readonly string[] {
  return world.store
    .list('events')
    .map((event) => event as unknown as { type: string; reason: string; message: string })
    .filter(({ reason }) => reason === 'ReplicaReductionReleased')
    .map(({ type, message }) => `${type}: ${message}`);
}

describe('its grace', () => {
  it('is ten minutes by default, and its end is reported', async () => {
    const world = await heldWorld();
    expect(world.queue).toMatchObject({ member2: { replicas: 6, gracePeriodSeconds: 600 } });
    await world.pass(580);
    expect(world.shares('ready')).toBe('0/6/6');
    await world.pass(20);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
    expect(world.telemetry.counts.get('ReductionsReleasedLate')).toBe(2);
    expect(events(world)).toEqual([
      expect.stringMatching(
        /^Warning: What member2 kept is released: its grace was over at .*: 0 of 4 ready on member1$/,
      ),
      expect.stringMatching(/^Warning: What member3 kept is released/),
    ]);
  });

  it("is the policy's", async () => {
    const world = await heldWorld({ words: { ...words, [GRACE]: '30' } });
    expect(world.queue).toMatchObject({ member2: { replicas: 6, gracePeriodSeconds: 30 } });
    await world.pass(30);
    expect(world.shares('ready')).toBe('0/4/4');
  });

  it('has no end with suppressDeletion, not even when the others are ready: a user decides when', async () => {
    const world = new GracefulWorld({ words: { ...words, [SUPPRESS]: 'true' } });
    await world.begin();
    await world.away();
    world.create('home', [workload]);
    await world.pass(3600);
    await world.resync();
    await world.pass(5);
    expect([world.shares('ready'), world.queue]).toMatchObject(['4/6/6', { member2: { suppressDeletion: true } }]);
    world.editBinding({ metadata: { annotations: { 'replica-reduction-queue.evenkeel.dev/member2': null } } });
    await world.pass(5);
    expect([world.shares('ready'), Object.keys(world.queue)]).toEqual(['4/4/6', ['member3']]);
  });

  it('does not run while dispatching is suspended', async () => {
    const world = await heldWorld({ words: { ...words, [GRACE]: '30' } });
    world.editBinding({ spec: { suspension: { dispatching: true } } });
    await world.pass(300);
    expect([world.shares('ready'), Object.keys(world.queue)]).toEqual(['0/6/6', ['member2', 'member3']]);
    world.editBinding({ spec: { suspension: { dispatching: null } } });
    await world.pass(31);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
  });
});

describe('while it is held', () => {
  it('a cluster that shrinks again keeps what it had at first', async () => {
    const world = await heldWorld();
    world.editBinding({ spec: { clusters: [{ name: 'member1', replicas: 12 }] } });
    await world.pass(5);
    expect([world.shares('assigned'), world.shares('ready')]).toEqual(['12/0/0', '0/6/6']);
    expect(world.queue).toMatchObject({ member2: { replicas: 6 }, member3: { replicas: 6 } });
  });

  it('a cluster that is given back what it has is held no more, and nothing flaps', async () => {
    const world = await heldWorld();
    const back = ['member2', 'member3'].map((name) => ({ name, replicas: 6 }));
    world.editBinding({ spec: { clusters: back } });
    const curve = await world.curve(10);
    expect([Math.min(...curve), Math.max(...curve), world.queue]).toEqual([12, 12, {}]);
  });

  it('the cluster that was to take over fails: the others keep all they have', async () => {
    const world = await heldWorld();
    world.fleet.fail('member1');
    const curve = await world.curve(60);
    expect([Math.min(...curve), world.shares('assigned'), world.shares('ready')]).toEqual([12, '0/6/6', '0/6/6']);
    expect(world.queue).toEqual({});
  });

  it('the held cluster fails: Karmada evicts it, and the hold ends', async () => {
    const world = await heldWorld();
    world.fleet.fail('member2');
    await world.pass(60);
    expect(Object.keys(world.queue)).not.toContain('member2');
    expect(world.shares('assigned').split('/')[1]).toBe('0');
  });

  it('the workload is scaled up: what is kept is kept', async () => {
    const world = await heldWorld();
    world.editWorkload({ replicas: 18 });
    const curve = await world.curve(5);
    expect(Math.min(...curve)).toBe(12);
  });

  it('the workload is scaled to 0: it goes at once', async () => {
    const world = await heldWorld();
    world.editWorkload({ replicas: 0 });
    await world.pass(5);
    expect([world.shares('ready'), world.queue]).toEqual(['0/0/0', {}]);
  });

  it('the workload is deleted: its binding goes with all it held, and the schedule finds nothing', async () => {
    const world = await heldWorld();
    world.store.delete('deployments', { namespace: 'shop', name: 'web' }, user);
    await world.pass(700);
    expect([world.store.list('resourcebindings'), world.deadLetters]).toEqual([[], []]);
  });

  it('the strategy is taken from the policy: it is released', async () => {
    const world = await heldWorld();
    world.editPolicy({ metadata: { annotations: { [STRATEGY]: null } } });
    await world.pass(10);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
    expect(world.bindingObject.metadata.annotations).not.toHaveProperty(STRATEGY);
  });

  it('another user writes the queue: size and time stay unchanged', async () => {
    const world = await heldWorld();
    const before = world.queue;
    const text = '{"replicas": 1, "gracePeriodSeconds": 700, "creationTimestamp": "2001-01-01T00:00:00Z"}';
    world.editBinding({ metadata: { annotations: { 'replica-reduction-queue.evenkeel.dev/member2': text } } });
    await world.pass(1);
    expect(world.queue).toEqual({ ...before, member2: { ...(before.member2 as object), gracePeriodSeconds: 700 } });
  });

  it('a policy leaves it alone until its move is over', async () => {
    const world = await heldWorld();
    const spec = { triggers: { schedule: { cron: '* * * * *' } }, strategy: { coolDown: '0s' } };
    const header = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata: { name: 'always' } };
    world.store.create('rebalancepolicies', { ...header, spec }, user);
    await world.pass(200);
    expect(world.store.list('workloadrebalancers').map(({ metadata }) => metadata.name)).toEqual(['home']);
  });
});

describe('a change of the template', () => {
  const template = { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } };

  it('is waited for as well, and bounded by the grace', async () => {
    const world = await heldWorld();
    world.editWorkload(template);
    await world.pass(300);
    expect(world.shares('ready')).toBe('0/6/6');
    await world.pass(300);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
  });

  it('ends the wait where that was chosen', async () => {
    const world = await heldWorld({ settings: { reductionTemplateRelease: 1 } });
    world.editWorkload(template);
    await world.pass(10);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
  });
});

describe('a hub whose policy was away', () => {
  it('has held by resync what could still be held', async () => {
    const world = new GracefulWorld();
    await world.begin();
    await world.away();
    const name = 'evenkeel-replica-reductions';
    const policy = world.store.get('mutatingadmissionpolicybindings', { namespace: '', name });
    world.store.delete('mutatingadmissionpolicybindings', { namespace: '', name }, user);
    world.hook = false;
    // Members are updated later, as if Karmada's controllers were unavailable for a while.
    world.editBinding({ spec: { suspension: { dispatching: true } } });
    world.editBinding({
      spec: { clusters: ['member1', 'member2', 'member3'].map((each) => ({ name: each, replicas: 4 })) },
    });
    await world.pass(5);
    expect(world.queue).toEqual({});
    const { metadata: _, ...again } = policy as unknown as Record<string, unknown>;
    world.store.create('mutatingadmissionpolicybindings', { ...again, metadata: { name } }, user);
    await world.resync();
    await world.pass(5);
    expect(Object.keys(world.queue)).toEqual(['member2', 'member3']);
    world.editBinding({ spec: { suspension: { dispatching: null } } });
    const curve = await world.curve(40);
    await world.resync();
    await world.pass(5);
    expect([Math.min(...curve), world.shares('ready'), world.queue]).toEqual([12, '4/4/4', {}]);
  });
});

describe('whatever is delivered how often', () => {
  it('a lost reply to the release changes nothing', async () => {
    const world = new GracefulWorld();
    await world.begin();
    await world.away();
    let lost = 0;
    world.hub.interference = {
      after: ({ verb, plural }) => {
        if (verb !== 'patch' || plural !== 'resourcebindings' || lost >= 3) return;
        lost += 1;
        throw new Error('the connection was lost');
      },
    };
    world.create('home', [workload]);
    const curve = await world.curve(60);
    expect([Math.min(...curve), world.shares('ready'), world.queue, lost]).toEqual([12, '4/4/4', {}, 3]);
  });

  it('the same event a hundred times writes once', async () => {
    const world = await heldWorld();
    const before = world.patches().length;
    for (let i = 0; i < 100; i++) void world.publishBinding({ namespace: 'shop', name: 'web-deployment' });
    await world.pass(5);
    expect(world.patches().length).toBe(before);
  });
});
