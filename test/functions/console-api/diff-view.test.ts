/** The outcome of each workload of a task and of a run, from what is stored of it and from its recorded placements. */
import { describe, expect, it } from 'vitest';
import { runItems, taskItems } from '../../../functions/console-api/diff-view.ts';
import type { ReadPlacements } from '../../../shared/placement-history/history-store.ts';
import type { PlacementRow } from '../../../shared/placement-history/placement-row.ts';
import type { RunRecord, WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import type { RebalanceTask, TaskWorkload } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import { at, deployment } from '../../builders.ts';

const web = deployment('web');
const binding = { namespace: 'shop', name: 'web-deployment' };
const MINUTES = 60;
const now = at(60 * MINUTES);

const finished: RebalanceTask = {
  ...{ hub: 'h', uid: 'u', name: 'home', creationTimestamp: at(10), generation: 1, plan: 'p', state: 'Finished' },
  ...{ workloads: 1, successful: 1, failed: 0, chunks: 1, pendingChunks: [], finishTime: at(12) },
  ...{ updatedAt: at(30), expiresAt: at(9999) },
};
const confirmed = { state: 'Confirmed', confirmed: 1, waitingFor: [], checkedAt: at(30) } as const;
const triggered: TaskWorkload = {
  workload: web,
  wantedSince: at(10),
  result: 'Successful',
  why: 'triggered: as wanted',
};

function row(second: number, assigned: PlacementRow['assigned'], over: Partial<PlacementRow> = {}): PlacementRow {
  const version = String(100 + second);
  return {
    ...{ at: at(second), version, lastVersion: version, binding, uid: 'b', workload: web, total: 4 },
    ...{ assigned, ready: {}, marks: {}, ...over },
  };
}

const before = row(0, { m1: 4 }, { cause: { by: 'Created' } });
const read = (...rows: PlacementRow[]): ReadPlacements => ({ page: { rows: rows.toReversed() }, before });
const moved = (cause: PlacementRow['cause'], marks: PlacementRow['marks'] = {}) =>
  read(row(11, { m2: 4 }, { ...(cause && { cause }), marks }));

interface Given {
  readonly task?: Partial<RebalanceTask>;
  readonly workload?: Partial<TaskWorkload>;
}

function taskDiff({ task = { rescheduling: confirmed }, workload = {} }: Given, of?: ReadPlacements, time = now) {
  const workloads = [{ ...triggered, ...workload }];
  return taskItems({ task: { ...finished, ...task }, workloads }, time)[0]?.diff(of);
}

describe('the outcome of a workload of a task', () => {
  const pending = { result: undefined } as unknown as Partial<TaskWorkload>;

  it.each<[string, Given, ReadPlacements | undefined, object]>([
    [
      'Moved by its own change',
      {},
      moved({ by: 'WorkloadRebalancer', name: 'home' }),
      { outcome: 'Moved', before: { m1: 4 }, after: { m2: 4 }, moves: 4, source: 'Recorded' },
    ],
    [
      'Moved before the task is checked',
      { task: {} },
      moved({ by: 'WorkloadRebalancer', name: 'home' }),
      { outcome: 'Moved' },
    ],
    [
      'Unchanged by the change of another rebalancer',
      {},
      moved({ by: 'WorkloadRebalancer', name: 'other' }),
      { outcome: 'Unchanged', before: { m1: 4 }, after: { m1: 4 }, moves: 0 },
    ],
    ['Unchanged by the run of a policy', {}, moved({ by: 'RebalancePolicy', name: 'p' }), { outcome: 'Unchanged' }],
    [
      'Moved by the wave that it is',
      { task: { ofPolicy: true, rescheduling: confirmed } },
      moved({ by: 'ClusterDrain', name: 'drain-m1' }),
      { outcome: 'Moved' },
    ],
    [
      'Moved by a slow scheduler with its trigger',
      {},
      moved({ by: 'Scheduler' }, { triggeredAt: at(10) }),
      { outcome: 'Moved' },
    ],
    [
      'Unchanged by a scheduler with an older trigger',
      {},
      moved({ by: 'Scheduler' }, { triggeredAt: at(9) }),
      { outcome: 'Unchanged' },
    ],
    ['Unchanged by ready replicas', {}, read(row(11, { m1: 4 }, { ready: { m1: 3 } })), { outcome: 'Unchanged' }],
    [
      'Moved by its given assignment, whatever its cause',
      { task: { assigns: true, rescheduling: confirmed } },
      moved({ by: 'RebalancePolicy', why: 'r1' }, { assignedAt: '2026-11-21T10:00:10Z' }),
      { outcome: 'Moved' },
    ],
    [
      'Unchanged by an assignment that another rebalancer gave, with its own reason',
      { task: { assigns: true, rescheduling: confirmed }, workload: { why: 'it has that assignment' } },
      moved({ by: 'WorkloadRebalancer' }, { assignedAt: '2026-11-21T10:00:09Z' }),
      { outcome: 'Unchanged', why: 'it has that assignment' },
    ],
    [
      'Unchanged if it moved away and back',
      {},
      read(
        row(11, { m2: 4 }, { cause: { by: 'WorkloadRebalancer', name: 'home' } }),
        row(12, { m1: 4 }, { cause: { by: 'WorkloadRebalancer', name: 'home' } }),
      ),
      { outcome: 'Unchanged' },
    ],
    [
      'Pending without a check, with the placement before',
      { task: {} },
      read(),
      { outcome: 'Pending', before: { m1: 4 } },
    ],
    [
      'Pending while its trigger waits',
      { task: { rescheduling: { ...confirmed, state: 'Waiting', open: { waiting: [0], unread: [] } } } },
      read(),
      { outcome: 'Pending', why: 'the scheduler is not known to have acted on its trigger yet' },
    ],
    [
      'Pending if its trigger is overdue, with what to check',
      { task: { rescheduling: { ...confirmed, state: 'Overdue', open: { waiting: [0], unread: [] } } } },
      read(),
      {
        outcome: 'Pending',
        why: 'the scheduler has not acted on its trigger in time; check that it runs on the hub',
      },
    ],
    [
      'Unchanged while another trigger of the task waits',
      { task: { rescheduling: { ...confirmed, state: 'Waiting', open: { waiting: [1], unread: [] } } } },
      read(),
      { outcome: 'Unchanged' },
    ],
    [
      'Pending without a result, with what it waits for',
      { task: { state: 'Running' }, workload: { ...pending, why: 'waits: of a MoveBudget' } },
      read(),
      { outcome: 'Pending', why: 'waits: of a MoveBudget' },
    ],
    [
      'Skipped without a result if its rebalancer was deleted',
      { task: { state: 'Abandoned' }, workload: pending },
      read(),
      { outcome: 'Skipped', why: 'the WorkloadRebalancer was deleted before' },
    ],
    [
      'Failed with reason and text',
      { workload: { result: 'Failed', reason: 'InsufficientCapacity', why: 'not moved: 2 do not fit' } },
      read(),
      { outcome: 'Failed', why: 'InsufficientCapacity: not moved: 2 do not fit', before: { m1: 4 } },
    ],
    ['Rescheduled without placements', {}, undefined, { outcome: 'Rescheduled', moves: 0 }],
    [
      'Rescheduled if the first record is later',
      {},
      { page: { rows: [row(20, { m2: 4 }, { cause: { by: 'FirstRecord' } })] }, before: undefined },
      { outcome: 'Rescheduled' },
    ],
  ])('is %s', (_, given, of, expected) => {
    expect(taskDiff(given, of)).toMatchObject(expected);
  });

  it('has no placement after it while it is Pending', () => {
    expect(taskDiff({ task: {} }, read())).not.toHaveProperty('after');
  });

  it('is Pending for ten minutes after its rebalancer was deleted, then as recorded', () => {
    const given: Given = { task: { state: 'Abandoned', updatedAt: at(30) } };
    expect(taskDiff(given, read(), at(30 + 10 * MINUTES))?.outcome).toBe('Pending');
    expect(taskDiff(given, read(), at(31 + 10 * MINUTES))?.outcome).toBe('Unchanged');
  });
});

describe('the rows that are read of a workload of a task', () => {
  const rangeOf = (task: Partial<RebalanceTask>) =>
    taskItems({ task: { ...finished, ...task }, workloads: [triggered] }, now)[0]?.query;

  it('begin when it is wanted, and end ten minutes after the finish of a confirmed task', () => {
    expect(rangeOf({ rescheduling: confirmed })).toEqual({ binding, from: at(10), to: at(12 + 10 * MINUTES) });
    const late = { ...confirmed, checkedAt: at(20 * MINUTES) };
    expect(rangeOf({ rescheduling: late })?.to).toBe(at(20 * MINUTES));
  });

  it('end in the future while the task is open', () => {
    for (const rescheduling of [undefined, { ...confirmed, state: 'Overdue' } as const])
      expect(rangeOf({ ...(rescheduling && { rescheduling }) })?.to).toBe(now + 10 * MINUTES * 1000);
  });
});

describe('the outcome of a decision of a run', () => {
  const decision: WorkloadDecision = {
    ...{ workload: web, binding, why: 'm2 recovered', current: { m1: 4, m2: 0 }, next: { m1: 2, m2: 2 }, moves: 2 },
  };
  const record = (state: RunRecord['run']['state']): RunRecord => ({
    ...{ hub: 'h', uid: 'p', name: 'come-home' },
    run: {
      ...{ run: 'r1', triggers: [], state, message: '', startedAt: at(10) + 300, waves: 1, wavesDone: 1 },
      ...{ notBefore: at(0), workloads: 1, moved: 2, skipped: 0 },
      ...(state !== 'Running' && { finishedAt: at(40) }),
    },
  });
  const items = (over: Partial<WorkloadDecision>, state: RunRecord['run']['state'] = 'Finished') => {
    const wave = { hub: 'h', uid: 'p', run: 'r1', number: 0, workloads: [{ ...decision, ...over }] };
    return runItems({ record: record(state), waves: [wave], skipped: [] }, now);
  };
  const plan = { before: { m1: 4 }, after: { m1: 2, m2: 2 }, source: 'Planned', moves: 2 };
  const ofRun = { by: 'RebalancePolicy', name: 'come-home', why: 'r1' } as const;

  it.each<[string, Partial<WorkloadDecision>, RunRecord['run']['state'], object]>([
    ['Moved as planned', { outcome: 'Moved' }, 'Finished', { outcome: 'Moved', ...plan }],
    ['Unchanged as it was', { outcome: 'Unmoved' }, 'Finished', { outcome: 'Unchanged', after: { m1: 4 }, moves: 0 }],
    ['Failed with the reason', { outcome: 'NotReady', reason: 'late' }, 'Finished', { outcome: 'Failed', why: 'late' }],
    ['Skipped without a binding', { outcome: 'Gone' }, 'Finished', { outcome: 'Skipped', moves: 0 }],
    ['Skipped in a dry run, with the plan', { outcome: 'DryRun' }, 'DryRun', { outcome: 'Skipped', ...plan }],
    ['Pending in its wave', { outcome: 'Moving' }, 'Running', { outcome: 'Pending', ...plan }],
    ['Pending before its wave', {}, 'Running', { outcome: 'Pending', why: 'm2 recovered' }],
    ['Pending if it was put off', { outcome: 'PutOff' }, 'Running', { outcome: 'Pending' }],
    ['Skipped if its wave never began', {}, 'Stopped', { outcome: 'Skipped' }],
    ['Skipped if it was put off to the end', { outcome: 'PutOff' }, 'Superseded', { outcome: 'Skipped' }],
  ])('is %s', (_, over, state, expected) => {
    expect(items(over, state)[0]?.diff(undefined)).toMatchObject(expected);
  });

  it('has the recorded placements of this run, and not those of another', () => {
    const recorded = { before: { m1: 4 }, after: { m2: 4 }, source: 'Recorded', moves: 4 };
    expect(items({ outcome: 'Moved' })[0]?.diff(moved(ofRun))).toMatchObject(recorded);
    expect(items({ outcome: 'Moved' })[0]?.diff(moved({ ...ofRun, why: 'r0' }))).toMatchObject(plan);
    expect(items({ outcome: 'NotReady' })[0]?.diff(moved(ofRun))).toMatchObject({ outcome: 'Failed', ...recorded });
  });

  it('is Moved in its wave as soon as the change is recorded', () => {
    expect(items({ outcome: 'Moving' }, 'Running')[0]?.diff(moved(ofRun))?.outcome).toBe('Moved');
  });

  it('is read from the second before the start of the run until ten minutes after its end', () => {
    expect(items({})[0]?.query).toEqual({ binding, from: at(9), to: at(40 + 10 * MINUTES) });
    expect(items({}, 'Running')[0]?.query.to).toBe(now + 10 * MINUTES * 1000);
  });
});
