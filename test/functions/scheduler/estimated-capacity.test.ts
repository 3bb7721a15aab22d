/** What our scheduler asks estimators, and what it makes of their answers. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import type { ClusterEstimator } from '../../../shared/estimator/estimator.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { type BindingParts, DUPLICATED, DYNAMIC } from '../../placed-objects.ts';

const capacities = { m1: 20, m2: 20, m3: 20 };

describe('estimators', () => {
  const named = { clusterAffinity: { clusterNames: ['m1', 'm2'] } };
  const term = (affinityName: string, ...clusterNames: string[]) => ({ affinityName, clusterNames });
  const answering = (answers: Readonly<Record<string, number | Fault>>): ClusterEstimator => ({
    unschedulableReplicas: async () => 0,
    maxAvailableReplicas: async (cluster) => {
      const answer = answers[cluster];
      if (answer instanceof Fault) throw answer;
      return answer;
    },
  });

  it('lower what a cluster reports, and never raise it', async () => {
    const w = new SchedulingWorld(capacities);
    w.estimator = answering({ m1: 2, m2: 500 });
    w.addBinding('web', { replicas: 21 });
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 1, m2: 10, m3: 10 });
  });

  it('that fail are logged, and only the report of their cluster counts', async () => {
    const w = new SchedulingWorld(capacities);
    const lines: unknown[] = [];
    w.telemetry.listen((code, { cluster, reason }) => code === 'EK310' && lines.push({ cluster, reason }));
    w.estimator = answering({ m1: new Fault('retryable', 'no answer in 3 s', { reason: 'EstimatorTimeout' }), m2: 10 });
    w.addBinding('web', { replicas: 10 });
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 2, m3: 4 });
    expect(lines).toEqual([{ cluster: 'm1', reason: 'EstimatorTimeout' }]);
  });

  it.each<[string, BindingParts, readonly string[]]>([
    ['of the clusters that fit, and of no other', {}, ['m1', 'm2']],
    ['of no cluster if capacity decides nothing', { placement: { ...named, replicaScheduling: DUPLICATED } }, []],
    [
      'of no cluster if nothing is due',
      {
        current: { m1: 5, m2: 5 },
        scheduled: { placement: { ...named, replicaScheduling: DYNAMIC }, at: '2026-11-21T09:59:00Z' },
      },
      [],
    ],
    [
      'of the clusters of every term that may be tried',
      { placement: { clusterAffinities: [term('near', 'm3'), term('far', 'm1')], replicaScheduling: DYNAMIC } },
      ['m1', 'm3'],
    ],
  ])('are asked %s', async (_, parts, expected) => {
    const w = new SchedulingWorld(capacities);
    const asked: string[] = [];
    w.estimator = {
      unschedulableReplicas: async () => 0,
      maxAvailableReplicas: async (cluster) => {
        asked.push(cluster);
        return 20;
      },
    };
    w.addBinding('web', { placement: { ...named, replicaScheduling: DYNAMIC }, ...parts });
    await w.pass(5);
    expect(asked.sort()).toEqual(expected);
  });
});
