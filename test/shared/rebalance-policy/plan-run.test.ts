/** Whom a policy would move, in which waves, and why not the others. */
import { describe, expect, it } from 'vitest';
import { planFresh, sharedCapacities } from '../../../shared/karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { parseClusterDrain } from '../../../shared/rebalance-policy/cluster-drain.ts';
import type { EvaluationContext } from '../../../shared/rebalance-policy/evaluation-context.ts';
import { createRunPlanner, limitsOf, runPlanners } from '../../../shared/rebalance-policy/plan-run.ts';
import type { WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import type { Candidate } from '../../../shared/rebalance-policy/select-workloads.ts';
import { clusters, placedBinding } from '../../placed-objects.ts';
import {
  away,
  context,
  type Given,
  NOW,
  placement,
  plan,
  planRun,
  policy,
  recovered,
  scheduled,
} from './candidates.ts';

describe('skipped workloads and their reasons', () => {
  it.each<[string, Candidate, object, Partial<EvaluationContext>, string, string]>([
    ['its name', away('web'), { selector: { names: ['api'] } }, {}, 'unselected', 'its name is not selected'],
    [
      'an exclusion',
      away('web'),
      { selector: { exclude: { namespaces: ['shop'] } } },
      {},
      'unselected',
      'its namespace is excluded',
    ],
    ['being empty', away('web', { replicas: 0 }), {}, {}, 'unselected', 'it has no replicas to divide'],
    [
      'being scaled to none',
      away('web', { replicas: 0, spec: { replicaRequirements: { resourceRequest: { cpu: '1' } } } }),
      {},
      {},
      'unselected',
      'it has no replicas to divide',
    ],
    [
      "the workload's annotation",
      away('web', { annotations: { 'evenkeel.dev/rebalancing': 'Never' } }),
      {},
      {},
      'skipped',
      'evenkeel.dev/rebalancing on the workload keeps policies away',
    ],
    [
      'an unknown annotation value',
      away('web', { annotations: { 'evenkeel.dev/rebalancing': 'nope' } }),
      {},
      {},
      'skipped',
      'evenkeel.dev/rebalancing on the workload keeps policies away',
    ],
    [
      "its namespace's annotation",
      away('web'),
      {},
      { switches: new Map([['shop', 'Never']]) },
      'skipped',
      'evenkeel.dev/rebalancing on namespace shop keeps policies away',
    ],
    [
      "the hub's annotation",
      away('web'),
      {},
      { switches: new Map([['karmada-system', 'Never']]) },
      'skipped',
      'evenkeel.dev/rebalancing on namespace karmada-system keeps policies off the hub',
    ],
    [
      'its suspension',
      away('web', { spec: { suspension: { scheduling: true } } }),
      {},
      {},
      'skipped',
      'its scheduling is suspended',
    ],
    [
      'a hold on a cluster',
      away('web', { spec: { suspension: { dispatchingOnClusters: { clusterNames: ['m2'] } } } }),
      {},
      {},
      'skipped',
      'its dispatching is suspended on m2',
    ],
    [
      'its eviction',
      away('web', { spec: { gracefulEvictionTasks: [{ fromCluster: 'm1' }] } }),
      {},
      {},
      'skipped',
      'it is being evicted from m1',
    ],
    [
      'a failing cluster',
      away('web'),
      {},
      { unhealthy: new Set(['m2']) },
      'skipped',
      'it has replicas on m2, which is not healthy: failover comes first',
    ],
    [
      'a scheduler at work',
      away('web', { spec: { rescheduleTriggeredAt: '2026-11-21T09:59:00Z' } }),
      {},
      {},
      'skipped',
      'the scheduler is about to act on it: a rescheduling was asked for',
    ],
    [
      'a recent rebalance',
      away('web', { spec: { rescheduleTriggeredAt: '2026-11-21T08:59:00Z' } }),
      { strategy: { coolDown: '2h' } },
      {},
      'skipped',
      'it was rebalanced 3660 s ago and cools down',
    ],
    [
      'a recent descheduling',
      away('web', { metadata: { annotations: { 'evenkeel.dev/descheduled-at': '2026-11-21T09:45:00Z' } } }),
      {},
      {},
      'skipped',
      'it was descheduled 900 s ago and cools down',
    ],
    [
      'no graceful reduction',
      away('web'),
      { strategy: { requireGracefulReduction: true } },
      {},
      'skipped',
      'the policy requires graceful reduction, which it does not ask for',
    ],
    [
      'its size',
      away('web', { replicas: 20 }),
      { strategy: { maxInFlight: { replicas: 5 } } },
      {},
      'skipped',
      '9 replicas of it would move, and strategy.maxInFlight.replicas is 5',
    ],
    [
      'a limit that it just keeps',
      away('web', { replicas: 20 }),
      { strategy: { maxInFlight: { replicas: 9 } } },
      {},
      'waves',
      '',
    ],
    ['what set the policy off', away('web'), { triggers: { clusterRecovered: {} } }, {}, 'waves', ''],
  ])('by %s', (_, candidate, spec, over, where, reason) => {
    const found = plan([candidate], spec, { over });
    if (where === 'waves') expect([found.waves, found.skipped]).toEqual([[['web']], []]);
    else expect([found.waves, found[where as 'skipped']]).toEqual([[], [reason]]);
  });

  it('because the change is of no use to it', () => {
    const at = { ...recovered, cluster: 'm9' };
    expect(plan([away('web')], {}, { triggers: [at] }).still).toEqual([
      'it would move, but not for what set the policy off',
    ]);
    const even = { binding: placedBinding({ placement, scheduled, replicas: 4, current: { m1: 2, m2: 2 } }) };
    expect(plan([even]).still).toEqual(['assigned anew, nothing would move']);
  });

  it('for now only, if another controller is moving it or it cools down', () => {
    expect(plan([away('web', { spec: { gracefulEvictionTasks: [{ fromCluster: 'm1' }] } })]).passing).toBe(1);
    expect(plan([away('web', { spec: { suspension: { scheduling: true } } })]).passing).toBe(0);
  });

  it('with labels, that are read of its kind only', () => {
    const selector = {
      labels: { matchLabels: { tier: 'low' }, matchExpressions: [{ key: 'pinned', operator: 'DoesNotExist' }] },
    };
    const { waves, unselected } = plan(
      [
        away('a', { labels: { tier: 'low' } }),
        away('b', { labels: { tier: 'low', pinned: 'yes' } }),
        { binding: away('c').binding },
      ],
      { selector },
    );
    expect(waves).toEqual([['a']]);
    expect(unselected).toEqual(['its labels are not selected', 'its labels are not selected']);
  });

  it('by the policy that placed it', () => {
    const of = (annotations: object) => ({ metadata: { annotations } });
    const selector = { policies: [{ namespace: 'shop', name: 'spread' }, { name: 'all' }] };
    const { waves } = plan(
      [
        away(
          'a',
          of({ 'propagationpolicy.karmada.io/namespace': 'shop', 'propagationpolicy.karmada.io/name': 'spread' }),
        ),
        away('b', of({ 'clusterpropagationpolicy.karmada.io/name': 'all' })),
        away('c', of({ 'propagationpolicy.karmada.io/namespace': 'shop', 'propagationpolicy.karmada.io/name': 'all' })),
      ],
      { selector },
    );
    expect(waves).toEqual([['a', 'b']]);
  });
});

describe('waves', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => away(name));

  it.each([
    ['50 by default', {}, [['a', 'b', 'c', 'd', 'e']]],
    ['of so many', { waves: { size: 2 } }, [['a', 'b'], ['c', 'd'], ['e']]],
    ['of percent, rounded up', { waves: { percent: 30 } }, [['a', 'b'], ['c', 'd'], ['e']]],
    [
      'no larger than may be in flight',
      { waves: { size: 4 }, maxInFlight: { workloads: 3 } },
      [
        ['a', 'b', 'c'],
        ['d', 'e'],
      ],
    ],
    ['by replicas that move: two each', { maxInFlight: { replicas: 5 } }, [['a', 'b'], ['c', 'd'], ['e']]],
  ])('are %s', (_, strategy, waves) => {
    expect(plan(five, { strategy }).waves).toEqual(waves);
  });

  it.each([
    ['size, the largest first', [{ by: 'Replicas', descending: true }], ['b', 'c', 'a']],
    ['priority', [{ by: 'Priority', descending: true }], ['c', 'a', 'b']],
    ['a label, as numbers', [{ by: 'Label', label: 'rank' }], ['b', 'c', 'a']],
    ['several in turn', [{ by: 'Label', label: 'none' }, { by: 'Replicas' }], ['a', 'c', 'b']],
  ])('go by %s', (_, order, names) => {
    const candidates = [
      away('a', { replicas: 2, labels: { rank: '10' } }),
      away('b', { replicas: 8, labels: { rank: '2' } }),
      away('c', { replicas: 4, labels: { rank: '9' }, spec: { replicaRequirements: { priorityClassName: 'high' } } }),
    ];
    expect(plan(candidates, { strategy: { order } }).waves).toEqual([names]);
  });

  it.each<[string, object[], Record<string, Given>, string[]]>([
    [
      'the priority in the binding before that of its class, and an unknown class has none',
      [{ by: 'Priority', descending: true }],
      {
        a: { spec: { replicaRequirements: { priorityClassName: 'unknown' } } },
        b: { spec: { schedulePriority: { priority: 1 }, replicaRequirements: { priorityClassName: 'high' } } },
        c: { spec: { replicaRequirements: { priorityClassName: 'high' } } },
      },
      ['c', 'b', 'a'],
    ],
    [
      'a label: numbers by size, then words, and what has none is a word that is empty',
      [{ by: 'Label', label: 'rank' }],
      {
        a: { labels: { rank: 'low' } },
        b: { labels: { rank: '10' } },
        c: { labels: { rank: '-2' } },
        d: {},
        e: { labels: { rank: 'high' } },
      },
      ['c', 'b', 'd', 'e', 'a'],
    ],
    [
      'a label, turned round',
      [{ by: 'Label', label: 'rank', descending: true }],
      { a: { labels: { rank: '1' } }, b: { labels: { rank: 'low' } }, c: { labels: { rank: '2' } } },
      ['b', 'c', 'a'],
    ],
    [
      'a label that only resembles a number, as a string',
      [{ by: 'Label', label: 'rank' }],
      { a: { labels: { rank: '1x' } }, b: { labels: { rank: 'x1' } }, c: { labels: { rank: '9' } } },
      ['c', 'a', 'b'],
    ],
    [
      'a label, whichever comes first',
      [{ by: 'Label', label: 'rank' }],
      { b: { labels: { rank: 'w' } }, a: { labels: { rank: 'x' } }, c: { labels: { rank: 'v' } } },
      ['c', 'b', 'a'],
    ],
    ['name at last', [{ by: 'Replicas' }], { b: {}, a: {}, c: { replicas: 2 } }, ['c', 'a', 'b']],
  ])('go by %s', (_, order, given, names) => {
    const candidates = Object.entries(given).map(([name, parts]) => away(name, parts));
    expect(plan(candidates, { strategy: { order } }).waves).toEqual([names]);
  });

  describe('by cluster', () => {
    const all = clusters({ canary: 100, m1: 100, m2: 100, m3: 100 });
    const capacities = sharedCapacities();
    const over = {
      clusters: all,
      plan: (binding: PlacedBinding) => planFresh(binding, { clusters: all, capacity: capacities(binding) }),
    };
    const between = (name: string, other: string, given: Given = {}) =>
      away(name, { ...given, placement: { ...placement, clusterAffinity: { clusterNames: ['m2', other] } } });
    const candidates = [
      between('a', 'm3', { replicas: 8 }),
      between('b', 'm1'),
      between('c', 'canary'),
      between('d', 'm1'),
      between('e', 'canary', { replicas: 2 }),
    ];
    const wavesOf = (order: readonly object[], strategy: object = {}) =>
      plan(candidates, { strategy: { ...strategy, order } }, { over, triggers: [{ type: 'Schedule', at: NOW }] }).waves;
    const first = { by: 'Cluster', clusters: ['canary', 'm1'] };

    it('move the replicas of the listed clusters first, and never together with those of others', () => {
      expect(wavesOf([first])).toEqual([['c', 'e'], ['b', 'd'], ['a']]);
    });

    it('are cut by size within each', () => {
      expect(wavesOf([first], { waves: { size: 1 } })).toEqual([['c'], ['e'], ['b'], ['d'], ['a']]);
    });

    it('come last with descending', () => {
      expect(wavesOf([{ ...first, descending: true }])).toEqual([['a'], ['b', 'd'], ['c', 'e']]);
    });

    it('are sorted by the next entry within each cluster', () => {
      expect(wavesOf([first, { by: 'Replicas' }])).toEqual([['e', 'c'], ['b', 'd'], ['a']]);
    });

    it('begin a wave at each change of place if another entry comes first', () => {
      expect(wavesOf([{ by: 'Replicas' }, first])).toEqual([['e', 'c'], ['b', 'd'], ['a']]);
    });

    it('have the place of the first listed cluster that changes, in the order of the list', () => {
      expect(wavesOf([{ by: 'Cluster', clusters: ['m2', 'canary'] }])).toEqual([['a', 'b', 'c', 'd', 'e']]);
    });
  });

  it('leave out what alone is more than may move at once, and take the others', () => {
    const large = away('b', { replicas: 20 });
    const found = plan([away('a'), large, away('c')], { strategy: { maxInFlight: { replicas: 4 } } });
    expect(found.waves).toEqual([['a', 'c']]);
    expect(found.skipped).toHaveLength(1);
  });

  it('take what is just as much as may move at once', () => {
    expect(plan([away('a'), away('b')], { strategy: { maxInFlight: { replicas: 2 } } }).waves).toEqual([['a'], ['b']]);
  });
});

describe('what may move at once', () => {
  it.each([
    [{}, 1000, { workloads: 50, replicas: Number.POSITIVE_INFINITY }],
    [{ waves: { size: 7 } }, 1000, { workloads: 7, replicas: Number.POSITIVE_INFINITY }],
    [{ waves: { percent: 10 } }, 101, { workloads: 11, replicas: Number.POSITIVE_INFINITY }],
    [{ waves: { percent: 100 } }, 1000, { workloads: 500, replicas: Number.POSITIVE_INFINITY }],
    [{ waves: { percent: 1 } }, 0, { workloads: 1, replicas: Number.POSITIVE_INFINITY }],
    [{ maxInFlight: { workloads: 3, replicas: 9 } }, 1000, { workloads: 3, replicas: 9 }],
  ])('by %j of %i workloads is %j', (strategy, workloads, limits) => {
    expect(limitsOf(policy({ strategy }).spec.strategy, workloads)).toEqual(limits);
  });
});

describe('a run that is planned page by page', () => {
  it('has the workloads of all pages, in the order of its strategy', () => {
    const strategy = { order: [{ by: 'Replicas', descending: true }] };
    const planner = plannerOf({ strategy });
    planner.add([away('small'), away('large', { replicas: 9 })]);
    planner.add([away('medium', { replicas: 6 })]);
    expect(planner.planned().waves.flat().map(nameOf)).toEqual(['large', 'medium', 'small']);
  });

  it('counts the last evaluation of a binding that a restarted list returned twice', () => {
    const planner = plannerOf();
    planner.add([away('web'), away('api', { annotations: { 'evenkeel.dev/rebalancing': 'Never' } })]);
    planner.add([away('web', { current: { m1: 2, m2: 2 } }), away('api')]);
    const { waves, skipped, still } = planner.planned();
    expect([waves.flat().map(nameOf), skipped, still.map(nameOf)]).toEqual([['api'], [], ['web']]);
  });

  it('gives a workload of a drain its capacity once, also if a restarted list returned it twice', () => {
    const spec = { cluster: 'm2' };
    const metadata = { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T09:00:00Z' };
    const free = clusters({ m1: 8, m2: 0 }).map((cluster) => {
      return { cluster, uid: '', createdAt: 0, ready: true, healthy: true };
    });
    const hub = { members: free, switches: new Map(), now: NOW, failback: false };
    const drain = { policy: parseClusterDrain({ metadata, spec }), triggers: [drained] };
    const planner = runPlanners(hub, new Map())(drain);
    for (const name of ['web', 'web', 'api']) planner.add([away(name)]);
    const { waves, skipped } = planner.planned();
    expect([waves.flat().map(nameOf), skipped.map(({ reason }) => reason)]).toEqual([['api', 'web'], []]);
  });

  const drained = { type: 'ClusterDrained', cluster: 'm2' } as const;
  const nameOf = ({ workload }: Pick<WorkloadDecision, 'workload'>) => workload.name;
  const plannerOf = (spec: object = {}) =>
    createRunPlanner({ policy: policy(spec), triggers: [recovered], context: context(), priorities: new Map() });
});

describe('the recorded state of a workload', () => {
  const run = (candidate: Candidate, spec: object = {}) =>
    planRun({
      policy: policy(spec),
      triggers: [recovered],
      candidates: [candidate],
      context: context(),
      priorities: new Map(),
    });
  const web = {
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    binding: { namespace: 'shop', name: 'web-deployment' },
    current: { m2: 4 },
  };

  it('that is to move: from where to where, and why', () => {
    const moving = { ...web, next: { m1: 2, m2: 2 }, moves: 2, why: 'm1 recovered and would get 2' };
    expect(run(away('web')).waves).toEqual([[moving]]);
  });

  it('that is skipped: the reason, and the number of replicas to move if it was computed', () => {
    const left = { ...web, next: { m2: 4 }, why: '', outcome: 'Skipped' };
    const annotations = { 'evenkeel.dev/rebalancing': 'Never' };
    expect(run(away('web', { annotations })).skipped).toEqual([
      { ...left, moves: 0, reason: 'evenkeel.dev/rebalancing on the workload keeps policies away' },
    ]);
    expect(run(away('web'), { strategy: { requireGracefulReduction: true } }).skipped).toEqual([
      { ...left, moves: 2, reason: 'the policy requires graceful reduction, which it does not ask for' },
    ]);
  });

  it('that is too large for any wave: where it would have gone', () => {
    const reason = '2 replicas of it would move, and strategy.maxInFlight.replicas is 1';
    expect(run(away('web'), { strategy: { maxInFlight: { replicas: 1 } } }).skipped).toMatchObject([
      { ...web, next: { m1: 2, m2: 2 }, moves: 2, outcome: 'Skipped', reason },
    ]);
  });

  it('that stays, or is none of its business: only which it is', () => {
    const planned = run(away('web'), { selector: { names: ['api'] } });
    expect(planned.unselected.map(({ binding }) => binding.name)).toEqual(['web-deployment']);
  });
});
