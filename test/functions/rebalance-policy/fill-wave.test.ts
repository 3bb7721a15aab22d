import { describe, expect, it } from 'vitest';
import { fillWave } from '../../../functions/rebalance-policy/fill-wave.ts';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { capacityOf } from '../../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../../shared/karmada/assignment/cluster.ts';
import { planFresh } from '../../../shared/karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import type { Candidate } from '../../../shared/rebalance-policy/select-workloads.ts';
import { clusters, type Numbers } from '../../placed-objects.ts';
import { away, context, NOW, planRun, policy, recovered } from '../../shared/rebalance-policy/candidates.ts';

interface Planned {
  readonly strategy?: object;
  readonly planned?: readonly Cluster[];
}

/** The first wave of these workloads, started when the clusters have these numbers of free replicas. */
function filled(
  candidates: readonly Candidate[],
  free: Numbers,
  { strategy = {}, planned = clusters({ m1: 100, m2: 100 }) }: Planned = {},
) {
  const run = { policy: policy({ strategy }), triggers: [recovered] };
  const plan = (binding: PlacedBinding) => planFresh(binding, { clusters: planned, capacity: capacityOf(binding) });
  const before = context({ clusters: planned, plan });
  const { waves, unfinished } = planRun({ ...run, candidates, context: before, priorities: new Map() });
  const [wave = []] = waves;
  const members = clusters(free).map((cluster) => ({ cluster, uid: '', createdAt: 0, ready: true, healthy: true }));
  const hub = { members, switches: new Map(), now: NOW, failback: false };
  const inputs = {
    run: { ...run, workloads: waves.flat().length, unfinished },
    candidates,
    hub,
    rebalancers: [],
    rebalancer: 'wave',
  };
  return fillWave(wave, { policy: run.policy, ...inputs });
}

/** A workload whose last move is not over: m2 keeps so many replicas. */
function moving(name: string, replicas: number, over: object = {}) {
  const annotations = { [`${QUEUE}m2`]: JSON.stringify({ replicas, ...over }) };
  return away(name, { current: { m1: 4 }, metadata: { annotations } });
}

function gains(wave: ReturnType<typeof filled>): readonly (number | string | undefined)[] {
  return wave.map(({ outcome, next, reason }) => (outcome === 'Moving' ? (next.m1 ?? 0) : reason));
}

const four = ['a', 'b', 'c', 'd'].map((name) => away(name));

describe('the workloads of a wave', () => {
  it('share the capacity of the cluster that recovered: those that it has none left for stay', () => {
    expect(gains(filled(four, { m1: 3, m2: 0 }))).toEqual([
      2,
      1,
      'assigned anew, nothing would move',
      'assigned anew, nothing would move',
    ]);
  });

  it('each gain as if alone where it has capacity for all', () => {
    expect(gains(filled(four, { m1: 1000, m2: 996 }))).toEqual([2, 2, 2, 2]);
  });

  it('take none from the others when they do not move', () => {
    const large = away('a', { replicas: 100 });
    const strategy = { maxInFlight: { replicas: 12 } };
    const planned = clusters({ m1: 5, m2: 0 });
    const free = { m1: 20, m2: 0 };
    expect(gains(filled([large, ...four.slice(1)], free, { strategy, planned }))).toEqual([
      '17 replicas of it would move now, which exceeds strategy.maxInFlight.replicas',
      ...[3, 3, 3],
    ]);
  });

  it.each([
    ['workloads', { workloads: 2 }, [moving('x', 2)], [2, '1 workload of an earlier run still moves']],
    ['replicas', { replicas: 5 }, [moving('x', 2)], [2, 'the wave would exceed strategy.maxInFlight.replicas']],
    ['nothing that a user is to release', { workloads: 2 }, [moving('x', 2, { suppressDeletion: true })], [2, 2]],
    ['nothing that is over', { workloads: 2 }, [moving('x', 0)], [2, 2]],
  ])('move beside %s of earlier moves within strategy.maxInFlight', (_, maxInFlight, earlier, expected) => {
    const strategy = { maxInFlight, waves: { size: 2 } };
    expect(gains(filled([...earlier, ...four.slice(0, 2)], { m1: 1000, m2: 996 }, { strategy }))).toEqual(expected);
  });
});
