/** Whom a policy would move, in which waves, and why not the others. */
import { describe, expect, it } from 'vitest';
import { planFresh, sharedRooms } from '../../../../shared/model/assignment/rebalance-plan.ts';
import type { Around } from '../../../../shared/model/rebalance-policy/judge-workload.ts';
import { planRun } from '../../../../shared/model/rebalance-policy/plan-run.ts';
import type { Trigger } from '../../../../shared/model/rebalance-policy/policy-run.ts';
import {
  parseRebalancePolicy,
  type RebalancePolicy,
} from '../../../../shared/model/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../../../shared/model/rebalance-policy/select-workloads.ts';
import { clusters, DYNAMIC, placedBinding } from '../../../placed-objects.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const placement = { replicaScheduling: DYNAMIC };
const scheduled = { placement, at: '2026-11-21T09:00:00Z' };
const recovered: Trigger = { type: 'ClusterRecovered', cluster: 'm1', uid: 'u1', at: NOW };

function policy(spec: object = {}): RebalancePolicy {
  const metadata = { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T09:00:00Z' };
  return parseRebalancePolicy({ metadata, spec: { triggers: { clusterRecovered: {} }, ...spec } });
}

interface Given {
  readonly spec?: object;
  readonly metadata?: object;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Driven from m1: all its replicas are on m2. */
function away(
  name: string,
  { spec = {}, metadata = {}, replicas = 4, labels = {}, annotations = {} }: Given = {},
): Candidate {
  const binding = placedBinding({ name, replicas, placement, scheduled, current: { m2: replicas }, spec });
  const merged = {
    ...binding,
    metadata: {
      ...binding.metadata,
      ...metadata,
      annotations: { ...binding.metadata.annotations, ...(metadata as { annotations?: object }).annotations },
    },
  };
  return { binding: merged, metadata: { labels, annotations } };
}

function around(over: Partial<Around> = {}): Around {
  const rooms = sharedRooms();
  const all = clusters({ m1: 100, m2: 100 });
  return {
    clusters: all,
    unwell: new Set(),
    switches: new Map(),
    now: NOW,
    plan: (binding) => planFresh(binding, all, rooms(binding)),
    ...over,
  };
}

function plan(
  candidates: readonly Candidate[],
  spec: object = {},
  { triggers = [recovered], over = {} }: { triggers?: readonly Trigger[]; over?: Partial<Around> } = {},
) {
  const planned = planRun({
    policy: policy(spec),
    triggers,
    candidates,
    around: around(over),
    priorities: new Map([['high', 1000]]),
  });
  return {
    waves: planned.waves.map((wave) => wave.map(({ workload }) => workload.name)),
    skipped: planned.skipped.map(({ reason }) => reason),
    unselected: planned.unselected.map(({ reason }) => reason),
    still: planned.still.map(({ reason }) => reason),
    passing: planned.passing,
  };
}

describe('who is left alone, and why', () => {
  it.each<[string, Candidate, object, Partial<Around>, string, string]>([
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
      "the workload's annotation",
      away('web', { annotations: { 'evenkeel.dev/rebalancing': 'Never' } }),
      {},
      {},
      'skipped',
      'evenkeel.dev/rebalancing on the workload keeps policies away',
    ],
    [
      'a word that nobody knows',
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
      { unwell: new Set(['m2']) },
      'skipped',
      'it has replicas on m2, which is not well: failover comes first',
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
    ['what set the policy off', away('web'), { triggers: { clusterRecovered: {} } }, {}, 'waves', ''],
  ])('by %s', (_, candidate, spec, over, where, reason) => {
    const found = plan([candidate], spec, { over });
    if (where === 'waves') expect(found.waves).toEqual([['web']]);
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

  it('for now only, where somebody else is at work on it or it cools down', () => {
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
    ['50 unless told', {}, [['a', 'b', 'c', 'd', 'e']]],
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
});
