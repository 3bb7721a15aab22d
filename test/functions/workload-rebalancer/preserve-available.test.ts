/** A WorkloadRebalancer with preserveAvailableReplicas: only replicas that the estimators report as unschedulable move. */

import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { NOT_MOVABLE } from '../../../shared/descheduling/cluster-readings.ts';
import { deployment } from '../../builders.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { type BindingParts, byStaticWeight, DYNAMIC, type Numbers } from '../../placed-objects.ts';

const AT = '2026-11-21T09:59:00Z';
const placement = { replicaScheduling: DYNAMIC };
const applied = { 'policy.karmada.io/applied-placement': JSON.stringify(placement) };
const elsewhere = { clusterAffinity: { clusterNames: ['m1', 'm3'] }, replicaScheduling: DYNAMIC };
const MOVED_BY = 'evenkeel.dev/unschedulable-moved-by';

/** Bindings by assigned and ready replicas of each cluster. */
function held(assigned: Numbers, ready: Numbers, parts: BindingParts = {}): BindingParts {
  const replicas = Object.values(assigned).reduce((sum, count) => sum + count, 0);
  const aggregatedStatus = Object.entries(ready).map(([clusterName, readyReplicas]) => ({
    clusterName,
    status: { readyReplicas },
  }));
  const { status, ...rest } = parts;
  return {
    ...{ replicas, placement, current: assigned, scheduled: { placement, at: AT } },
    ...rest,
    status: { aggregatedStatus, ...status },
  };
}

class PreservingWorld extends SchedulingWorld {
  readonly unschedulable: Record<string, number | Error> = {};
  /** Of estimators; those of absent clusters have no estimate. */
  available: Numbers = {};
  readonly asked: string[] = [];

  constructor(capacities: Numbers, settings: Readonly<Record<string, string>> = {}) {
    super(capacities, { hook: false, settings });
    this.estimator = {
      unschedulableReplicas: async (name) => {
        this.asked.push(name);
        const answer = this.unschedulable[name] ?? 0;
        if (answer instanceof Error) throw answer;
        return answer;
      },
      maxAvailableReplicas: async (name) => this.available[name],
    };
  }

  async run(names: readonly string[] = ['web'], preserve = 'true'): Promise<void> {
    const workloads = names.map((name) => deployment(name));
    const metadata = { name: 'demo', annotations: { 'evenkeel.dev/preserve-available-replicas': preserve } };
    const object = {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata,
      spec: { workloads },
    };
    this.store.create('workloadrebalancers', object, user);
    await this.publishRebalancer('demo');
    await this.pass(20);
  }

  /** "Successful", or "Failed" with its reason. */
  outcome(name = 'demo'): readonly string[] {
    const { observedWorkloads = [] } = (this.rebalancer(name)?.status ?? {}) as {
      observedWorkloads?: readonly { result?: string; reason?: string }[];
    };
    return observedWorkloads.map(({ result = '', reason }) => (reason === undefined ? result : `${result} ${reason}`));
  }
}

/** The proposal's story: 6 and 4 assigned, 2 of the 6 unschedulable; m2 has less capacity than m3. */
const story = held({ m1: 6, m2: 4 }, { m1: 4, m2: 4 });
const changed = (w: SchedulingWorld) => w.writes('web').spec;

describe('a rebalancer that preserves available replicas', () => {
  let w: PreservingWorld;
  beforeEach(() => {
    w = new PreservingWorld({ m1: 100, m2: 0, m3: 50 });
    w.unschedulable.m1 = 2;
  });

  it('moves the unschedulable replicas, and no others, in one write without a trigger', async () => {
    w.addBinding('web', { ...story, spec: { schedulerName: 'default-scheduler' } });
    await w.run();
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 4, m3: 2 });
    expect([w.outcome(), w.binding(deployment('web')).trigger]).toEqual([['Successful'], undefined]);
    expect(w.writes('web')).toEqual({ spec: 1, status: 0 });
    expect(w.stored('web').metadata.annotations?.[MOVED_BY]).toMatch(/^demo\/\S+ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(w.reasons.join()).toContain('its unschedulable replicas moved: m1: 4, m2: 4, m3: 2');
  });

  it('is confirmed as rescheduled', async () => {
    w.addBinding('web', { ...story, spec: { schedulerName: 'default-scheduler' } });
    await w.run();
    await w.pass(120);
    const [task] = await w.tasks.recent('karmada', 1);
    const whole = task && (await w.tasks.readTask({ hub: 'karmada', uid: task.uid }));
    expect(whole?.rescheduling?.state).toBe('Confirmed');
  });

  it('has our scheduler observe the new generation of its bindings', async () => {
    w.addBinding('web', story);
    await w.run();
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 4, m3: 2 });
    expect(w.stored('web').status?.schedulerObservedGeneration).toBe(w.stored('web').metadata.generation);
  });

  it('reschedules all replicas if the annotation is "false"', async () => {
    w.addBinding('web', story);
    await w.run(['web'], 'false');
    expect(w.binding(deployment('web')).trigger).not.toBeUndefined();
  });

  it('is successful without a write if nothing is unschedulable, and asks no estimator of a cluster that has all ready', async () => {
    w.addBinding('web', held({ m1: 6, m2: 4 }, { m1: 6, m2: 3 }));
    await w.run();
    expect([w.outcome(), changed(w), w.asked]).toEqual([['Successful'], 0, ['m2']]);
    expect(w.reasons.join()).toContain('none of its replicas is unschedulable');
  });

  it('moves ready replicas never, whatever the estimator reports', async () => {
    w.unschedulable.m1 = 5;
    w.addBinding('web', story);
    await w.run();
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 4, m3: 2 });
  });

  it('moves no more at a redelivery, although the estimator still reports the same', async () => {
    w.addBinding('web', held({ m1: 6, m2: 4 }, { m1: 0, m2: 4 }));
    let once = true;
    w.hub.interference.after = ({ verb, plural }) => {
      if (verb !== 'patch' || plural !== 'resourcebindings' || !once) return;
      once = false;
      throw new Fault('retryable', 'the connection was closed', { reason: 'HubUnreachable' });
    };
    await w.run();
    await w.pass(120);
    expect([w.outcome(), w.assigned('web')]).toEqual([['Successful'], { m1: 4, m2: 4, m3: 2 }]);
    expect(w.reasons.join()).toContain('this rebalancer has moved its unschedulable replicas before');
  });

  it('uses the capacity of a cluster once', async () => {
    w.setCapacity('m3', 3);
    for (const name of ['a', 'b']) w.addBinding(name, story);
    await w.run(['a', 'b']);
    expect([w.assigned('a'), w.assigned('b')]).toEqual([
      { m1: 4, m2: 4, m3: 2 },
      { m1: 6, m2: 4 },
    ]);
    expect(w.outcome()).toEqual(['Successful', 'Failed InsufficientCapacity']);
  });

  it.each<[string, BindingParts, (w: PreservingWorld) => void, string, string]>([
    [
      'no other cluster has capacity for all of them',
      story,
      (w) => w.setCapacity('m3', 1),
      'InsufficientCapacity',
      'Unschedulable: ',
    ],
    [
      'a kept replica is on a cluster that its placement no longer allows',
      { ...story, placement: elsewhere, scheduled: { placement: elsewhere, at: AT } },
      () => undefined,
      'InsufficientCapacity',
      'Unschedulable: its placement no longer allows the 4 replicas on cluster m2',
    ],
    [
      'the estimator does not answer',
      story,
      (w) => (w.unschedulable.m1 = new Fault('retryable', 'no answer', { reason: 'EstimatorTimeout' })),
      'EstimatorUnavailable',
      'cluster m1: EstimatorTimeout',
    ],
    [
      'the estimator reports more than is assigned',
      story,
      (w) => (w.unschedulable.m1 = 7),
      'EstimatorUnavailable',
      'cluster m1: 7 is more than the 6',
    ],
    [
      'the hub has no estimator',
      story,
      (w) => (w.estimator = undefined),
      'EstimatorUnavailable',
      'cluster m1: no answer',
    ],
    [
      'its replicas are divided by static weight',
      {
        ...story,
        placement: { replicaScheduling: byStaticWeight({ m1: 6, m2: 4 }) },
        scheduled: { placement: { replicaScheduling: byStaticWeight({ m1: 6, m2: 4 }) }, at: AT },
      },
      () => undefined,
      'PreserveNotSupported',
      'it is divided by StaticWeight',
    ],
    [
      'its unschedulable replicas cannot run in another cluster',
      story,
      (w) => (w.unschedulable.m1 = new Fault('terminal', 'its volume claims stay', { reason: NOT_MOVABLE })),
      'PreserveNotSupported',
      'its volume claims stay',
    ],
    [
      'it is being scaled',
      { ...story, replicas: 12 },
      () => undefined,
      'SchedulingInProgress',
      'what is assigned is not what it asks for',
    ],
    [
      'it is triggered',
      { ...story, spec: { rescheduleTriggeredAt: '2026-11-21T09:59:30Z' } },
      () => undefined,
      'SchedulingInProgress',
      'a rescheduling was asked for',
    ],
    [
      'a cluster is giving up its replicas',
      {
        ...story,
        spec: { gracefulEvictionTasks: [{ fromCluster: 'm9', reason: 'TaintUntolerated', producer: 'TaintManager' }] },
      },
      () => undefined,
      'SchedulingInProgress',
      'cluster m9 is giving up replicas',
    ],
    [
      'a cluster keeps replicas until others are ready',
      { ...story, metadata: { annotations: { ...applied, 'replica-reduction-queue.evenkeel.dev/m9': '{}' } } },
      () => undefined,
      'SchedulingInProgress',
      'its last move is not over',
    ],
  ])('leaves a workload as it is if %s, and names the reason', async (_, parts, change, reason, why) => {
    w.addBinding('web', { ...parts, spec: { schedulerName: 'default-scheduler', ...parts.spec } });
    change(w);
    await w.run();
    expect([w.outcome(), w.assigned('web'), changed(w)]).toEqual([[`Failed ${reason}`], { m1: 6, m2: 4 }, 0]);
    expect(w.reasons.join()).toContain(`not moved: ${why}`);
  });

  it('assigns them by the capacity of every cluster that loses none, and drops a cluster that loses all', async () => {
    w.setCapacity('m2', 50);
    w.setCapacity('m3', 0);
    w.unschedulable.m1 = 6;
    w.addBinding('web', held({ m1: 6, m2: 4 }, { m1: 0, m2: 4 }));
    await w.run();
    expect(w.assigned('web')).toEqual({ m2: 10 });
  });

  it('has other invocations assume the replicas that it adds to a cluster', async () => {
    w.addBinding('web', { ...story, spec: { schedulerName: 'default-scheduler' } });
    await w.run();
    const added = (await w.assignments.read('karmada'))?.recent.map(({ replicas }) => Object.keys(replicas));
    expect(added).toEqual([['m3']]);
  });

  it('assigns them by the capacity that the estimators report', async () => {
    w.available = { m3: 1 };
    w.addBinding('web', story);
    await w.run();
    expect([w.outcome(), w.assigned('web')]).toEqual([['Failed InsufficientCapacity'], { m1: 6, m2: 4 }]);
  });

  it('leaves a workload whose binding can not be read for later, and no other', async () => {
    for (const name of ['a', 'b']) w.addBinding(name, { ...story, spec: { schedulerName: 'default-scheduler' } });
    let once = true;
    w.hub.interference.before = ({ verb, plural, name }) => {
      if (verb !== 'get' || plural !== 'resourcebindings' || name !== 'a-deployment' || !once) return;
      once = false;
      throw new Fault('retryable', 'binding a can not be read', { reason: 'HubUnreachable' });
    };
    await w.run(['a', 'b']);
    expect(w.reasons.join()).toContain('(chunk 0 goes on: binding a can not be read)');
    expect(w.outcome()).toEqual(['Successful', 'Successful']);
    expect([w.assigned('a'), w.assigned('b')]).toEqual([
      { m1: 4, m2: 4, m3: 2 },
      { m1: 4, m2: 4, m3: 2 },
    ]);
  });

  it('writes the first bindings before it reads the last: a slow hub must not end every invocation without a write', async () => {
    const slow = new PreservingWorld({ m1: 100, m2: 0, m3: 50 }, { hubInFlight: '1' });
    slow.unschedulable.m1 = 2;
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) slow.addBinding(name, { ...story, spec: { schedulerName: 'default-scheduler' } });
    await slow.run(names);
    const verbs = slow.hub.calls.flatMap(({ verb, plural, name }) =>
      plural === 'resourcebindings' && (verb === 'get' || verb === 'patch') ? [`${verb} ${name?.charAt(0)}`] : [],
    );
    expect(verbs.slice(0, 5)).toEqual(['get a', 'get b', 'patch a', 'patch b', 'get c']);
    expect(slow.outcome()).toEqual(names.map(() => 'Successful'));
  });

  it('names a missing binding as any rebalancer does', async () => {
    await w.run();
    expect(w.outcome()).toEqual(['Failed ReferencedBindingNotFound']);
  });
});
