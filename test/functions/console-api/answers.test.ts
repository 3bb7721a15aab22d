import { describe, expect, it } from 'vitest';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { at, deployment } from '../../builders.ts';
import { asking } from '../../fakes/ask.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const policyRun = {
  ...({
    triggers: [],
    state: 'Running',
    message: '',
    startedAt: at(0),
    waves: 1,
    wavesDone: 0,
    notBefore: at(0),
  } as const),
  ...{ workloads: 1, moved: 0, skipped: 0 },
} as const;
const [a, b] = [deployment('a'), deployment('b')];

async function rebalanced(): Promise<World> {
  const world = new World();
  world.bind([a, b]);
  world.create('demo', [a, b, deployment('gone')], 600);
  await world.pass(30);
  return world;
}

describe('a input about rebalances', () => {
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

  it('reports the result and reason of each workload, and when the rebalancer expires', async () => {
    const world = await rebalanced();
    const { task, workloads } = await asking(world.answerers)('getTask', { hub: 'karmada', name: 'demo' });
    expect(task).toMatchObject({ state: 'Finished', rescheduling: { state: 'Confirmed', confirmed: 2, gone: 0 } });
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

  it('finds a task by its uid while the index lacks it', async () => {
    const world = await rebalanced();
    const ask = asking(world.answerers);
    const { tasks } = await ask('listTasks', { hub: 'karmada' });
    const { uid } = tasks.find(({ name }) => name === 'demo') ?? { uid: '' };
    // DynamoDB updates the sort key of an index in two steps, and between them the index has no such row.
    world.tasks.recent = async () => [];
    await expect(ask('getTask', { hub: 'karmada', name: 'demo' })).rejects.toMatchObject({ reason: 'NotFound' });
    expect(await ask('getTask', { hub: 'karmada', name: 'demo', uid })).toMatchObject({ task: { name: 'demo', uid } });
  });

  it('reports the remedy for an unknown rebalancer', async () => {
    const world = await rebalanced();
    await expect(asking(world.answerers)('getTask', { hub: 'karmada', name: 'other' })).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'hub karmada has no rebalance other among its last 500; one that is new takes a second',
    });
  });
});

describe('a input about the run of a policy', () => {
  it('has what it decided, of the one that is named', async () => {
    const world = new World();
    const key = { hub: 'karmada', uid: 'uid-failback' };
    for (const run of ['run-1', 'run-2']) {
      const record = { ...key, name: 'failback', run: { ...policyRun, run } };
      await world.policies.recordRun('karmada', record);
      const decision = { workload: a, binding: { namespace: 'shop', name: 'a-deployment' }, why: run };
      const workloads = [{ ...decision, current: {}, next: {}, moves: 1 }];
      await world.policies.writeWave({ ...key, run, number: 0, workloads }, 1);
    }
    const ask = asking(world.answerers);
    const { run, decisions } = await ask('getRun', { hub: 'karmada', run: 'run-1' });
    expect([run.run, decisions.map(({ reason }) => reason)]).toEqual(['run-1', ['run-1']]);
    await expect(ask('getRun', { hub: 'karmada', run: 'run-3' })).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'hub karmada has no run run-3 among its last 500',
    });
  });
});

describe('a input about the fleet', () => {
  it('has every cluster, and of every workload its replicas in each, ready and not', async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    world.run('api', 3);
    await world.pass(30);
    world.fleet.fail('member2');
    await world.pass(2);
    const { clusters, workloads } = await asking(world.answerers)('getFleet', { hub: 'karmada' });
    expect(clusters.map(({ name, healthy }) => [name, healthy])).toEqual([
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

  it('reports the placement of a workload, what a rebalance would change, and its history', async () => {
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

  it('reports how bindings are named if a binding does not exist', async () => {
    const world = new PolicyWorld();
    const asked = asking(world.answerers)('getWorkload', { hub: 'karmada', namespace: 'shop', name: 'web' });
    await expect(asked).rejects.toThrow(
      'hub karmada has no binding shop/web; that of Deployment web is web-deployment',
    );
  });
});

describe('a input about health', () => {
  it('reports which estimators of a hub do not answer, and when it was slow', async () => {
    const world = new World();
    const ask = asking(world.answerers);
    await world.pass(10);
    world.telemetry.outcome('EK310', { hub: 'karmada', cluster: 'member1', reason: 'Away', error: 'no answer' });
    world.telemetry.outcome('EK200', { hub: 'karmada', inFlight: 4 });
    const { hubs, queues } = await ask('getHealth', {});
    expect(queues.every(({ waiting }) => waiting === 0)).toBe(true);
    expect(hubs).toEqual([
      {
        name: 'karmada',
        silentEstimators: [{ cluster: 'member1', at: '2026-11-21T10:00:10Z', error: 'no answer' }],
        slowed: { at: '2026-11-21T10:00:10Z', inFlight: 4 },
        findings: [
          {
            level: 'warning',
            code: 'EstimatorSilent',
            text: 'the estimator of member1 has not answered: no answer',
            remedy: 'docs/operations/runbook.md#silent-estimators',
            section: 'silent-estimators',
          },
          {
            level: 'warning',
            code: 'HubSlow',
            text: 'slow since 2026-11-21T10:00:10Z: 4 requests at once',
            remedy: 'docs/operations/runbook.md#old-messages',
            section: 'old-messages',
          },
        ],
      },
    ]);
  });

  it('still reports queues if the logs cannot be read', async () => {
    const world = new World();
    world.telemetry.lines = () => Promise.reject(new Error('closed'));
    const { hubs, queues, unread } = await asking(world.answerers)('getHealth', {});
    expect(queues).toHaveLength(24);
    expect([hubs, unread]).toEqual([[{ name: 'karmada', silentEstimators: [], findings: [] }], 'Error: closed']);
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

  it('reports for each hub whether it is reachable, and when resync last succeeded', async () => {
    const world = new World();
    const ask = asking(world.answerers);
    const reach = async () => (await ask('listHubs', {})).hubs[0]?.reach;
    expect(await reach()).toEqual({ state: 'NotCompared', message: 'it was never compared with its tasks' });
    await world.resync();
    await world.pass(10);
    const comparedAt = '2026-11-21T10:00:00Z';
    expect(await reach()).toEqual({ state: 'Reachable', comparedAt });
    world.hub.interference.before = () => {
      throw passing();
    };
    await world.resync();
    await world.pass(600);
    expect(await reach()).toEqual({ state: 'Unreachable', message: passing().message, comparedAt });
    world.hub.interference.before = () => {};
    await world.pass(600);
    expect(await reach()).toMatchObject({ state: 'NotCompared', comparedAt });
  });

  it('pauses a hub: nothing is written to it, and users can still read it', async () => {
    const world = new World();
    world.bind([a]);
    const ask = asking(world.answerers);
    const { paused, withinSeconds } = await ask('pauseHub', { hub: 'karmada', reason: 'upgrade' });
    expect(withinSeconds).toBe(5);
    expect(await ask('listHubs', {})).toMatchObject({ hubs: [{ name: 'karmada', paused }] });
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

  it('releases what is held on a hub that is paused, where that is asked for, and counts it', async () => {
    for (const [releaseHolds, released, left] of [
      [undefined, 0, 2],
      [true, 2, 0],
    ] as const) {
      const world = new World();
      world.bind([a, b]);
      const binding = { namespace: 'shop', name: 'a-deployment' };
      const queue = Object.fromEntries(['m1', 'm2'].map((name) => [`${QUEUE}${name}`, '{"replicas":3}']));
      const body = { metadata: { annotations: queue } };
      world.store.patch('resourcebindings', binding, { type: 'merge', body }, user);
      const answer = await asking(world.answerers)('pauseHub', { hub: 'karmada', releaseHolds });
      expect(answer).toMatchObject({ released, paused: { reason: '' } });
      const { annotations = {} } = world.store.get('resourcebindings', binding)?.metadata ?? {};
      expect(Object.keys(annotations).filter((name) => name.startsWith(QUEUE))).toHaveLength(left);
    }
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

  it('is rejected for an unknown queue', async () => {
    const world = new World();
    await expect(asking(world.answerers)('redriveDeadLetters', { queue: 'other' })).rejects.toMatchObject({
      reason: 'UnknownQueue',
    });
  });
});
