import { describe, expect, it } from 'vitest';
import {
  asLeft,
  isOfOtherList,
  isWorthReporting,
  projectStatus,
  reported,
  reportOf,
  shows,
  statusWrite,
  taskToReport,
} from '../../../functions/workload-rebalancer/report-status.ts';
import { listDigestOf } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import { writeStatus } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import {
  at,
  chunk,
  clusterRole,
  deployment,
  failed,
  finishedTask,
  pending,
  rebalancer,
  successful,
  task,
} from '../../builders.ts';

describe('an object on a hub that was restored', () => {
  const planned = task({ listDigest: listDigestOf([deployment('api')]) });

  it.each([
    ['gets no status of a task with another list for its generation', rebalancer(), true],
    ['gets the status of a task with its list', rebalancer({ workloads: [deployment('api')] }), false],
    ['gets the status of an earlier generation', rebalancer({ generation: 2 }), false],
    ['gets no status of a later generation', rebalancer({ generation: 0 }), true],
  ])('%s', (_, object, expected) => {
    expect(isOfOtherList(object, planned)).toBe(expected);
  });
});

describe('whether a task is worth a write', () => {
  it.each([
    ['not a finished task: its finish does that', finishedTask(), false],
    ['a task that was never reported', task(), true],
    ['not one on which nothing new happened', task({ chunks: 10, reportedPending: 2 }), false],
    ['a short task at each chunk', task({ chunks: 10, pendingChunks: [4, 5], reportedPending: 3 }), true],
    [
      'not a task of 50 chunks two chunks after its last report',
      task({ chunks: 50, pendingChunks: [1], reportedPending: 3 }),
      false,
    ],
    [
      'a task of 50 chunks three chunks after its last report',
      task({ chunks: 50, pendingChunks: [1], reportedPending: 4 }),
      true,
    ],
    ['not a task whose object is gone', finishedTask({ state: 'Abandoned' }), false],
    ['not a task that was planned 9.999 s ago', task({ quietSince: at(0) + 1 }), false],
    ['a task that was planned 10 s ago', task({ quietSince: at(0) }), true],
    [
      'not a task that was reported 9.999 s ago, however many chunks are done since',
      task({ chunks: 50, pendingChunks: [1], reportedPending: 40, quietSince: at(0) + 1 }),
      false,
    ],
    [
      'a task that was reported 10 s ago, with three chunks of 50 done since',
      task({ chunks: 50, pendingChunks: [1], reportedPending: 4, quietSince: at(0) }),
      true,
    ],
  ])('of its progress: %s', (_, subject, expected) => {
    expect(isWorthReporting(subject, 'progress', { progressReports: 20, now: at(10) })).toBe(expected);
  });

  it.each([
    ['a finished task at once, whenever it was reported', finishedTask({ quietSince: at(10) }), true],
    ['not one that runs again, if progress was reported a short while ago', task({ quietSince: at(9) }), false],
    ['not a task whose object is gone', finishedTask({ state: 'Abandoned' }), false],
  ])('of its finish: %s', (_, subject, expected) => {
    expect(isWorthReporting(subject, 'finish', { progressReports: 20, now: at(10) })).toBe(expected);
  });
});

describe('the status of a task', () => {
  const chunks = [
    chunk([failed(clusterRole('gone'))], { number: 1 }),
    chunk([successful(deployment('a')), pending(deployment('b'))], { number: 0 }),
  ];

  it("has upstream's shape and order: chunks by number, empty fields left out", () => {
    const status = writeStatus(projectStatus(finishedTask({ generation: 3, finishTime: at(5) }), chunks));
    expect(JSON.parse(JSON.stringify(status))).toEqual({
      observedWorkloads: [
        { workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'a' }, result: 'Successful' },
        { workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'b' } },
        {
          workload: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'gone' },
          result: 'Failed',
          reason: 'ReferencedBindingNotFound',
        },
      ],
      observedGeneration: 3,
      finishTime: '2026-11-21T10:00:05Z',
    });
  });

  it('takes a finish time back that is no longer true', () => {
    expect(JSON.parse(JSON.stringify(writeStatus(projectStatus(task(), chunks))))).toMatchObject({ finishTime: null });
  });

  it('is not written if the object has it already', () => {
    const status = projectStatus(finishedTask(), chunks);
    expect(shows(rebalancer({ status }), status)).toBe(true);
    expect(shows(rebalancer({ status: { ...status, observedGeneration: 2 } }), status)).toBe(false);
  });

  it.each([
    ['written if the object shows another', rebalancer(), { metadata: { resourceVersion: '7' } }],
    [
      'not written if the object shows it',
      rebalancer({ status: projectStatus(task({ chunks: 2 }), chunks) }),
      undefined,
    ],
  ])('is %s', (_, object, merge) => {
    const write = statusWrite(object, task({ chunks: 2 }), chunks);
    if (merge === undefined) expect(write).toEqual({});
    else expect(write).toMatchObject({ merge });
  });

  it('is not written if rows are gone, or the object shows the finish of this generation', () => {
    expect(statusWrite(rebalancer(), task({ chunks: 3 }), chunks)).toBeUndefined();
    const status = { observedWorkloads: [successful(deployment('web'))], observedGeneration: 1, finishTime: at(1) };
    expect(statusWrite(rebalancer({ status }), finishedTask({ chunks: 2 }), chunks)).toEqual({});
  });

  it('is written without a read on the version that the plan or the last report left, and on no other', () => {
    const left = asLeft(task({ uid: 'uid-1', statusVersion: '7' }), 0);
    expect(left).toEqual({
      uid: 'uid-1',
      resourceVersion: '7',
      status: { observedWorkloads: [], observedGeneration: 0 },
    });
    expect(left && statusWrite(left, task({ chunks: 2 }), chunks)).toMatchObject({
      merge: { metadata: { resourceVersion: '7' } },
    });
    expect(asLeft(task(), 0)).toBeUndefined();
    expect(asLeft(task({ statusVersion: '7' }), 1)).toBeUndefined();
  });

  it('leaves its version to the next report, but not that of the finish', () => {
    expect(reportOf(task({ pendingChunks: [1, 2, 3] }), '9')).toEqual({ pending: 3, statusVersion: '9' });
    expect(reportOf(finishedTask(), '9')).toEqual({ pending: 0, statusVersion: undefined });
  });

  it('is published once the task is finished', () => {
    expect(reported(task())).toEqual({ reason: 'reported, 2 chunks pending', events: [] });
    expect(reported(finishedTask()).events.map(({ type }) => type)).toEqual(['RebalanceReported']);
  });

  it('is due by the type of its events', () => {
    const limits = { progressReports: 20, now: at(10) };
    const task = finishedTask();
    expect(taskToReport(task, new Set(['RebalanceFinished', 'RebalanceProgressed']), limits)).toBe(task);
    expect(taskToReport(finishedTask(), new Set(['RebalanceProgressed']), limits)).toBeUndefined();
    expect(taskToReport(undefined, new Set(['RebalanceFinished']), limits)).toBeUndefined();
  });
});
