/** Who changed a placement, rule by rule. */
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../shared/core/time.ts';
import { DESCHEDULED_AT } from '../../../shared/descheduling/descheduling.ts';
import { TRIGGERED_AT, TRIGGERED_BY } from '../../../shared/karmada/binding.ts';
import { parseObservedPlacement } from '../../../shared/placement-history/observed-placement.ts';
import {
  causeOf,
  EFFECT_MS,
  type KnownMover,
  leftByScheduler,
  marksOf,
  type PlacementChange,
  storesToAsk,
} from '../../../shared/placement-history/placement-cause.ts';
import type { PlacementMarks, PlacementRow } from '../../../shared/placement-history/placement-row.ts';
import { ASSIGNED_AT } from '../../../shared/workload-rebalancer/given-assignment.ts';
import { UNSCHEDULABLE_MOVED_BY } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at } from '../../builders.ts';
import { bindingObject, type Numbers } from '../../placed-objects.ts';

interface ChangeParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly assigned?: Numbers;
  readonly replicas?: number;
  readonly manager?: string;
  readonly before?: PlacementMarks;
  readonly seconds?: number;
}

function change(parts: ChangeParts = {}): PlacementChange {
  const {
    annotations = {},
    spec = {},
    assigned = { m2: 4 },
    replicas = 4,
    manager,
    before = {},
    seconds = 100,
  } = parts;
  const fieldsV1 = { 'f:spec': { 'f:clusters': {} } };
  const managedFields = manager === undefined ? [] : [{ manager, operation: 'Update', fieldsV1 }];
  const seen = parseObservedPlacement(
    bindingObject({ replicas, current: assigned, metadata: { annotations, managedFields }, spec }),
  );
  const last = { total: 4, assigned: { m1: 4 }, ready: {}, marks: before } as unknown as PlacementRow;
  return { last, seen, marks: marksOf(seen), at: at(seconds) };
}
const cause = (parts: ChangeParts, known: KnownMover = {}) => causeOf(change(parts), known);
const time = (seconds: number) => toTimestamp(at(seconds));
const triggered = (seconds: number, by = 'home/uid/3') => ({
  annotations: { [TRIGGERED_AT]: time(seconds), [TRIGGERED_BY]: by },
  spec: { rescheduleTriggeredAt: time(seconds) },
});
const eviction = (...tasks: readonly object[]) => ({ spec: { gracefulEvictionTasks: tasks } });

describe('the marks of a binding', () => {
  it('are its trigger, its annotations and its evictions in order', () => {
    const annotations = { [ASSIGNED_AT]: time(1), [DESCHEDULED_AT]: time(2), [UNSCHEDULABLE_MOVED_BY]: 'a/u' };
    const spec = {
      rescheduleTriggeredAt: time(3),
      gracefulEvictionTasks: [{ fromCluster: 'm2' }, { fromCluster: 'm1' }],
    };
    expect(change({ annotations, spec }).marks).toEqual({
      ...{ triggeredAt: at(3), assignedAt: time(1), descheduledAt: time(2), unschedulableMovedBy: 'a/u' },
      evicted: ['m1', 'm2'],
    });
    expect(change().marks).toEqual({});
  });
});

describe('the cause', () => {
  it.each<[string, ChangeParts, object]>([
    ['of a trigger', triggered(90), { by: 'WorkloadRebalancer', name: 'home' }],
    [
      'of a trigger as old as its effect lasts',
      triggered(100 - EFFECT_MS / 1000),
      { by: 'WorkloadRebalancer', name: 'home' },
    ],
    ['of an older trigger', triggered(99 - EFFECT_MS / 1000), { by: 'Scheduler' }],
    ['of a trigger that is known', { ...triggered(90), before: { triggeredAt: at(90) } }, { by: 'Scheduler' }],
    [
      "of a user's trigger",
      { spec: { rescheduleTriggeredAt: time(90) } },
      { by: 'User', why: 'rescheduleTriggeredAt was written by another client' },
    ],
    [
      "of a user's trigger after one of Evenkeel",
      { annotations: triggered(80).annotations, spec: { rescheduleTriggeredAt: time(90) } },
      { by: 'User', why: 'rescheduleTriggeredAt was written by another client' },
    ],
    [
      'of unschedulable replicas that a rebalancer moved',
      { annotations: { [UNSCHEDULABLE_MOVED_BY]: 'fix/uid' } },
      { by: 'WorkloadRebalancer', name: 'fix', why: 'its unschedulable replicas' },
    ],
    [
      'of unschedulable replicas that were moved before',
      { annotations: { [UNSCHEDULABLE_MOVED_BY]: 'fix/uid' }, before: { unschedulableMovedBy: 'fix/uid' } },
      { by: 'Scheduler' },
    ],
    [
      'of a given assignment',
      { annotations: { [ASSIGNED_AT]: time(90) } },
      { by: 'WorkloadRebalancer', why: 'a given assignment' },
    ],
    [
      'of a given assignment before',
      { annotations: { [ASSIGNED_AT]: time(90) }, before: { assignedAt: time(90) } },
      { by: 'Scheduler' },
    ],
    [
      'of an eviction',
      eviction({ fromCluster: 'm1', producer: 'TaintManager' }),
      { by: 'Eviction', name: 'TaintManager', why: 'evicted from m1' },
    ],
    [
      'of two evictions, by the producer of the first cluster',
      eviction({ fromCluster: 'm3', producer: 'other' }, { fromCluster: 'm1' }),
      { by: 'Eviction', why: 'evicted from m1, m3' },
    ],
    [
      'of an eviction besides a known one',
      {
        ...eviction({ fromCluster: 'm1', producer: 'a' }, { fromCluster: 'm3', producer: 'b' }),
        before: { evicted: ['m1'] },
      },
      { by: 'Eviction', name: 'b', why: 'evicted from m3' },
    ],
    ['of a scaling', { replicas: 6 }, { by: 'User', why: 'scaled from 4 to 6' }],
    ['of the descheduler', { annotations: { [DESCHEDULED_AT]: time(90) } }, { by: 'Descheduler' }],
    [
      'of the descheduler before',
      { annotations: { [DESCHEDULED_AT]: time(90) }, before: { descheduledAt: time(90) } },
      { by: 'Scheduler' },
    ],
    ["of Karmada's scheduler", { manager: 'karmada-scheduler' }, { by: 'Scheduler', name: 'karmada-scheduler' }],
    [
      "of Karmada's descheduler",
      { manager: 'karmada-descheduler' },
      { by: 'Descheduler', name: 'karmada-descheduler' },
    ],
    [
      "of Evenkeel's scheduler",
      { manager: 'evenkeel', spec: { schedulerName: 'ours' } },
      { by: 'Scheduler', name: 'ours' },
    ],
    [
      'of Evenkeel without a scheduler',
      { manager: 'evenkeel', spec: { schedulerName: '' } },
      { by: 'Scheduler', name: 'evenkeel' },
    ],
    [
      'of the scheduler that the binding names',
      { manager: 'mine', spec: { schedulerName: 'mine' } },
      { by: 'Scheduler', name: 'mine' },
    ],
    ['of a client', { manager: 'kubectl-edit' }, { by: 'User', name: 'kubectl-edit' }],
  ])('%s', (_, parts, expected) => {
    expect(cause(parts)).toEqual(expected);
  });

  it('has the clusters that are not ready, of a scheduler only', () => {
    const left = [
      { cluster: 'm1', state: 'NotReady' },
      { cluster: 'm3', state: 'Ready' },
      { cluster: 'm4', state: 'Gone' },
    ] as const;
    expect(cause({ manager: 'karmada-scheduler' }, { left }).why).toBe('m1 is NotReady, m4 is Gone');
    expect(cause({ manager: 'kubectl' }, { left })).toEqual({ by: 'User', name: 'kubectl' });
    expect(cause({}, { left: [{ cluster: 'm3', state: 'Ready' }] })).toEqual({ by: 'Scheduler' });
  });

  it("has the descheduler's decision", () => {
    const decision = { run: 'd-1', reason: 'no node has capacity' } as KnownMover['decision'];
    const parts = { annotations: { [DESCHEDULED_AT]: time(90) } };
    expect(cause(parts, { decision })).toEqual({ by: 'Descheduler', name: 'd-1', why: 'no node has capacity' });
  });
});

describe('the cause of a move of Evenkeel', () => {
  const run = (over: object = {}) => ({ run: 'r-1', startedAt: at(50), ...over });
  const policy = (of: object | undefined, over: object = {}) =>
    ({ policy: { name: 'home', ...(of && { run: of }), ...over } }) as unknown as KnownMover;
  const moved: ChangeParts = { manager: 'evenkeel' };
  const home = { by: 'RebalancePolicy', name: 'home', why: 'r-1' };
  const scheduler = expect.objectContaining({ by: 'Scheduler' }) as object;

  it.each<[string, ChangeParts, KnownMover, object]>([
    ['is the policy whose run goes on', moved, policy(run()), home],
    ['is the drain', moved, policy(run(), { drains: 'm1' }), { ...home, by: 'ClusterDrain' }],
    ['is not a policy without a run', moved, policy(undefined), scheduler],
    ['is not a run that began later', { ...moved, seconds: 48 }, policy(run()), scheduler],
    ['is a run that began within the second', { ...moved, seconds: 49 }, policy(run()), home],
    ['is a run that ended some minutes before', moved, policy(run({ finishedAt: at(100) - EFFECT_MS })), home],
    ['is not a run that ended earlier', moved, policy(run({ finishedAt: at(99) - EFFECT_MS })), scheduler],
    [
      'is not the run if Evenkeel neither triggered nor moved it',
      { manager: 'karmada-scheduler' },
      policy(run()),
      scheduler,
    ],
    [
      'is not the run if it was scaled',
      { ...moved, replicas: 5 },
      policy(run()),
      { by: 'User', why: 'scaled from 4 to 5' },
    ],
    ['is the run of a trigger', triggered(90), policy(run()), home],
    [
      'is a rebalance after the end of the run',
      triggered(90),
      policy(run({ finishedAt: at(80) })),
      { by: 'WorkloadRebalancer', name: 'home' },
    ],
    ['is the run for a trigger at its end', triggered(80), policy(run({ finishedAt: at(80) })), home],
    [
      'is a given assignment after the end of the run',
      { ...moved, annotations: { [ASSIGNED_AT]: time(90) } },
      policy(run({ finishedAt: at(80) })),
      { by: 'WorkloadRebalancer', why: 'a given assignment' },
    ],
    [
      'is the run if that assignment is older',
      { ...moved, annotations: { [ASSIGNED_AT]: time(90) }, before: { assignedAt: time(90) } },
      policy(run({ finishedAt: at(80) })),
      home,
    ],
  ])('%s', (_, parts, known, expected) => {
    expect(cause(parts, known)).toEqual(expected);
  });
});

describe('the stores', () => {
  it.each([
    [{}, { decision: false, policy: false }],
    [triggered(90), { decision: false, policy: true }],
    [{ manager: 'evenkeel' }, { decision: false, policy: true }],
    [
      { manager: 'evenkeel', replicas: 5 },
      { decision: false, policy: false },
    ],
    [{ annotations: { [DESCHEDULED_AT]: time(90) } }, { decision: true, policy: false }],
  ])('that are asked with %j: %j', (parts, expected) => {
    expect(storesToAsk(change(parts))).toEqual(expected);
  });
});

describe('the clusters that a scheduler left', () => {
  it.each<[ChangeParts, readonly string[]]>([
    [{}, ['m1']],
    [{ assigned: { m1: 1, m2: 3 } }, []],
    [{ assigned: { m1: 0, m2: 4 } }, ['m1']],
    [{ replicas: 5 }, []],
    [triggered(90), []],
    [{ manager: 'evenkeel' }, []],
    [eviction({ fromCluster: 'm1' }), []],
    [{ ...eviction({ fromCluster: 'm1' }), before: { evicted: ['m1'] } }, []],
    [{ annotations: { [DESCHEDULED_AT]: time(90) } }, []],
  ])('with %j are %j', (parts, expected) => {
    expect(leftByScheduler(change(parts))).toEqual(expected);
  });

  it('are three at most', () => {
    const { last, ...rest } = change();
    const assigned = { m1: 1, m3: 1, m4: 1, m5: 1 };
    expect(leftByScheduler({ ...rest, last: { ...last, assigned } })).toEqual(['m1', 'm3', 'm4']);
  });
});
