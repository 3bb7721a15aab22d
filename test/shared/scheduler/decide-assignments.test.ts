/** The writes of our scheduler to a binding. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import type { ClusterReplicas } from '../../../shared/karmada/assignment/assign-replicas.ts';
import type { AssumedReplicas } from '../../../shared/karmada/assignment/assume-cache.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import {
  afterPatch,
  decideAssignments,
  patchOf,
  planWrites,
  type SchedulingWrites,
  silentEstimators,
} from '../../../shared/scheduler/decide-assignments.ts';
import { at } from '../../builders.ts';
import { cluster, DUPLICATED, DYNAMIC, placedBinding } from '../../placed-objects.ts';

const web = placedBinding({ placement: { replicaScheduling: DUPLICATED } });
const clusters = [cluster('m1')];

describe('a write', () => {
  it('is conditional, and on the status subresource for a status', () => {
    const { resourceVersion } = web.metadata;
    const change = { metadata: { annotations: { a: '1' } }, spec: {} };
    expect(patchOf(resourceVersion, change)).toEqual({
      merge: { ...change, metadata: { ...change.metadata, resourceVersion } },
    });
    expect(patchOf(resourceVersion, { status: {} })).toEqual({
      merge: { status: {}, metadata: { resourceVersion } },
      subresource: 'status',
    });
  });

  it('is repeated by a redelivery after a conflict, and not for a deleted binding', () => {
    const written = { resourceVersion: '8', generation: 2 };
    expect(afterPatch('web', { result: 'done', object: written })).toBe(written);
    expect(afterPatch('web', { result: 'missing' })).toBeUndefined();
    expect(() => afterPatch('web', { result: 'conflict' })).toThrow('binding web changed under the write');
  });

  it('is of the spec, then of the status, for a binding that was never scheduled', () => {
    const { spec, status } = planWrites({ binding: web, clusters, available: () => 9 }, at(0));
    expect(spec).toMatchObject({ spec: { clusters: [{ name: 'm1' }] } });
    expect(status(7)).toMatchObject({
      status: { schedulerObservedGeneration: 7, lastScheduledTime: '2026-11-21T10:00:00Z' },
    });
  });
});

describe('assignments of several bindings', () => {
  const dynamic = { replicaScheduling: DYNAMIC };
  const named = (name: string, spec: object = {}) => placedBinding({ name, replicas: 10, placement: dynamic, spec });
  const replicasOf = (writes: SchedulingWrites) =>
    (writes.spec?.spec as { clusters: readonly ClusterReplicas[] } | undefined)?.clusters;
  const decide = (bindings: readonly PlacedBinding[], assumed: AssumedReplicas = {}) => {
    const items = bindings.map((binding) => ({ binding }));
    return decideAssignments({
      items,
      clusters: [cluster('m1', { pods: 12 }), cluster('m2', { pods: 8 })],
      assumed,
      now: at(0),
    });
  };

  it('are returned in the given order, each decided by what those before it leave', () => {
    const { decided, added } = decide([named('a'), named('b')]);
    expect(decided.map(({ item }) => item.binding.metadata.name)).toEqual(['a-deployment', 'b-deployment']);
    expect(decided.map(({ writes }) => replicasOf(writes))).toEqual([
      [
        { name: 'm1', replicas: 6 },
        { name: 'm2', replicas: 4 },
      ],
      [
        { name: 'm1', replicas: 6 },
        { name: 'm2', replicas: 4 },
      ],
    ]);
    expect(added).toEqual({ m1: { pods: 12 }, m2: { pods: 8 } });
    const third = decide([named('a'), named('b'), named('c')]).decided[2];
    expect(third?.writes.reason).toMatch(/Unschedulable/);
  });

  it('are decided by priority', () => {
    const { decided } = decide([named('a'), named('b'), named('c', { schedulePriority: { priority: 1 } })]);
    expect(decided.map(({ writes }) => replicasOf(writes) !== undefined)).toEqual([true, false, true]);
  });

  it('leave what others were assigned', () => {
    const { decided, added } = decide([named('a')], { m1: { pods: 10 } });
    expect(decided.map(({ writes }) => replicasOf(writes))).toEqual([
      [
        { name: 'm1', replicas: 2 },
        { name: 'm2', replicas: 8 },
      ],
    ]);
    expect(added).toEqual({ m1: { pods: 2 }, m2: { pods: 8 } });
  });

  it('take no capacity for replicas that a cluster has already, nor for what is not scheduled', () => {
    const scheduled = { placement: dynamic, at: '2026-11-21T09:59:00Z' };
    const grown = placedBinding({ name: 'a', replicas: 10, current: { m1: 8 }, placement: dynamic, scheduled });
    expect(decide([grown]).added).toEqual({ m1: { pods: 1 }, m2: { pods: 1 } });
    expect(decide([placedBinding({ name: 'a', replicas: 40, placement: dynamic })]).added).toEqual({});
    expect(
      decide([placedBinding({ name: 'a', replicas: 8, current: { m1: 8 }, placement: dynamic, scheduled })]).added,
    ).toEqual({});
  });

  it('have a new trigger in the write of the assignment, also if no cluster has capacity', () => {
    const scheduled = { placement: dynamic, at: '2026-11-21T09:59:00Z' };
    const trigger = { rescheduleTriggeredAt: at(0), annotations: { 'evenkeel.dev/triggered-by': 'demo/uid' } };
    const write = (replicas: number) => {
      const binding = placedBinding({ name: 'a', replicas, current: { m2: replicas }, placement: dynamic, scheduled });
      const clusters = [cluster('m1', { pods: 2 }), cluster('m2', { pods: 0 })];
      const items = [{ binding, trigger }];
      return decideAssignments({ items, clusters, assumed: {}, now: at(1) }).decided[0]?.writes.spec;
    };
    const acted = 'evenkeel.dev/acted-on-trigger';
    expect(write(2)).toMatchObject({
      metadata: { annotations: { ...trigger.annotations, [acted]: '2026-11-21T10:00:00Z' } },
      spec: { rescheduleTriggeredAt: '2026-11-21T10:00:00Z' },
    });
    const binding = placedBinding({ name: 'a', replicas: 9, current: { gone: 9 }, placement: dynamic, scheduled });
    const items = [{ binding, trigger }];
    const { decided } = decideAssignments({ items, clusters: [cluster('m1', { pods: 2 })], assumed: {}, now: at(1) });
    expect(decided[0]?.writes.spec).toEqual({
      metadata: { annotations: trigger.annotations },
      spec: { rescheduleTriggeredAt: '2026-11-21T10:00:00Z' },
    });
  });
});

it('logs one line per silent estimator', () => {
  const fault = new Fault('retryable', 'no answer', { reason: 'EstimatorTimeout' });
  expect(silentEstimators('karmada', new Map([['m1', fault]]))).toEqual([
    { code: 'EK310', fields: { hub: 'karmada', cluster: 'm1', reason: 'EstimatorTimeout', error: 'no answer' } },
  ]);
});
