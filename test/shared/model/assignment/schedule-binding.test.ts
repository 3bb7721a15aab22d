/** Where a binding goes as a whole: candidates, spread, affinity terms, and what this scheduler leaves to another. */
import { describe, expect, it } from 'vitest';
import type { AssignmentMode } from '../../../../shared/model/assignment/assign-replicas.ts';
import { roomOf } from '../../../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../../../shared/model/assignment/cluster.ts';
import { modeOf, type Scheduling, scheduleBinding } from '../../../../shared/model/assignment/schedule-binding.ts';
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
  const scheduling = scheduleBinding({ binding, clusters: among, available: roomOf(binding), mode });
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

  it('give way to the next where one has no cluster that fits, or too little room', () => {
    const gone = clusters({ m2: 20, m3: 20 });
    const far = { asNumbers: { m2: 5, m3: 5 }, affinityName: 'far' };
    expect(schedule({ placement: inOrder }, gone)).toMatchObject(far);
    expect(schedule({ placement: inOrder }, clusters({ m1: 9, m2: 20, m3: 20 }))).toMatchObject(far);
  });

  it('are tried from the one in use on, so that a better one coming back moves nothing', () => {
    const status = { schedulerObservingAffinityName: 'far' };
    const current = { m2: 5, m3: 5 };
    const kept = schedule({ placement: inOrder, current, status }, three);
    expect(kept).toMatchObject({ asNumbers: current, affinityName: 'far' });
  });

  it('are tried from the first where a rescheduling was asked for', () => {
    const status = { schedulerObservingAffinityName: 'far' };
    const moved = schedule({ placement: inOrder, current: { m2: 5, m3: 5 }, status }, three, 'Fresh');
    expect(moved).toMatchObject({ asNumbers: { m1: 10 }, affinityName: 'near' });
  });

  it('are tried from the first where the one in use is none of them any more', () => {
    const status = { schedulerObservingAffinityName: 'elsewhere' };
    expect(schedule({ placement: inOrder, status }, three)).toMatchObject({ affinityName: 'near' });
  });

  it("answer with the first one's failure where none succeeds", () => {
    const short = schedule({ placement: inOrder }, clusters({ m1: 4 }));
    expect(short).toMatchObject({
      outcome: 'Unschedulable',
      message: 'Clusters available replicas 4 are not enough to schedule.',
    });
    expect(schedule({ placement: inOrder }, clusters({ m2: 4 }))).toMatchObject({ outcome: 'NoClusterFit' });
  });

  it('are none: nothing can be scheduled by them', () => {
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

  it('limits the copies of what goes everywhere', () => {
    const placement = { spreadConstraints: two, replicaScheduling: DUPLICATED };
    expect(schedule({ placement }, three).asNumbers).toEqual({ m1: 10, m2: 10 });
  });

  it('is ignored by static weights, which name their clusters themselves', () => {
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

describe('what has no replicas to divide', () => {
  it('goes to every cluster that fits, though its placement divides', () => {
    expect(schedule({ replicas: 0, placement: { replicaScheduling: DYNAMIC } }, three).asNumbers).toEqual({
      m1: 0,
      m2: 0,
      m3: 0,
    });
  });

  it('is a workload scaled to nothing where it says what a replica needs: then no cluster has any', () => {
    const spec = { replicaRequirements: { resourceRequest: { cpu: '1' } } };
    expect(schedule({ replicas: 0, spec, current: { m1: 3 } }, three)).toMatchObject({
      outcome: 'Success',
      clusters: [],
    });
  });

  it('is also what consists of several components: it goes as a whole', () => {
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

describe('room', () => {
  it('that is short leaves everything as it is: all or nothing', () => {
    expect(schedule({ placement: { replicaScheduling: AGGREGATED } }, clusters({ m1: 4, m2: 5 }))).toMatchObject({
      outcome: 'Unschedulable',
      message: 'Clusters available replicas 9 are not enough to schedule.',
    });
  });
});

describe('what this scheduler does not do', () => {
  const left = "not covered by Evenkeel's scheduler; leave such bindings to karmada-scheduler";
  it.each<[string, object, string]>([
    [
      'spread by region',
      { spreadConstraints: [{ spreadByField: 'region', minGroups: 2, maxGroups: 2 }] },
      'spreadConstraints by region',
    ],
    ['spread by zone', { spreadConstraints: [{ spreadByField: 'zone' }] }, 'spreadConstraints by zone'],
    ['spread by provider', { spreadConstraints: [{ spreadByField: 'provider' }] }, 'spreadConstraints by provider'],
    ['spread by a label', { spreadConstraints: [{ spreadByLabel: 'tier' }] }, 'spreadConstraints by tier'],
    [
      'overflow to other affinities',
      { clusterAffinities: [{ affinityName: 'a', overflowAffinities: [{ clusterNames: ['m1'] }] }] },
      'clusterAffinities with overflowAffinities',
    ],
    ['affinity of workloads', { workloadAffinity: { affinity: {} } }, 'workloadAffinity'],
    [
      'a way of dividing that it has no word for',
      { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Balanced' } },
      'replicaScheduling (Divided, Balanced)',
    ],
  ])('%s is said so, and nothing is assigned', (_, placement, what) => {
    const answer = schedule({ placement }, three);
    expect(answer).toMatchObject({ outcome: 'SchedulerError', message: `${what}: ${left}` });
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

  it('is Fresh where a rescheduling was asked for after the last scheduling', () => {
    expect(trigger(six, five)).toBe('Fresh');
  });

  it('is Steady where our scheduler acted on that very trigger, though the status does not show it yet', () => {
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
  ])('is Steady where it was asked for %s', (_, triggered, last) => {
    expect(trigger(triggered, last)).toBe('Steady');
  });
});
