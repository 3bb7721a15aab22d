/** Each alarm of the stack fires when its cause is broken in a whole deployment, and no other does. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task as readAuditLog } from '../../functions/cluster-hook/read-audit-log.lambda.ts';
import { Fault } from '../../shared/core/fault.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import { RESCHEDULING_POLICY } from '../../shared/karmada/rescheduling-policy.ts';
import { onLogs } from '../../shared/runtime/logs-task.ts';
import { deployment } from '../builders.ts';
import { auditEventOf, type HookCall, type HookScene, hookScene } from '../fakes/hook-scene.ts';
import { hookAccess } from '../fakes/one-hub.ts';
import { passing } from '../fakes/store-hub.ts';
import { World } from '../fakes/world.ts';
import { bindingObject, clusterObject, statusOf } from '../functions/descheduler/scene.ts';
import { borrowing, ElasticWorld } from '../functions/elastic-workload/scene.ts';
import { GracefulWorld, heldWorld } from '../functions/graceful-reduction/scene.ts';
import { PolicyWorld } from '../functions/rebalance-policy/scene.ts';
import { alarms, firedAlarms, type Sample, shortNameOf } from './alarm-model.ts';
import { WatchedWorld } from './watched-world.ts';

const [web, api, cart] = [deployment('web'), deployment('api'), deployment('cart')];
const actor = { username: 'karmada', manager: 'karmada' };

interface Placed {
  readonly assigned: Readonly<Record<string, number>>;
  readonly ready: Readonly<Record<string, number>>;
}

/** As a scheduler and the members of a hub write the binding of a Deployment. */
function place(world: World, workload: string, { assigned, ready }: Placed): void {
  const key = { namespace: 'shop', name: `${workload}-deployment` };
  const clusters = Object.entries(assigned).map(([name, replicas]) => ({ name, replicas }));
  const aggregatedStatus = Object.entries(ready).map(([clusterName, readyReplicas]) => ({
    clusterName,
    status: { replicas: readyReplicas, readyReplicas },
  }));
  world.store.patch('resourcebindings', key, { type: 'merge', body: { spec: { clusters } } }, actor);
  const status = { type: 'merge', body: { status: { aggregatedStatus } }, subresource: 'status' } as const;
  world.store.patch('resourcebindings', key, status, actor);
}

/** The alarms that fire when something happens to a deployment. */
const causes: Readonly<
  Record<string, { readonly fires: readonly string[]; readonly play: () => Promise<readonly string[]> }>
> = {
  'nothing, while workloads are rebalanced, moved home and released': {
    fires: [],
    play: async () => {
      const world = new GracefulWorld({ history: true, budgets: true });
      const watched = new WatchedWorld(world);
      await world.begin();
      await world.away();
      await watched.pass(10);
      world.create('home', [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }]);
      await watched.pass(60);
      expect(world.shares('ready')).toBe('4/4/4');
      return watched.fired;
    },
  },
  'a scheduler that does not act on triggers': {
    fires: ['rescheduling-overdue-hubs'],
    play: async () => {
      const world = new World({ scheduler: false });
      const watched = new WatchedWorld(world);
      world.bind([web, api]);
      world.create('demo', [web, api]);
      await watched.pass(15);
      return watched.fired;
    },
  },
  'a scheduler that does not act on the triggers of three workloads': {
    fires: ['objective-rescheduling-burns', 'rescheduling-overdue-hubs'],
    play: async () => {
      const world = new World({ scheduler: false });
      const watched = new WatchedWorld(world);
      world.bind([web, api, cart]);
      world.create('demo', [web, api, cart]);
      await watched.pass(15);
      return watched.fired;
    },
  },
  'a bus that loses the events of rebalancers, which resync finds minutes later': {
    fires: ['objective-triggers-burns'],
    play: async () => {
      const world = new World();
      const watched = new WatchedWorld(world);
      let isLost = true;
      watched.lose(({ type }) => isLost && type === 'WorkloadRebalancerChanged');
      world.bind([web, api, cart]);
      world.create('demo', [web, api, cart]);
      await watched.pass(3);
      isLost = false;
      await watched.pass(10);
      return watched.fired;
    },
  },
  'a message that no function can parse': {
    fires: ['dead-letters-events', 'dead-letters-queues-1'],
    play: async () => {
      const world = new World();
      const watched = new WatchedWorld(world);
      for (const [route, queue] of world.bus.queues) if (route.name === 'plan-rebalance') queue.send('no JSON');
      await watched.pass(10);
      return watched.fired;
    },
  },
  'a hub that answers nothing for ten minutes': {
    fires: ['expired-schedules-hubs'],
    play: async () => {
      const world = new World();
      const watched = new WatchedWorld(world);
      await watched.pass(6);
      world.hub.interference.before = () => {
        throw passing();
      };
      await watched.pass(10);
      world.hub.interference.before = () => undefined;
      await watched.pass(15);
      return watched.fired;
    },
  },
  'a rule that loses the resyncs of a hub': {
    // The same fault: each resync that it loses is one that misses the objective.
    fires: ['objective-comparisons-burns', 'silent-resync-hubs'],
    play: async () => {
      const world = new World();
      const watched = new WatchedWorld(world);
      await watched.pass(6);
      watched.lose(({ type }) => type === 'ResyncDue');
      await watched.pass(40);
      return watched.fired;
    },
  },
  'a schedule of every minute that is disabled': {
    fires: ['silent-resync-schedules'],
    play: async () => {
      const watched = new WatchedWorld(new World());
      await watched.pass(5);
      watched.isScheduled = false;
      await watched.pass(15);
      return watched.fired;
    },
  },
  'an estimator that is away for a quarter of an hour': {
    fires: ['silent-estimators-hubs'],
    play: async () => {
      const world = new World({ scheduler: false });
      const watched = new WatchedWorld(world);
      for (const name of ['m1', 'm2']) {
        const { status, ...object } = clusterObject(name, 5);
        world.store.create('clusters', object, actor);
        world.store.patch(
          'clusters',
          { namespace: '', name },
          { type: 'merge', body: { status }, subresource: 'status' },
          actor,
        );
      }
      const held = { m1: [5, 2], m2: [2, 2] } as const;
      const annotations = { [RESCHEDULING_POLICY]: 'OnUnschedulable' };
      const object = bindingObject(held, { annotations });
      world.store.create('resourcebindings', object, actor);
      const patch = { type: 'merge', body: { status: statusOf(held) }, subresource: 'status' } as const;
      world.store.patch('resourcebindings', object.metadata, patch, actor);
      world.estimator = {
        unschedulableReplicas: () => Promise.reject(passing('EstimatorTimeout')),
        maxAvailableReplicas: async () => undefined,
      };
      await watched.pass(20);
      return watched.fired;
    },
  },
  'a wave of a policy that does not become ready': {
    fires: ['stopped-policies-hubs'],
    play: async () => {
      const members = ['member1', 'member2', 'member3'].map((name) => ({ name, capacity: 24, readyDelayMs: 2000 }));
      const world = new PolicyWorld(members);
      const watched = new WatchedWorld(world);
      for (const name of ['w1', 'w2', 'w3', 'w4']) world.run(name, 3);
      const triggers = { clusterRecovered: { stableFor: '1m' } };
      world.policy('home', { triggers, strategy: { waves: { size: 2, readyWithin: '2m' } } });
      await watched.pass(1);
      world.fleet.fail('member1');
      await watched.pass(1);
      world.fleet.recover('member1');
      world.fleet.setReadyDelay('member1', 3600_000);
      await watched.pass(10);
      return watched.fired;
    },
  },
  'a reduction whose replacement is not ready at the end of its grace period': {
    fires: ['late-reductions-hubs'],
    play: async () => {
      const world = await heldWorld();
      const watched = new WatchedWorld(world);
      await watched.pass(15);
      expect(world.queue).toEqual({});
      return watched.fired;
    },
  },
  'a bus that loses the events of due reductions': {
    fires: ['overdue-reductions-hubs'],
    play: async () => {
      const world = await heldWorld();
      const watched = new WatchedWorld(world);
      watched.lose(({ type }) => type.startsWith('Reduction'));
      await watched.pass(20);
      return watched.fired;
    },
  },
  'a bus that loses the events of due reductions for so long that several resyncs find them': {
    fires: ['objective-holds-burns', 'overdue-reductions-hubs'],
    play: async () => {
      const world = await heldWorld();
      const watched = new WatchedWorld(world);
      watched.lose(({ type }) => type.startsWith('Reduction'));
      await watched.pass(40);
      return watched.fired;
    },
  },
  'moves of three workloads whose replicas stop minutes before others are ready': {
    fires: ['objective-readiness-burns'],
    play: async () => {
      const world = new World({ history: true });
      const watched = new WatchedWorld(world);
      const workloads = [web, api, cart];
      world.bind(workloads);
      for (const { name } of workloads) place(world, name, { assigned: { m1: 2 }, ready: { m1: 2 } });
      await watched.pass(2);
      world.create('bring-back', workloads);
      await watched.pass(1);
      for (const { name } of workloads) place(world, name, { assigned: { m2: 2 }, ready: { m1: 2 } });
      await watched.pass(1);
      for (const { name } of workloads) place(world, name, { assigned: { m2: 2 }, ready: {} });
      await watched.pass(5);
      for (const { name } of workloads) place(world, name, { assigned: { m2: 2 }, ready: { m2: 2 } });
      await watched.pass(10);
      return watched.fired;
    },
  },
  'an ElasticWorkload that no cluster has capacity for': {
    fires: ['unplaced-replicas-hubs'],
    play: async () => {
      const world = new ElasticWorld();
      const watched = new WatchedWorld(world);
      for (const name of ['spoke1', 'spoke2', 'spoke3']) world.fleet.managedClusters.setCapacity(name, 2);
      world.run('web', { total: 12, balance: borrowing });
      await watched.pass(40);
      return watched.fired;
    },
  },
};

describe('the alarms that fire on', () => {
  it.each(Object.keys(causes))('%s', async (cause) => {
    expect(await causes[cause]?.play()).toEqual(causes[cause]?.fires);
  });
});

const FROM = Date.parse('2026-11-21T10:00:00Z');
const MINUTE = 60_000;
/** The function that publishes recurring events runs. */
const ticking = Array.from({ length: 60 }, (_, minute) => ({
  metric: 'SchedulesPublished',
  value: 1,
  at: FROM + minute * MINUTE,
}));

/** The alarms over an hour with these samples, each as many minutes after its begin. */
function firedOn(samples: readonly (Omit<Sample, 'at'> & { readonly minute: number })[]): readonly string[] {
  const timed = samples.map(({ minute, ...sample }) => ({ ...sample, at: FROM + minute * MINUTE }));
  return firedAlarms({ samples: [...ticking, ...timed], from: FROM, until: FROM + 60 * MINUTE });
}

/** A value in each minute of a span. */
const during = (minutes: number, sample: Omit<Sample, 'at'>) =>
  Array.from({ length: minutes }, (_, i) => ({ ...sample, minute: 5 + i }));

describe('the alarms that fire on what AWS reports', () => {
  const age = { metric: 'ApproximateAgeOfOldestMessage', of: 'evenkeel-plan-rebalance' };
  const throttle = { metric: 'Throttles', of: 'evenkeel-plan-rebalance', value: 1 };

  it.each([
    ['nothing', [], []],
    [
      'a schedule that could not put its event on the bus',
      during(1, {
        metric: 'ApproximateNumberOfMessagesVisible',
        of: 'evenkeel-one-time-schedules-dead-letters',
        value: 1,
      }),
      ['lost-schedules-one-time-schedules'],
    ],
    [
      'an event that EventBridge could not deliver',
      during(1, { metric: 'ApproximateNumberOfMessagesVisible', of: 'evenkeel-plan-rebalance-dead-letters', value: 1 }),
      ['dead-letters-queues-1'],
    ],
    ['a message that waits for ten minutes', during(10, { ...age, value: 600 }), []],
    ['a message that waits for a quarter of an hour', during(10, { ...age, value: 900 }), ['old-messages-queues-1']],
    [
      'a function that crashes once',
      during(1, { metric: 'Errors', of: 'evenkeel-plan-rebalance', value: 1 }),
      ['function-errors-functions-1'],
    ],
    ['a function that is throttled for ten minutes', during(10, throttle), []],
    ['a function that is throttled for a quarter of an hour', during(15, throttle), ['function-throttles-functions-1']],
  ] as const)('%s', (_, samples, fires) => {
    expect(firedOn(samples)).toEqual(fires);
  });
});

describe('the alarm of an objective', () => {
  /** Hours with these triggers in each, the first at its begin. */
  function firedIn(hours: readonly { readonly kept: number; readonly missed: number }[]): readonly string[] {
    const samples = hours.flatMap(({ kept, missed }, hour) =>
      [
        { metric: 'TriggersInTime', value: kept },
        { metric: 'TriggersLate', value: missed },
      ].flatMap((sample) => (sample.value === 0 ? [] : [{ ...sample, at: FROM + hour * 60 * MINUTE }])),
    );
    const until = FROM + hours.length * 60 * MINUTE;
    const minutes = Array.from({ length: hours.length * 60 }, (_, i) => FROM + i * MINUTE);
    const published = minutes.map((at) => ({ metric: 'SchedulesPublished', value: 1, at }));
    return firedAlarms({ samples: [...published, ...samples], from: FROM, until });
  }

  const hours = (count: number, hour: { readonly kept: number; readonly missed: number }) =>
    Array.from({ length: count }, () => hour);
  const calm = hours(20, { kept: 200, missed: 0 });
  const burns = ['objective-triggers-burns'];

  it.each([
    ['fires at 14.4 times the rate within an hour', [...calm, { kept: 85, missed: 15 }], burns],
    ['does not fire below that', [...calm, { kept: 86, missed: 14 }], []],
    ['fires at three times the rate within a day', hours(12, { kept: 96, missed: 4 }), burns],
    ['does not fire at twice the rate', hours(24, { kept: 98, missed: 2 }), []],
    ['does not fire on two missed of two', [{ kept: 0, missed: 2 }], []],
    ['fires on three missed in a day on a quiet hub', hours(3, { kept: 0, missed: 1 }), burns],
    [
      'does not fire on a fault that is over: the short windows have none',
      [...hours(3, { kept: 1000, missed: 0 }), { kept: 0, missed: 2 }, { kept: 0, missed: 0 }, { kept: 0, missed: 2 }],
      [],
    ],
  ])('%s', (_, given, fires) => {
    expect(firedIn(given)).toEqual(fires);
  });
});

describe('the alarms that fire on requests to the hook', () => {
  const hubs = { karmada: { hookTokens: ['right'] } };
  const good = JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [auditEventOf('demo')] });

  /** As the API and the receiver report these requests. */
  async function reported(scene: HookScene, calls: readonly HookCall[]): Promise<readonly string[]> {
    const answers = await Promise.all(calls.map((call) => scene.post(call)));
    const statuses = answers.flatMap(({ status = 0 }) => (status >= 400 ? [status < 500 ? '4xx' : '5xx'] : []));
    return firedOn([
      ...statuses.map((metric) => ({ metric, value: 1, minute: 5 })),
      ...[...scene.counts].map(([metric, value]) => ({ metric, value, minute: 5, dimensions: { hub: 'karmada' } })),
    ]);
  }

  const times = (count: number, call: HookCall) => Array.from({ length: count }, () => call);

  it.each([
    ['with the right token', times(20, { body: good, bearer: 'right' }), []],
    ['with a token that a rotation has just replaced', times(9, { body: good, bearer: 'old' }), []],
    ['with a wrong token', times(10, { body: good, bearer: 'wrong' }), ['hook-rejections-4xx']],
    [
      'with an item that is no audit event',
      [{ body: good.replace('[{', '[{}, {'), bearer: 'right' }],
      ['unreadable-audit-events-hubs'],
    ],
  ] as const)('%s', async (_, calls, fires) => {
    expect(await reported(hookScene({ hubs }), calls)).toEqual(fires);
  });

  it('that the bus does not take', async () => {
    const bus = { publish: () => Promise.reject(new Fault('limited', 'throttled', { reason: 'ThrottlingException' })) };
    expect(await reported(hookScene({ hubs, bus }), [{ body: good, bearer: 'right' }])).toEqual(['hook-fails-5xx']);
  });

  it('and on a delivery of a log group that no hub has', async () => {
    const counts: string[] = [];
    const context = {
      settings: parseSettings({}),
      telemetry: {
        outcome: () => undefined,
        count: (metric: string) => void counts.push(metric),
        begin: () => undefined,
      },
      ...{ now: () => FROM, newId: () => 'id', timeLeft: () => Number.POSITIVE_INFINITY },
    };
    const ports = { hookAccess: () => hookAccess({}), bus: () => ({ publish: async () => undefined }) };
    const auditLogs = () => ({ hubOf: async () => undefined });
    const handler = onLogs(readAuditLog, ports, { context: () => context, auditLogs });
    const delivery = { messageType: 'DATA_MESSAGE', logGroup: '/unknown', subscriptionFilters: [], logEvents: [] };
    await handler({ awslogs: { data: gzipSync(JSON.stringify(delivery)).toString('base64') } }, {} as Context);
    expect(firedOn(counts.map((metric) => ({ metric, value: 1, minute: 5 })))).toEqual([
      'unreadable-audit-events-logs',
    ]);
  });
});

it('every alarm is one that a test here breaks, of those on groups of queues and functions the first', () => {
  const text = readFileSync(import.meta.filename, 'utf8');
  const unbroken = alarms.map(shortNameOf).filter((name) => !/-[2-9]$/.test(name) && !text.includes(`'${name}'`));
  expect(unbroken).toEqual([]);
});
