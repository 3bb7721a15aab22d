/** What of a workload's move is a trigger's doing, and whose word keeps a policy away: the cases beside those of plan-run.test.ts. */
import { describe, expect, it } from 'vitest';
import { planDrain, planFresh, sharedCapacities } from '../../../shared/karmada/assignment/rebalance-plan.ts';
import { evaluateWorkload } from '../../../shared/rebalance-policy/evaluate-workload.ts';
import type { EvaluationContext } from '../../../shared/rebalance-policy/evaluation-context.ts';
import type { Trigger } from '../../../shared/rebalance-policy/policy-run.ts';
import type { Candidate } from '../../../shared/rebalance-policy/select-workloads.ts';
import { AGGREGATED, clusters, DUPLICATED, type Numbers } from '../../placed-objects.ts';
import { away, context, NOW, plan, policy, recovered } from './candidates.ts';

const REBALANCING = 'evenkeel.dev/rebalancing';
const noted = (annotations: object) => ({ metadata: { annotations } });
const descheduled = (at: string) => noted({ 'evenkeel.dev/descheduled-at': `2026-11-21T${at}Z` });

function capacity(pods: Numbers): Partial<EvaluationContext> {
  const all = clusters(pods);
  const capacities = sharedCapacities();
  return { clusters: all, plan: (binding) => planFresh(binding, { clusters: all, capacity: capacities(binding) }) };
}

describe("none of a policy's business is what", () => {
  it.each<[string, Candidate, string]>([
    ['is being deleted', away('web', { metadata: { deletionTimestamp: NOW } }), 'it is being deleted'],
    ['has no placement', away('web', { spec: { placement: null } }), 'it has no placement'],
    ['is several workloads in one', away('web', { spec: { components: [{}, {}] } }), 'it has no replicas to divide'],
    [
      'a rebalancer would not find',
      away('web', { metadata: { name: 'other' } }),
      'its binding is not named web-deployment, the name that a rebalancer expects',
    ],
    [
      'a rebalancer would look for in another namespace',
      away('web', { metadata: { namespace: 'other' } }),
      'its binding is not named web-deployment, the name that a rebalancer expects',
    ],
  ])('%s', (_, candidate, reason) => {
    expect(plan([candidate])).toMatchObject({ waves: [], unselected: [reason] });
  });
});

describe('a workload is skipped that', () => {
  it.each<[string, Candidate, Partial<EvaluationContext>, string]>([
    [
      'its binding opts out of',
      away('web', noted({ [REBALANCING]: 'Never' })),
      {},
      `${REBALANCING} on the binding keeps policies away`,
    ],
    [
      'is not dispatched',
      away('web', { spec: { suspension: { dispatching: true } } }),
      {},
      'its dispatching is suspended',
    ],
    [
      'is not dispatched to some clusters',
      away('web', { spec: { suspension: { dispatchingOnClusters: { clusterNames: ['m2', 'm3'] } } } }),
      {},
      'its dispatching is suspended on m2, m3',
    ],
    [
      'still gives way to its last move',
      away('web', noted({ 'replica-reduction-queue.evenkeel.dev/m1': '{"replicas":4}' })),
      {},
      'its last move is not over: m1 keeps its replicas until the others are ready',
    ],
    [
      'no cluster fits',
      away('web'),
      capacity({}),
      'it cannot be assigned anew: 0/0 clusters are available: no cluster exists.',
    ],
    [
      'has an unknown division',
      away('web', { placement: { replicaScheduling: { replicaSchedulingType: 'Halved' } } }),
      {},
      'no forecast of where it would go: spec.placement.replicaScheduling.replicaSchedulingType: Unsupported value: "Halved": supported values: "Duplicated", "Divided"; only karmada-scheduler places such a binding',
    ],
    [
      'has no whole number of replicas',
      away('web', { replicas: 1.5 }),
      {},
      'it cannot be planned: replicas: 1.5 is not a whole number from 0',
    ],
  ])('%s', (_, candidate, over, reason) => {
    expect(plan([candidate], {}, { over })).toMatchObject({ waves: [], skipped: [reason] });
  });

  it('but not one with Allowed at every level', () => {
    const candidate = away('web', {
      ...noted({ [REBALANCING]: 'Allowed' }),
      annotations: { [REBALANCING]: 'Allowed' },
    });
    const switches = new Map(['shop', 'karmada-system'].map((namespace) => [namespace, 'Allowed']));
    expect(plan([candidate], {}, { over: { switches } }).waves).toEqual([['web']]);
  });

  it('waiting may help, where its last move is not over or it cools down', () => {
    const held = away('web', noted({ 'replica-reduction-queue.evenkeel.dev/m1': '{"replicas":4}' }));
    expect([plan([held]).passing, plan([away('web', descheduled('09:50:00'))]).passing]).toEqual([1, 1]);
  });
});

describe('a policy moves a workload', () => {
  const healthy = (cluster: string): Trigger => ({ type: 'ClusterRecovered', cluster, uid: 'u', at: NOW });
  const joined: Trigger = { type: 'ClusterJoined', cluster: 'm1', uid: 'u', at: NOW };
  const schedule: Trigger = { type: 'Schedule', at: NOW };
  const freed: Trigger = { type: 'CapacityFreed' };
  const imbalance = (percent: number): Trigger => ({ type: 'Imbalance', percent });
  const aggregated = { replicaScheduling: AGGREGATED };

  it.each<[string, Trigger, Candidate, string]>([
    ['a recovered cluster would get replicas', recovered, away('web'), 'm1 recovered and would get 2'],
    ['a cluster that joined would', joined, away('web'), 'm1 joined and would get 2'],
    ['its time has come', schedule, away('web'), 'its time has come'],
    ['it could be in more clusters', freed, away('web'), 'it could be spread over 2 clusters instead of 1'],
    [
      'what is kept together would fit in fewer',
      freed,
      away('web', { placement: aggregated, current: { m1: 2, m2: 2, m9: 0 } }),
      'it would fit in 1 of its 2 clusters',
    ],
    ['enough of it would move', imbalance(50), away('web'), '50 % of its replicas would move'],
    ['more than enough would', imbalance(66), away('web', { replicas: 3, current: { m2: 3, m1: 0 } }), ''],
  ])('where %s', (_, trigger, candidate, why) => {
    expect(plan([candidate], {}, { triggers: [trigger] }).why).toEqual(why === '' ? [] : [why]);
  });

  it.each<[string, Trigger, Candidate, Partial<EvaluationContext>]>([
    ['the recovered cluster would lose replicas', healthy('m2'), away('web'), {}],
    ['the recovered cluster is not affected', healthy('m9'), away('web'), {}],
    ['it would be in as many clusters as before', freed, away('web', { current: { m1: 1, m2: 3 } }), {}],
    [
      'what is kept together would be kept together elsewhere',
      freed,
      away('web', { placement: aggregated }),
      capacity({ m1: 300, m2: 100 }),
    ],
    ['less of it would move', imbalance(51), away('web'), {}],
  ])('not where %s', (_, trigger, candidate, over) => {
    expect(plan([candidate], {}, { triggers: [trigger], over }).still).toEqual([
      'it would move, but not for what set the policy off',
    ]);
  });

  it('by the first of what set it off that has to do with it', () => {
    const elsewhere = healthy('m9');
    expect(plan([away('web')], {}, { triggers: [elsewhere, joined, recovered] }).why).toEqual([
      'm1 joined and would get 2',
    ]);
  });

  it.each<[string, readonly Trigger[], string, string | undefined]>([
    ['for a cluster, as soon as the policy allows', [recovered], '09:59:59', undefined],
    ['for its calendar as well', [schedule], '09:59:59', undefined],
    [
      'for freed capacity, five minutes at least after its last move',
      [freed],
      '09:56:00',
      'it was descheduled 240 s ago and cools down',
    ],
    ['for imbalance likewise', [imbalance(10)], '09:55:01', 'it was descheduled 299 s ago and cools down'],
    ['and then at once', [imbalance(10), freed], '09:55:00', undefined],
    ['for a cluster and imbalance, as for the cluster', [imbalance(10), recovered], '09:59:59', undefined],
  ])('%s', (_, triggers, at, reason) => {
    const found = plan([away('web', descheduled(at))], { strategy: { coolDown: '0s' } }, { triggers });
    expect([found.skipped, found.waves]).toEqual(reason === undefined ? [[], [['web']]] : [[reason], []]);
  });

  it.each([
    ['to its last second', '2026-11-21T09:45:01Z', ['it was descheduled 899 s ago and cools down']],
    ['and no longer', '2026-11-21T09:45:00Z', []],
    ['from a clock that is ahead too', '2026-11-21T10:00:05Z', ['it was descheduled 0 s ago and cools down']],
    ['from no time at all', 'soon', []],
  ])('after it has cooled down %s', (_, at, skipped) => {
    const candidate = away('web', noted({ 'evenkeel.dev/descheduled-at': at }));
    expect(plan([candidate], { strategy: { coolDown: '15m' } }).skipped).toEqual(skipped);
  });

  it('after whichever came last of a rebalance and a descheduling', () => {
    const [earlier, later] = ['2026-11-21T08:50:00Z', '2026-11-21T08:55:00Z'];
    const moved = (rescheduleTriggeredAt: string, at: string) =>
      away('web', { spec: { rescheduleTriggeredAt }, ...noted({ 'evenkeel.dev/descheduled-at': at }) });
    const all = [moved(earlier, later), moved(later, earlier), moved(later, later)];
    expect(all.flatMap((candidate) => plan([candidate], { strategy: { coolDown: '2h' } }).skipped)).toEqual([
      'it was descheduled 3900 s ago and cools down',
      'it was rebalanced 3900 s ago and cools down',
      'it was rebalanced 3900 s ago and cools down',
    ]);
  });

  it('where it asks for graceful reduction, which the policy requires', () => {
    const candidate = away('web', noted({ 'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion' }));
    expect(plan([candidate], { strategy: { requireGracefulReduction: true } }).waves).toEqual([['web']]);
  });

  it('not where only a drain asks for graceful reduction, which the policy requires', () => {
    const ofDrain = { 'evenkeel.dev/replica-reduction-strategy-from': 'ClusterDrain of m2' };
    const candidate = away(
      'web',
      noted({ 'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion', ...ofDrain }),
    );
    const { waves, skipped } = plan([candidate], { strategy: { requireGracefulReduction: true } });
    expect(waves).toEqual([]);
    expect(skipped).toEqual(['the policy requires graceful reduction, which it does not ask for']);
  });
});

describe('a drain', () => {
  const trigger: Trigger = { type: 'ClusterDrained', cluster: 'm2' };
  const evaluated = (candidate: Candidate, over: Partial<EvaluationContext> = {}) =>
    evaluateWorkload(
      candidate,
      { policy: { ...policy(), drains: 'm2' }, triggers: [trigger] },
      context({ drained: new Set(['m2']), ...over }),
    );

  it('moves what its cluster has, and leaves what others have', () => {
    expect(evaluated(away('web', { replicas: 6, current: { m1: 2, m2: 4 } }))).toMatchObject({
      result: 'concerned',
      why: 'm2 is drained',
      plan: { moves: 4 },
      next: new Map([['m1', 6]]),
    });
  });

  it.each<[string, Candidate, Partial<EvaluationContext>, object]>([
    [
      'has no replicas there',
      away('web', { current: { m1: 4 } }),
      {},
      { result: 'still', reason: 'it has no replicas on m2' },
    ],
    [
      'is Duplicated',
      away('web', { placement: { replicaScheduling: DUPLICATED } }),
      {},
      { result: 'skipped', reason: 'it is Duplicated: each cluster has all of its replicas' },
    ],
    [
      'is a Job',
      away('web', {
        spec: { resource: { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'web' } },
        metadata: { name: 'web-job' },
      }),
      {},
      { result: 'skipped', reason: 'it is a Job, and runs to its end' },
    ],
    [
      'is kept there until others are ready',
      away('web', { current: { m1: 4 }, ...noted({ 'replica-reduction-queue.evenkeel.dev/m2': '{"replicas":4}' }) }),
      {},
      { result: 'skipped', passing: true },
    ],
    [
      'runs on a cluster that is not healthy',
      away('web'),
      { unhealthy: new Set(['m2']) },
      { result: 'skipped', passing: true, reason: 'it has replicas on m2, which is not healthy: failover comes first' },
    ],
    [
      'has no capacity elsewhere',
      away('web'),
      drainedWith({ m1: 3, m2: 9 }),
      {
        result: 'skipped',
        reason: 'it cannot be assigned anew: Clusters available replicas 3 are not enough to schedule.',
      },
    ],
  ])('leaves a workload that %s', (_, candidate, over, expected) => {
    expect(evaluated(candidate, over)).toMatchObject(expected);
  });

  it('keeps policies away from the workloads that it moves', () => {
    const drained = new Set(['m2']);
    expect(plan([away('web')], {}, { over: { drained } })).toMatchObject({
      skipped: ['it has replicas on m2, which is being drained'],
      passing: 1,
    });
  });
});

function drainedWith(pods: Numbers): Partial<EvaluationContext> {
  const all = clusters(pods);
  const capacities = sharedCapacities();
  return {
    planDrain: (binding, cluster) => planDrain(binding, cluster, { clusters: all, capacity: capacities(binding) }),
  };
}
