import { describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { asking } from '../../fakes/ask.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const [a, b] = [deployment('a'), deployment('b')];

async function rebalanced(): Promise<World> {
  const world = new World();
  world.bind([a, b]);
  world.create('demo', [a, b, deployment('gone')], 600);
  await world.pass(30);
  return world;
}

describe('a question about rebalances', () => {
  it('lists them with their counts, the one that changed last first', async () => {
    const world = await rebalanced();
    world.create('later', [a]);
    await world.pass(30);
    const { tasks } = await asking(world.answerers)('listTasks', { hub: 'karmada' });
    expect(tasks.map(({ name, state, workloads, successful, failed }) => [name, state, workloads, successful, failed]))
      // One line each.
      .toEqual([
        ['later', 'Finished', 1, 1, 0],
        ['demo', 'Finished', 3, 2, 1],
      ]);
  });

  it('tells of one what became of each workload and why, and when it will be gone', async () => {
    const world = await rebalanced();
    const { task, workloads } = await asking(world.answerers)('getTask', { hub: 'karmada', name: 'demo' });
    expect(task).toMatchObject({ state: 'Finished', rescheduling: { state: 'Confirmed', confirmed: 2 } });
    expect(Date.parse(task.deletedAt ?? '') - Date.parse(task.finishedAt ?? '')).toBe(600_000);
    expect(workloads.map(({ workload, result, reason }) => [workload.name, result, reason])).toEqual([
      ['a', 'Successful', undefined],
      ['b', 'Successful', undefined],
      ['gone', 'Failed', 'ReferencedBindingNotFound'],
    ]);
    expect(workloads[0]?.why).toContain('triggered');
  });

  it('gives its workloads from a place on', async () => {
    const world = await rebalanced();
    const ask = asking(world.answerers);
    const { workloads } = await ask('getTask', { hub: 'karmada', name: 'demo', from: 2 });
    expect(workloads.map(({ workload }) => workload.name)).toEqual(['gone']);
  });

  it('says of one that is not known what to do', async () => {
    const world = await rebalanced();
    await expect(asking(world.answerers)('getTask', { hub: 'karmada', name: 'other' })).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'hub karmada has no rebalance other among its last 500; one that is new takes a second',
    });
  });
});

describe('a question about the fleet', () => {
  it('has every cluster, and of every workload its replicas in each, ready and not', async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    world.run('api', 3);
    await world.pass(30);
    world.fleet.fail('member2');
    await world.pass(2);
    const { clusters, workloads } = await asking(world.answerers)('getFleet', { hub: 'karmada' });
    expect(clusters.map(({ name, well }) => [name, well])).toEqual([
      ['member1', true],
      ['member2', false],
      ['member3', true],
    ]);
    expect(clusters[0]?.pods).toEqual({ allocatable: 40, allocated: 5 });
    expect(workloads.map(({ name, kind, replicas, shares }) => [name, kind, replicas, shares])).toEqual([
      [
        'api',
        'Deployment',
        3,
        [
          [0, 1, 1, 0],
          [1, 1, 1, 0],
          [2, 1, 1, 0],
        ],
      ],
      [
        'web',
        'Deployment',
        12,
        [
          [0, 4, 4, 0],
          [1, 4, 4, 0],
          [2, 4, 4, 0],
        ],
      ],
    ]);
  });

  it('is read once, however many ask in the same moment', async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    await world.pass(30);
    const ask = asking(world.answerers);
    const before = world.hub.calls.length;
    await Promise.all(Array.from({ length: 20 }, () => ask('getFleet', { hub: 'karmada' })));
    const lists = world.hub.calls.slice(before).filter(({ verb, plural }) => verb === 'list' && plural === 'clusters');
    expect(lists).toHaveLength(1);
    await world.pass(2);
    await ask('getFleet', { hub: 'karmada' });
    expect(world.hub.calls.slice(before).filter(({ plural }) => plural === 'clusters')).toHaveLength(2);
  });

  it('tells of a workload where it is, what a rebalance would make of it, and how it came there', async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    await world.pass(30);
    world.fleet.fail('member2');
    await world.pass(120);
    world.fleet.recover('member2');
    await world.pass(30);
    const ask = asking(world.answerers);
    const before = await ask('getWorkload', { hub: 'karmada', namespace: 'shop', name: 'web-deployment' });
    expect(before.clusters.map(({ name, assigned, ready }) => [name, assigned, ready])).toEqual([
      ['member1', 6, 6],
      ['member3', 6, 6],
    ]);
    expect(before.plan).toMatchObject({ fresh: { member1: 4, member2: 4, member3: 4 }, moves: 4, outcome: 'Success' });
    expect(before.history.map(({ who }) => who)).toEqual(['scheduler default-scheduler']);
    const { name } = await ask('createRebalancer', { hub: 'karmada', workloads: [before.workload] });
    await world.pass(30);
    const after = await ask('getWorkload', { hub: 'karmada', namespace: 'shop', name: 'web-deployment' });
    expect(after.clusters.map(({ assigned }) => assigned)).toEqual([4, 4, 4]);
    expect(after.history.map(({ who, what }) => [who, what])).toContainEqual([`WorkloadRebalancer ${name}`, 'written']);
  });

  it('says of a binding that is not there how bindings are called', async () => {
    const world = new PolicyWorld();
    const asked = asking(world.answerers)('getWorkload', { hub: 'karmada', namespace: 'shop', name: 'web' });
    await expect(asked).rejects.toThrow(
      'hub karmada has no binding shop/web; that of Deployment web is web-deployment',
    );
  });
});

describe('a question about health', () => {
  it('tells of a hub when it was compared last, and which estimators are silent', async () => {
    const world = new World();
    const ask = asking(world.answerers);
    world.bind([a]);
    await world.resync();
    await world.pass(10);
    world.telemetry.outcome('EK310', { hub: 'karmada', cluster: 'member1', reason: 'Away', error: 'no answer' });
    world.telemetry.outcome('EK200', { hub: 'karmada', inFlight: 4 });
    const { hubs, queues } = await ask('getHealth', {});
    expect(queues.every(({ waiting }) => waiting === 0)).toBe(true);
    expect(hubs).toEqual([
      {
        name: 'karmada',
        // A route's events wait for two seconds, to be handled together.
        resyncedAt: '2026-11-21T10:00:02Z',
        silentEstimators: [{ cluster: 'member1', at: '2026-11-21T10:00:10Z', error: 'no answer' }],
        slowed: { at: '2026-11-21T10:00:10Z', inFlight: 4 },
      },
    ]);
  });

  it('still tells of queues where the logs cannot be read', async () => {
    const world = new World();
    world.telemetry.lines = () => Promise.reject(new Error('closed'));
    const { hubs, queues, unread } = await asking(world.answerers)('getHealth', {});
    expect(queues).toHaveLength(20);
    expect([hubs, unread]).toEqual([[{ name: 'karmada', silentEstimators: [] }], 'Error: closed']);
  });
});

describe('an order', () => {
  it('creates the standard object, which is carried out as any other', async () => {
    const world = new World();
    world.bind([a, b]);
    const ask = asking(world.answerers);
    const { name, uid } = await ask('createRebalancer', {
      hub: 'karmada',
      workloads: [b, a, a],
      ttlSecondsAfterFinished: 60,
    });
    expect(world.rebalancer(name)?.metadata.uid).toBe(uid);
    await world.pass(20);
    expect(world.results(name)).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    await world.pass(90);
    expect(world.rebalancer(name)).toBe(undefined);
  });

  it('pauses a hub: nothing is written on it, and people still see it', async () => {
    const world = new World();
    world.bind([a]);
    const ask = asking(world.answerers);
    const { paused, withinSeconds } = await ask('pauseHub', { hub: 'karmada', reason: 'upgrade' });
    expect(withinSeconds).toBe(60);
    expect(await ask('listHubs', {})).toEqual({ hubs: [{ name: 'karmada', paused }] });
    world.create('demo', [a]);
    await world.resync();
    await world.pass(600);
    expect(world.patches()).toEqual([]);
    expect(world.deadLetters).toEqual([]);
    expect((await ask('getFleet', { hub: 'karmada' })).workloads).toHaveLength(1);
    await expect(ask('createRebalancer', { hub: 'karmada', workloads: [a] })).rejects.toMatchObject({
      reason: 'HubPaused',
      message: expect.stringMatching(/^hub karmada has been paused since .* \(upgrade\); resume it first$/) as string,
    });
    expect(await ask('resumeHub', { hub: 'karmada' })).toEqual({ wasPaused: true });
    await world.pass(30);
    expect(world.results('demo')).toEqual(['Deployment shop/a=Successful']);
    expect(await ask('resumeHub', { hub: 'karmada' })).toEqual({ wasPaused: false });
  });

  it('has a hub compared at once', async () => {
    const world = new World({ hook: false });
    world.bind([a]);
    world.create('demo', [a]);
    const { asked } = await asking(world.answerers)('resyncHub', { hub: 'karmada' });
    expect(asked).toEqual(['ResyncDue', 'DeschedulingDue']);
    await world.pass(10);
    expect(world.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });

  it('has a dead letter delivered again, and it is one no more', async () => {
    const world = new World();
    const ask = asking(world.answerers);
    world.bind([a]);
    let down = true;
    world.hub.interference.before = () => {
      if (down) throw passing();
    };
    world.create('demo', [a]);
    await world.pass(600);
    const { deadLetters } = await ask('listDeadLetters', {});
    expect(deadLetters).toMatchObject([
      { queue: 'plan-rebalance', event: 'WorkloadRebalancerChanged', detail: { hub: 'karmada', name: 'demo' } },
    ]);
    expect(deadLetters[0]?.reason).toBe('HubUnreachable');
    const { queues } = await ask('getHealth', {});
    expect(queues.filter((queue) => queue.deadLetters > 0).map(({ name }) => name)).toEqual(['plan-rebalance']);
    down = false;
    expect(await ask('redriveDeadLetters', { ids: deadLetters.map(({ id }) => id) })).toEqual({ redriven: 1 });
    await world.pass(30);
    expect(world.results('demo')).toEqual(['Deployment shop/a=Successful']);
    expect(await ask('listDeadLetters', {})).toEqual({ deadLetters: [] });
  });

  it('of a queue that there is not is refused', async () => {
    const world = new World();
    await expect(asking(world.answerers)('redriveDeadLetters', { queue: 'other' })).rejects.toMatchObject({
      reason: 'UnknownQueue',
    });
  });
});
