/** A WorkloadRebalancer that gives assignments: each workload gets the given replicas by cluster, in one write without a trigger. */
import { beforeEach, describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { type BindingParts, DUPLICATED, DYNAMIC, type Numbers } from '../../placed-objects.ts';

const placement = { replicaScheduling: DYNAMIC };
const story: BindingParts = {
  replicas: 6,
  placement,
  current: { m1: 2, m2: 4 },
  scheduled: { placement, at: '2026-11-21T09:59:00Z' },
  spec: { schedulerName: 'default-scheduler' },
};

class AssigningWorld extends SchedulingWorld {
  constructor() {
    super({ m1: 100, m2: 100, m3: 1 }, { hook: false });
  }

  async assign(annotation: string, names: readonly string[] = ['web']): Promise<void> {
    const workloads = names.map((name) => deployment(name));
    const metadata = { name: 'back', annotations: { 'evenkeel.dev/assigns': annotation } };
    const object = {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata,
      spec: { workloads },
    };
    this.store.create('workloadrebalancers', object, user);
    await this.publishRebalancer('back');
    await this.pass(20);
  }

  outcome(): readonly string[] {
    const { observedWorkloads = [] } = (this.rebalancer('back')?.status ?? {}) as {
      observedWorkloads?: readonly { result?: string; reason?: string }[];
    };
    return observedWorkloads.map(({ result = '', reason }) => (reason === undefined ? result : `${result} ${reason}`));
  }
}

const to = (assignment: Numbers, name = 'web') => JSON.stringify({ [`shop/${name}-deployment`]: assignment });

describe('a rebalancer that gives assignments', () => {
  let w: AssigningWorld;
  beforeEach(() => {
    w = new AssigningWorld();
  });

  it('gives a workload its assignment back, in one write without a trigger, with the time', async () => {
    w.addBinding('web', story);
    await w.assign(to({ m1: 5, m2: 1 }));
    expect(w.assigned('web')).toEqual({ m1: 5, m2: 1 });
    expect([w.outcome(), w.binding(deployment('web')).trigger, w.writes('web')]).toEqual([
      ['Successful'],
      undefined,
      { spec: 1, status: 0 },
    ]);
    const created = w.rebalancer('back')?.metadata.creationTimestamp;
    expect(w.stored('web').metadata.annotations?.['evenkeel.dev/assigned-at']).toBe(created);
  });

  it('removes a cluster that had no replicas, and adds one that was left', async () => {
    w.addBinding('web', { ...story, current: { m1: 2, m3: 4 } });
    await w.assign(to({ m1: 2, m2: 4 }));
    expect(w.assigned('web')).toEqual({ m1: 2, m2: 4 });
  });

  it('writes nothing for a workload that has it already', async () => {
    w.addBinding('web', story);
    await w.assign(to({ m1: 2, m2: 4 }));
    expect([w.outcome(), w.writes('web').spec]).toEqual([['Successful'], 0]);
    expect(w.reasons.join()).toContain('it has that assignment');
  });

  it.each<[string, BindingParts, string, string]>([
    ['is not in the annotation', story, to({ m1: 6 }, 'other'), 'Failed AssignmentNotPossible'],
    ['has another number of replicas', story, to({ m1: 5 }), 'Failed AssignmentNotPossible'],
    [
      'is Duplicated',
      { ...story, placement: { replicaScheduling: DUPLICATED } },
      to({ m1: 6 }),
      'Failed AssignmentNotPossible',
    ],
    ['is to go to a full cluster', story, to({ m3: 6 }), 'Failed InsufficientCapacity'],
    ['is to go to an unknown cluster', story, to({ m9: 6 }), 'Failed InsufficientCapacity'],
    [
      'is being moved',
      {
        ...story,
        spec: {
          ...story.spec,
          gracefulEvictionTasks: [{ fromCluster: 'm9', reason: 'TaintUntolerated', producer: 'TaintManager' }],
        },
      },
      to({ m1: 6 }),
      'Failed SchedulingInProgress',
    ],
    ['has an annotation that is not JSON', story, '{m1: 6', 'Failed AssignmentNotPossible'],
    ['has an annotation with a fraction', story, to({ m1: 5.5, m2: 0.5 }), 'Failed AssignmentNotPossible'],
  ])('leaves a workload that %s', async (_, parts, annotation, outcome) => {
    w.addBinding('web', parts);
    await w.assign(annotation);
    expect([w.outcome(), w.writes('web').spec]).toEqual([[outcome], 0]);
    expect(w.deadLetters).toEqual([]);
  });

  it('has a missing binding as any other rebalancer', async () => {
    await w.assign(to({ m1: 6 }));
    expect(w.outcome()).toEqual(['Failed ReferencedBindingNotFound']);
  });

  it('has our scheduler observe the new generation of its bindings, and keep the assignment', async () => {
    w.addBinding('web', { ...story, spec: {} });
    await w.assign(to({ m1: 6 }));
    await w.pass(60);
    expect(w.assigned('web')).toEqual({ m1: 6 });
    expect(w.stored('web').status?.schedulerObservedGeneration).toBe(w.stored('web').metadata.generation);
  });
});
