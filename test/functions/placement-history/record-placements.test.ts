/** Which states of a binding and of a cluster are recorded, as which rows, and by which cause. */
import { describe, expect, it } from 'vitest';
import { changeOf, clusterStep, recordStep } from '../../../functions/placement-history/record-placements.ts';
import { toTimestamp } from '../../../shared/core/time.ts';
import { DESCHEDULED_AT } from '../../../shared/descheduling/descheduling.ts';
import { TRIGGERED_AT, TRIGGERED_BY } from '../../../shared/karmada/binding.ts';
import { parseObservedCluster } from '../../../shared/placement-history/observed-cluster.ts';
import { parseObservedPlacement } from '../../../shared/placement-history/observed-placement.ts';
import { type KnownMover, leftByScheduler } from '../../../shared/placement-history/placement-cause.ts';
import type { PlacementCause, PlacementRow } from '../../../shared/placement-history/placement-row.ts';
import { ASSIGNED_AT } from '../../../shared/workload-rebalancer/given-assignment.ts';
import { UNSCHEDULABLE_MOVED_BY } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at } from '../../builders.ts';
import { bindingObject, clusterObject, type Numbers } from '../../placed-objects.ts';

interface Seen {
  readonly version?: number;
  /** Seconds. */
  readonly time?: number;
  readonly assigned?: Numbers;
  readonly ready?: Numbers;
  readonly replicas?: number;
  readonly manager?: string;
  readonly uid?: string;
  readonly createdAt?: number;
  readonly annotations?: object;
  readonly spec?: object;
}

const key = { namespace: 'shop', name: 'web-deployment' };

function observed(seen: Seen = {}) {
  const { version = 1, time = 0, assigned = { m1: 4 }, ready = {}, replicas = 4, uid = 'u1', createdAt = 0 } = seen;
  const { manager = 'karmada-scheduler', annotations = {}, spec = {} } = seen;
  const object = bindingObject({
    replicas,
    current: assigned,
    metadata: {
      ...{ uid, annotations, resourceVersion: String(version), creationTimestamp: toTimestamp(at(createdAt)) },
      managedFields: [
        { manager, operation: 'Update', time: toTimestamp(at(time)), fieldsV1: { 'f:spec': { 'f:clusters': {} } } },
      ],
    },
    spec,
    status: {
      aggregatedStatus: Object.entries(ready).map(([clusterName, readyReplicas]) => ({
        clusterName,
        status: { replicas: readyReplicas, readyReplicas },
      })),
    },
  });
  return { key, seen: parseObservedPlacement(object), now: at(time) + 700 };
}

function recorded(last: PlacementRow | undefined, seen: Seen, known?: KnownMover) {
  const step = recordStep(last, observed(seen), known);
  if (step.step === 'Skip') throw new Error(`skipped: ${step.reason}`);
  return step.placement;
}

const first = recorded(undefined, {}).row;
const skipped = (last: PlacementRow | undefined, seen: Seen) => recordStep(last, observed(seen)).reason;
const movesOf = (last: PlacementRow | undefined, seen: Seen) =>
  recorded(last, seen).moves.map(({ cluster, from, to }) => `${cluster} ${from}→${to}`);

describe('the first row of a binding', () => {
  it('has its creation as the cause, and all replicas move to their clusters', () => {
    expect(first).toMatchObject({ at: at(0), version: '1', uid: 'u1', total: 4, cause: { by: 'Created' } });
    expect(movesOf(undefined, { assigned: { m1: 1, m2: 3 } })).toEqual(['m1 0→1', 'm2 0→3']);
  });

  it('shows no move if the binding is older than its history', () => {
    const { row, moves } = recorded(undefined, { time: 3600, createdAt: 0 });
    expect([row.cause, moves]).toEqual([{ by: 'FirstRecord' }, []]);
  });

  it('is recorded again for a binding that was deleted and created with the same name', () => {
    const { row, moves } = recorded(first, { uid: 'u2', version: 9, time: 5, createdAt: 5 });
    expect(row).toMatchObject({ uid: 'u2', cause: { by: 'Created' } });
    expect(moves).toHaveLength(0);
  });

  it('is not recorded for a binding without replicas', () => {
    expect(skipped(undefined, { replicas: 0, assigned: {}, spec: { replicaRequirements: null } })).toBe(
      'it has no replicas',
    );
  });
});

describe('a change of the assignment', () => {
  it('is a row with a move for each cluster whose number changed', () => {
    const change = { version: 2, time: 1, assigned: { m1: 2, m2: 2 } };
    expect(recorded(first, change).row).toMatchObject({ at: at(1), version: '2', assigned: { m1: 2, m2: 2 } });
    expect(movesOf(first, change)).toEqual(['m1 4→2', 'm2 0→2']);
  });

  it('has the time of the last row if the clock of another API server is behind', () => {
    const later = recorded(undefined, { time: 100, version: 5 }).row;
    const { row, moves } = recorded(later, { time: 90, version: 6, assigned: { m2: 4 } });
    expect([row.at, moves[0]?.at]).toEqual([at(100), at(100)]);
  });

  it('is not recorded from a state that is older than the last row, also with more digits', () => {
    const later = recorded(undefined, { version: 10 }).row;
    expect(skipped(later, { version: 9, assigned: { m2: 4 } })).toBe('a newer state is recorded');
  });

  it('has the time of the observation if the hub keeps no managedFields', () => {
    const { seen, now } = observed({ version: 2, assigned: { m2: 4 } });
    const { changedAt: _, ...untimed } = seen;
    const step = recordStep(first, { key, seen: untimed, now: at(42) });
    expect(step).toMatchObject({ placement: { row: { at: at(42) } } });
    expect(now).toBeGreaterThan(at(0));
  });
});

describe('a change of ready replicas', () => {
  const second = recorded(first, { version: 2, time: 20, ready: { m1: 1 } }).row;

  it('is a row without a cause and without moves if the last row is old enough', () => {
    expect(second).toMatchObject({ at: at(20), version: '2', ready: { m1: 1 } });
    expect(second.cause).toBeUndefined();
    expect(recorded(first, { version: 2, time: 20, ready: { m1: 1 } }).moves).toEqual([]);
  });

  it('replaces the ready replicas of a row of the last ten seconds, whose key and cause stay', () => {
    const { row } = recorded(first, { version: 3, time: 9, ready: { m1: 4 } });
    expect(row).toEqual({ ...first, ready: { m1: 4 }, lastVersion: '3' });
  });

  it('is recorded to its last state with at most a row in ten seconds, in a rollout of 1,000 pods', () => {
    const rows = new Map<string, PlacementRow>();
    let last = recorded(undefined, { assigned: { m1: 1000 }, replicas: 1000 }).row;
    for (let pod = 1; pod <= 1000; pod += 1) {
      const seen = { version: 1 + pod, time: Math.floor(pod * 0.3), assigned: { m1: 1000 }, replicas: 1000 };
      last = recorded(last, { ...seen, ready: { m1: pod } }).row;
      rows.set(`${last.at} ${last.version}`, last);
    }
    expect(rows.size).toBe(31);
    expect(last.ready).toEqual({ m1: 1000 });
  });

  it('is none if no number differs, whatever else was written', () => {
    expect(skipped(second, { version: 9, time: 90, ready: { m1: 1, m2: 0 } })).toBe('no number changed');
  });
});

describe('the end of a binding', () => {
  const end = recordStep(first, { key, seen: undefined, now: at(60) });

  it('is a row after the last one in which all replicas move away', () => {
    expect(end).toMatchObject({
      placement: {
        row: { at: at(60), version: '2', gone: true, total: 0, assigned: {}, cause: { by: 'Deleted' } },
        moves: [{ cluster: 'm1', from: 4, to: 0 }],
      },
    });
  });

  it('is recorded once, and not of a binding without history', () => {
    const last = end.step === 'Record' ? end.placement.row : undefined;
    expect(recordStep(last, { key, seen: undefined, now: at(90) }).reason).toBe('its end is recorded');
    expect(recordStep(undefined, { key, seen: undefined, now: at(90) }).step).toBe('Skip');
  });
});

describe('the cause of a change', () => {
  const run = { run: 'r1', startedAt: at(0) };
  const policy = { name: 'come-home', run } as KnownMover['policy'];
  const ended = { name: 'come-home', run: { ...run, finishedAt: at(0) } } as KnownMover['policy'];
  const drain = { name: 'drain-m1', drains: 'm1', run } as KnownMover['policy'];
  const decision = { run: 'sweep-1', reason: '2 replicas on m1 are unschedulable' } as KnownMover['decision'];
  const triggered = { rescheduleTriggeredAt: toTimestamp(at(1)) };
  const signed = { [TRIGGERED_BY]: 'bring-back/uid-7', [TRIGGERED_AT]: toTimestamp(at(1)) };
  const task = { fromCluster: 'm1', producer: 'TaintManager' };

  it.each<[string, Seen, KnownMover, PlacementCause]>([
    [
      'a signed trigger is its WorkloadRebalancer',
      { spec: triggered, annotations: signed },
      {},
      { by: 'WorkloadRebalancer', name: 'bring-back' },
    ],
    [
      'a trigger of a wave is the policy of the run that took the workload',
      { spec: triggered, annotations: signed },
      { policy },
      { by: 'RebalancePolicy', name: 'come-home', why: 'r1' },
    ],
    [
      'a trigger after the end of the run that took the workload is its WorkloadRebalancer',
      { spec: triggered, annotations: signed },
      { policy: ended },
      { by: 'WorkloadRebalancer', name: 'bring-back' },
    ],
    [
      'an assignment that was given after the end of the run is a WorkloadRebalancer',
      { manager: 'evenkeel', annotations: { [ASSIGNED_AT]: toTimestamp(at(1)) } },
      { policy: ended },
      { by: 'WorkloadRebalancer', why: 'a given assignment' },
    ],
    [
      'an assignment that was given before the end of the run is the run',
      { manager: 'evenkeel', annotations: { [ASSIGNED_AT]: toTimestamp(at(0)) } },
      { policy: ended },
      { by: 'RebalancePolicy', name: 'come-home', why: 'r1' },
    ],
    [
      'a trigger without our signature is a user',
      { spec: triggered },
      {},
      { by: 'User', why: 'rescheduleTriggeredAt was written by another client' },
    ],
    [
      'a trigger of an hour ago is not the cause',
      { spec: triggered, annotations: signed, time: 3601 },
      {},
      { by: 'Scheduler', name: 'karmada-scheduler' },
    ],
    [
      'a move by our account in the run of a drain is the drain',
      { manager: 'evenkeel' },
      { policy: drain },
      { by: 'ClusterDrain', name: 'drain-m1', why: 'r1' },
    ],
    [
      'a move by our account outside of any run is our scheduler',
      { manager: 'evenkeel', spec: { schedulerName: 'evenkeel' } },
      {},
      { by: 'Scheduler', name: 'evenkeel' },
    ],
    [
      'a given assignment is a WorkloadRebalancer',
      { manager: 'evenkeel', annotations: { [ASSIGNED_AT]: 'now' } },
      {},
      { by: 'WorkloadRebalancer', why: 'a given assignment' },
    ],
    [
      'moved unschedulable replicas are the rebalancer that moved them',
      { manager: 'evenkeel', annotations: { [UNSCHEDULABLE_MOVED_BY]: 'keep-good/uid-1 2026' } },
      {},
      { by: 'WorkloadRebalancer', name: 'keep-good', why: 'its unschedulable replicas' },
    ],
    [
      'the annotation of the descheduler is its decision',
      { manager: 'evenkeel', annotations: { [DESCHEDULED_AT]: 'now' } },
      { decision },
      { by: 'Descheduler', name: 'sweep-1', why: '2 replicas on m1 are unschedulable' },
    ],
    [
      'Karmada’s descheduler is a descheduler',
      { manager: 'karmada-descheduler' },
      {},
      { by: 'Descheduler', name: 'karmada-descheduler' },
    ],
    [
      'a new eviction is the eviction',
      { spec: { gracefulEvictionTasks: [task] } },
      {},
      { by: 'Eviction', name: 'TaintManager', why: 'evicted from m1' },
    ],
    ['another total is a scaling', { replicas: 6, assigned: { m1: 6 } }, {}, { by: 'User', why: 'scaled from 4 to 6' }],
    ['anything else by the scheduler is the scheduler', {}, {}, { by: 'Scheduler', name: 'karmada-scheduler' }],
    ['a write by kubectl is a user', { manager: 'kubectl-edit' }, {}, { by: 'User', name: 'kubectl-edit' }],
  ])('%s', (_, seen, known, cause) => {
    const change = { version: 2, time: 2, assigned: { m2: 4 }, ...seen };
    expect(recorded(first, change, known).row.cause).toEqual(cause);
  });

  it('is the trigger also after a change of ready replicas between the trigger and the assignment', () => {
    const marks = { spec: triggered, annotations: signed };
    const between = recorded(first, { version: 2, time: 12, ready: { m1: 2 }, ...marks }).row;
    const { row } = recorded(between, { version: 3, time: 13, assigned: { m2: 4 }, ...marks });
    expect(row.cause).toEqual({ by: 'WorkloadRebalancer', name: 'bring-back' });
  });

  it('is a run only while it lasts', () => {
    const ended = { ...policy, run: { ...run, finishedAt: at(1) } } as KnownMover['policy'];
    const change = { version: 2, time: 700, assigned: { m2: 4 }, manager: 'evenkeel' };
    expect(recorded(first, change, { policy: ended }).row.cause).toEqual({ by: 'Scheduler', name: 'evenkeel' });
  });

  it('is asked for only if the assignment or the total differs', () => {
    expect(changeOf(first, observed({ version: 2, ready: { m1: 4 } }))).toBeUndefined();
    const larger = observed({ version: 2, time: 9, replicas: 5 });
    expect(changeOf(first, larger)).toEqual({ last: first, seen: larger.seen, marks: {}, at: at(9) });
    expect(changeOf(undefined, observed())).toBeUndefined();
  });
});

describe('a cluster', () => {
  const seen = (taints: readonly object[], over: { readonly ready?: string; readonly version?: string } = {}) => {
    const { ready = 'True', version = '1' } = over;
    const object = clusterObject('m1', { taints }) as { metadata: object; status: object };
    const condition = { type: 'Ready', status: ready, reason: 'ClusterNotReachable', message: 'no answer' };
    return parseObservedCluster({
      ...object,
      metadata: { ...object.metadata, resourceVersion: version },
      status: { ...object.status, conditions: [condition] },
    });
  };
  const stepOf = (last: Parameters<typeof clusterStep>[0], cluster: ReturnType<typeof seen> | undefined) =>
    clusterStep(last, { name: 'm1', seen: cluster, now: at(5) });
  const drain = { key: 'evenkeel.dev/drain', effect: 'NoSchedule' };
  const cordon = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };
  const notReady = { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' };

  it.each([
    ['Ready', [], 'True'],
    ['Ready', [{ key: 'gpu', effect: 'NoSchedule' }], 'True'],
    ['NotReady', [drain], 'False'],
    ['NotReady', [notReady], 'True'],
    ['Drained', [cordon, drain], 'True'],
    ['Cordoned', [cordon], 'True'],
    ['Tainted', [{ key: 'broken', effect: 'NoExecute' }], 'True'],
  ])('is %s with the taints %j and the condition Ready %s', (state, taints, ready) => {
    expect(stepOf(undefined, seen(taints, { ready })).row).toMatchObject({ state });
  });

  it('is recorded with the reason and the capacity, and again only if its state or taints differ', () => {
    const { row } = stepOf(undefined, seen([notReady], { ready: 'False' }));
    expect(row).toEqual({
      ...{
        at: at(5),
        version: '1',
        cluster: 'm1',
        state: 'NotReady',
        taints: ['cluster.karmada.io/not-ready:NoExecute'],
      },
      why: 'ClusterNotReachable: no answer',
      capacity: { allocatable: { pods: '100' }, allocated: {} },
    });
    expect(stepOf(row, seen([notReady], { ready: 'False', version: '2' })).row).toBeUndefined();
    expect(stepOf(row, seen([], { version: '3' })).row).toMatchObject({ state: 'Ready' });
  });

  it('is Gone once after it left the hub, and nothing of it is recorded if it was never seen', () => {
    const { row: last } = stepOf(undefined, seen([]));
    const { row: gone } = stepOf(last, undefined);
    expect(gone).toMatchObject({ state: 'Gone', version: '2' });
    expect(stepOf(gone, undefined).row).toBeUndefined();
    expect(stepOf(undefined, undefined).row).toBeUndefined();
  });

  it('is not recorded from a state that is older than the last row', () => {
    const { row: last } = stepOf(undefined, seen([], { version: '10' }));
    expect(stepOf(last, seen([cordon], { version: '9' })).row).toBeUndefined();
  });
});

describe('a scheduler that takes all replicas from a cluster', () => {
  const change = (seen: Seen) => {
    const found = changeOf(first, observed({ version: 2, time: 20, assigned: { m2: 4 }, ...seen }));
    if (found === undefined) throw new Error('nothing changed');
    return found;
  };

  it('has the state of the cluster as its reason, unless the cluster is ready', () => {
    const left = (state: 'NotReady' | 'Ready' | 'Gone') =>
      recorded(first, { version: 2, time: 20, assigned: { m2: 4 } }, { left: [{ cluster: 'm1', state }] }).row.cause;
    expect(leftByScheduler(change({}))).toEqual(['m1']);
    expect(left('NotReady')).toEqual({ by: 'Scheduler', name: 'karmada-scheduler', why: 'm1 is NotReady' });
    expect(left('Gone')).toMatchObject({ why: 'm1 is Gone' });
    expect(left('Ready')).toEqual({ by: 'Scheduler', name: 'karmada-scheduler' });
  });

  it.each<[string, Seen]>([
    ['a cluster keeps replicas', { assigned: { m1: 1, m2: 3 } }],
    ['the workload was scaled', { assigned: { m2: 3 }, replicas: 3 }],
    ['Karmada evicts from it', { spec: { gracefulEvictionTasks: [{ fromCluster: 'm1' }] } }],
    ['a WorkloadRebalancer triggered it', { spec: { rescheduleTriggeredAt: toTimestamp(at(19)) } }],
  ])('is not asked about if %s', (_, seen) => {
    expect(leftByScheduler(change(seen))).toEqual([]);
  });
});
