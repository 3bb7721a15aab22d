/** Where a binding goes as a whole: candidates, spread, affinity terms, and what this scheduler leaves to another. */
import { describe, expect, it } from 'vitest';
import type { AssignmentMode } from '../../../../shared/karmada/assignment/assign-replicas.ts';
import { capacityOf } from '../../../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../../../shared/karmada/assignment/cluster.ts';
import { modeOf, type Scheduling, scheduleBinding } from '../../../../shared/karmada/assignment/plan-scheduling.ts';
import {
  AGGREGATED,
  type BindingParts,
  byStaticWeight,
  cluster,
  clusters,
  DUPLICATED,
  DYNAMIC,
  numbersOf,
  placedBinding,
} from '../../../placed-objects.ts';

function schedule(
  parts: BindingParts,
  among: readonly Cluster[],
  mode: AssignmentMode = 'Steady',
): Scheduling & { readonly asNumbers: object } {
  const binding = placedBinding(parts);
  const scheduling = scheduleBinding({ binding, clusters: among, available: capacityOf(binding), mode });
  return { ...scheduling, asNumbers: scheduling.outcome === 'Success' ? numbersOf(scheduling.clusters) : {} };
}

const three = clusters({ m1: 20, m2: 20, m3: 20 });

describe('terms of clusterAffinities', () => {
  const term = (affinityName: string, ...clusterNames: string[]) => ({ affinityName, clusterNames });
  const terms = (...clusterAffinities: object[]) => ({ clusterAffinities, replicaScheduling: DYNAMIC });
  const inOrder = terms(term('near', 'm1'), term('far', 'm2', 'm3'));

  it('are tried in order: the first that succeeds is used, and named', () => {
    expect(schedule({ placement: inOrder }, three)).toMatchObject({ asNumbers: { m1: 10 }, affinityName: 'near' });
  });

  it('fall through to the next term if no cluster fits or the capacity is too low', () => {
    const gone = clusters({ m2: 20, m3: 20 });
    const far = { asNumbers: { m2: 5, m3: 5 }, affinityName: 'far' };
    expect(schedule({ placement: inOrder }, gone)).toMatchObject(far);
    expect(schedule({ placement: inOrder }, clusters({ m1: 9, m2: 20, m3: 20 }))).toMatchObject(far);
  });

  it('are tried from the current one on, so that a recovered earlier term moves no replica', () => {
    const status = { schedulerObservingAffinityName: 'far' };
    const current = { m2: 5, m3: 5 };
    const kept = schedule({ placement: inOrder, current, status }, three);
    expect(kept).toMatchObject({ asNumbers: current, affinityName: 'far' });
  });

  it('are tried from the first on a trigger of a binding of our scheduler', () => {
    const status = { schedulerObservingAffinityName: 'far' };
    const spec = { schedulerName: 'evenkeel' };
    const moved = schedule({ placement: inOrder, current: { m2: 5, m3: 5 }, status, spec }, three, 'Fresh');
    expect(moved).toMatchObject({ asNumbers: { m1: 10 }, affinityName: 'near' });
  });

  it.each([{}, { schedulerName: 'default-scheduler' }])(
    'are tried from the one in use on a trigger of a binding of karmada-scheduler 1.18: %j',
    (spec) => {
      const status = { schedulerObservingAffinityName: 'far' };
      const kept = schedule({ placement: inOrder, current: { m2: 5, m3: 5 }, status, spec }, three, 'Fresh');
      expect(kept).toMatchObject({ asNumbers: { m2: 5, m3: 5 }, affinityName: 'far' });
    },
  );

  it('continue with the later ones on a trigger if the current one of karmada-scheduler has no cluster left', () => {
    const status = { schedulerObservingAffinityName: 'near' };
    const moved = schedule({ placement: inOrder, status }, clusters({ m2: 20, m3: 20 }), 'Fresh');
    expect(moved).toMatchObject({ asNumbers: { m2: 5, m3: 5 }, affinityName: 'far' });
  });

  it('are tried from the first if the current one no longer exists', () => {
    const status = { schedulerObservingAffinityName: 'elsewhere' };
    expect(schedule({ placement: inOrder, status }, three)).toMatchObject({ affinityName: 'near' });
  });

  it('return the failure of the first one if none succeeds', () => {
    const short = schedule({ placement: inOrder }, clusters({ m1: 4 }));
    expect(short).toMatchObject({
      outcome: 'Unschedulable',
      message: 'Clusters available replicas 4 are not enough to schedule.',
    });
    expect(schedule({ placement: inOrder }, clusters({ m2: 4 }))).toMatchObject({ outcome: 'NoClusterFit' });
  });

  it('are empty: no term can schedule the binding', () => {
    expect(schedule({ placement: terms() }, three)).toMatchObject({
      outcome: 'SchedulerError',
      message: 'clusterAffinities has no terms',
    });
  });
});

describe('a spread constraint by cluster', () => {
  const two = [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }];

  it('limits the clusters among which replicas are divided', () => {
    const placement = { spreadConstraints: two, replicaScheduling: DYNAMIC };
    expect(schedule({ placement }, clusters({ m1: 10, m2: 30, m3: 20 })).asNumbers).toEqual({ m2: 6, m3: 4 });
  });

  it('limits the copies of a workload that goes to all clusters', () => {
    const placement = { spreadConstraints: two, replicaScheduling: DUPLICATED };
    expect(schedule({ placement }, three).asNumbers).toEqual({ m1: 10, m2: 10 });
  });

  it('is ignored with static weights, which select their clusters themselves', () => {
    const placement = { spreadConstraints: two, replicaScheduling: byStaticWeight({ m1: 1, m2: 1, m3: 3 }) };
    expect(schedule({ placement }, three).asNumbers).toEqual({ m1: 2, m2: 2, m3: 6 });
  });

  it('that cannot be kept is an error of the scheduler, with the clusters that did not fit', () => {
    const placement = { spreadConstraints: [{ ...two[0], minGroups: 3 }], replicaScheduling: DYNAMIC };
    const tainted = cluster('m3', { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] });
    const failed = schedule({ placement }, [...clusters({ m1: 20, m2: 20 }), tainted]);
    expect(failed).toMatchObject({
      outcome: 'SchedulerError',
      message: 'the number of feasible clusters is less than spreadConstraint.MinGroups',
      unfit: new Map([['m3', 'cluster(s) had untolerated taint {maintenance:NoSchedule}']]),
    });
  });
});

describe('overflow affinities of a term', () => {
  const overflowing = (replicaScheduling: object) => ({
    clusterAffinities: [
      {
        affinityName: 'near',
        clusterNames: ['m1'],
        overflowAffinities: [{ clusterNames: ['m2', 'm3'] }, { clusterNames: ['m4'] }],
      },
      { affinityName: 'far', clusterNames: ['m5'] },
    ],
    replicaScheduling,
  });
  const five = clusters({ m1: 6, m2: 2, m3: 1, m4: 20, m5: 20 });

  it('take what exceeds the capacity of the term, one after another', () => {
    const answer = schedule({ placement: overflowing(DYNAMIC) }, five);
    expect(answer).toMatchObject({ asNumbers: { m1: 6, m2: 2, m3: 1, m4: 1 }, affinityName: 'near' });
    expect(schedule({ replicas: 5, placement: overflowing(DYNAMIC) }, five).asNumbers).toEqual({ m1: 5 });
  });

  it('leave the replicas that a cluster of theirs has, and return them on a Fresh assignment', () => {
    const placement = overflowing(AGGREGATED);
    expect(schedule({ replicas: 6, placement, current: { m2: 2 } }, five).asNumbers).toEqual({ m1: 6 });
  });

  it('that do not suffice either leave it to the next term', () => {
    expect(
      schedule({ replicas: 20, placement: overflowing(DYNAMIC) }, clusters({ m1: 6, m2: 2, m5: 20 })),
    ).toMatchObject({
      asNumbers: { m5: 20 },
      affinityName: 'far',
    });
    expect(
      schedule({ replicas: 20, placement: overflowing(DYNAMIC) }, clusters({ m1: 6, m2: 2, m5: 3 })),
    ).toMatchObject({
      outcome: 'Unschedulable',
      message: 'Clusters available replicas are not enough to schedule.',
    });
  });

  it('have no effect on what has no replicas', () => {
    expect(schedule({ replicas: 0, placement: overflowing(DYNAMIC) }, five).asNumbers).toEqual({ m1: 0 });
  });
});

describe('a binding without replicas to divide', () => {
  it('goes to every matching cluster, even if its placement divides', () => {
    expect(schedule({ replicas: 0, placement: { replicaScheduling: DYNAMIC } }, three).asNumbers).toEqual({
      m1: 0,
      m2: 0,
      m3: 0,
    });
  });

  it('is a workload scaled to zero with resource requests: no cluster gets replicas', () => {
    const spec = { replicaRequirements: { resourceRequest: { cpu: '1' } } };
    expect(schedule({ replicas: 0, spec, current: { m1: 3 } }, three)).toMatchObject({
      outcome: 'Success',
      clusters: [],
    });
  });

  it('includes a workload of several components, which is propagated as a whole', () => {
    const components = [
      { name: 'jobmanager', replicas: 1 },
      { name: 'taskmanager', replicas: 4 },
    ];
    expect(schedule({ replicas: 5, spec: { components } }, clusters({ m1: 9, m2: 9 })).asNumbers).toEqual({
      m1: 0,
      m2: 0,
    });
  });
});

describe('eviction and deletion', () => {
  it('keep a cluster that the workload is being evicted from out', () => {
    const spec = { gracefulEvictionTasks: [{ fromCluster: 'm1', producer: 'x', reason: 'y' }] };
    expect(schedule({ spec, current: { m2: 5 } }, three).asNumbers).toEqual({ m2: 8, m3: 2 });
  });

  it('keep a cluster that is being deleted out, though it holds replicas', () => {
    const among = [cluster('m1', { deleting: true }), ...clusters({ m2: 20 })];
    expect(schedule({ current: { m1: 4, m2: 6 } }, among).asNumbers).toEqual({ m2: 10 });
  });
});

describe('available replicas', () => {
  it('that do not suffice leave the assignment unchanged: all or nothing', () => {
    expect(schedule({ placement: { replicaScheduling: AGGREGATED } }, clusters({ m1: 4, m2: 5 }))).toMatchObject({
      outcome: 'Unschedulable',
      message: 'Clusters available replicas 9 are not enough to schedule.',
    });
  });
});

describe('a binding with a field that the assignment code does not implement', () => {
  it.each<[string, object, string]>([
    ['affinity of workloads', { workloadAffinity: { affinity: {} } }, 'spec.placement.workloadAffinity'],
    [
      'an unknown division preference',
      { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Balanced' } },
      'spec.placement.replicaScheduling.replicaDivisionPreference',
    ],
  ])('%s is CannotForecast, which names the field, and no replica is assigned', (_, placement, field) => {
    const answer = schedule({ placement }, three);
    expect(answer).toMatchObject({ outcome: 'CannotForecast', field });
    expect(answer).not.toHaveProperty('clusters');
    expect(answer.reason.startsWith(`${field}: `)).toBe(true);
    expect(answer.reason.endsWith('; only karmada-scheduler places such a binding')).toBe(true);
  });
});

describe('the mode', () => {
  const trigger = (triggered?: string, last?: string) =>
    modeOf(
      placedBinding({
        ...(triggered !== undefined && { spec: { rescheduleTriggeredAt: triggered } }),
        ...(last !== undefined && { status: { lastScheduledTime: last } }),
      }),
    );
  const [five, six] = ['2026-11-21T10:00:05Z', '2026-11-21T10:00:06Z'];

  it('is Fresh if rescheduling was triggered after the last scheduling', () => {
    expect(trigger(six, five)).toBe('Fresh');
  });

  it('is Steady if our scheduler already handled this exact trigger, even if the status does not show it yet', () => {
    const acted = (on: string) =>
      modeOf(
        placedBinding({
          spec: { rescheduleTriggeredAt: six },
          status: { lastScheduledTime: five },
          metadata: { annotations: { 'evenkeel.dev/acted-on-trigger': on } },
        }),
      );
    expect([acted(six), acted(five)]).toEqual(['Steady', 'Fresh']);
  });

  it.each([
    ['in the same second', five, five],
    ['before', five, six],
    ['never', undefined, five],
    ['and it was never scheduled', five, undefined],
  ])('is Steady if it was triggered %s', (_, triggered, last) => {
    expect(trigger(triggered, last)).toBe('Steady');
  });
});
