import { describe, expect, it } from 'vitest';
import {
  checkStep,
  decideRescheduling,
  firstCheckAt,
  placesToRead,
  presenceAfter,
  presenceOf,
  type Read,
  readOf,
  requireSomeRead,
  reschedulingTelemetry,
  workloadsToRead,
} from '../../../functions/workload-rebalancer/confirm-rescheduling.ts';
import { deadlineExceeded } from '../../../shared/core/deadline.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { RebalanceTask } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import { at, deployment, finishedTask, successful } from '../../builders.ts';

const limits = { rescheduleCheckSeconds: 15, rescheduleTimeoutSeconds: 300 };
const task = finishedTask({ finishTime: at(0) });

/** A binding with a trigger of second 5, of which the scheduler has observed this generation of 4. */
function triggered(observed: number, scheduled = 3): Read {
  return {
    resourceVersion: '1',
    generation: 4,
    schedulerObservedGeneration: observed,
    rescheduleTriggeredAt: at(5),
    lastScheduledTime: at(scheduled),
  };
}

const [acted, waiting] = [triggered(4), triggered(3)];

/** A check of workloads a, b, c … */
function check(reads: readonly Read[], { now = at(20), of = task } = {}) {
  const workloads = reads.map((_, i) => successful(deployment('abcdef'[i] ?? '')));
  const places = placesToRead(of, workloads.length);
  const read = new Map(places.map((place) => [place, reads[place] ?? ('unread' as const)]));
  return decideRescheduling(of, workloads, { reads: read, now, limits });
}

function after({ next }: ReturnType<typeof check>): RebalanceTask {
  return { ...task, rescheduling: next };
}

describe('whether the scheduler acted', () => {
  it('is confirmed when it has observed every trigger, whatever its clock notes', () => {
    const { next } = check([acted, triggered(4, 3600), triggered(4, -3600)]);
    expect(next).toMatchObject({ state: 'Confirmed', confirmed: 3, gone: 0, waitingFor: [] });
  });

  it('is not confirmed by a trigger alone', () => {
    const { next } = check([acted, waiting]);
    expect(next).toMatchObject({ state: 'Waiting', confirmed: 1, waitingFor: ['Deployment shop/b'] });
  });

  it('counts bindings that are gone as gone: nothing was rescheduled', () => {
    const { next, reason } = check([acted, 'gone', 'gone']);
    expect(next).toMatchObject({ state: 'Confirmed', confirmed: 1, gone: 2 });
    expect(reason).toBe('the scheduler acted on every trigger (1); 2 bindings gone');
  });

  it('waits for a binding that is there and cannot be read', () => {
    expect(check([acted, 'unreadable']).next).toMatchObject({ state: 'Waiting', confirmed: 1, gone: 0 });
  });

  it('is overdue when the time is over, with the number of those that wait', () => {
    const decision = check([waiting, waiting], { now: at(300) });
    expect(decision.next.state).toBe('Overdue');
    expect(decision.waiting).toBe(2);
    expect(decision.checkAgainAt).toBeUndefined();
  });

  it('checks again after 15, 30, 60 s, and at the deadline', () => {
    const checkTimes: number[] = [];
    let now: number | undefined = firstCheckAt(task, limits, at(0));
    while (now !== undefined) {
      checkTimes.push((now - at(0)) / 1000);
      now = check([waiting], { now }).checkAgainAt;
    }
    expect(checkTimes).toEqual([15, 30, 60, 120, 240, 300]);
  });

  it('gives the scheduler a moment before the first check, and none before a later one', () => {
    expect(firstCheckAt(task, limits, at(2))).toBe(at(15));
    const overdue = { state: 'Overdue', confirmed: 0, waitingFor: [], checkedAt: at(300) } as const;
    expect(firstCheckAt({ ...task, rescheduling: overdue }, limits, at(2))).toBeUndefined();
  });
});

describe('a check after another', () => {
  it('reads only what waits, and adds to what is known', () => {
    const first = after(check([acted, waiting, 'gone', waiting]));
    expect(placesToRead(first, 4)).toEqual([1, 3]);
    const { next } = check([acted, acted, 'gone', waiting], { of: first, now: at(30) });
    expect(next).toMatchObject({ confirmed: 2, gone: 1, waitingFor: ['Deployment shop/d'] });
  });

  it('goes on with what no check has read, before what waits, and is not overdue meanwhile', () => {
    const cut = check([waiting, acted, 'unread', 'unread'], { now: at(400) });
    expect(cut).toMatchObject({ next: { state: 'Waiting', confirmed: 1 }, checkAgainAt: at(415) });
    const first = after(cut);
    expect(placesToRead(first, 4)).toEqual([2, 3]);
    const { next } = check([waiting, acted, acted, waiting], { of: first, now: at(415) });
    expect(next).toMatchObject({
      state: 'Overdue',
      confirmed: 2,
      waitingFor: ['Deployment shop/a', 'Deployment shop/d'],
    });
  });

  it('reads everything again where the task is of an older version, which noted no places', () => {
    const old = { state: 'Waiting', confirmed: 1, waitingFor: ['Deployment shop/b'], checkedAt: at(20) } as const;
    const { next } = check([acted, acted], { of: { ...task, rescheduling: old } });
    expect(next).toMatchObject({ state: 'Confirmed', confirmed: 2 });
  });
});

describe('a delivery', () => {
  const confirmed = { state: 'Confirmed', confirmed: 1, waitingFor: [], checkedAt: at(1) } as const;

  it.each([
    ['does nothing without a task', undefined, { reason: 'there is no finished task to check' }],
    [
      'does nothing for a running task',
      { ...task, pendingChunks: [1] },
      { reason: 'there is no finished task to check' },
    ],
    ['does nothing twice', { ...task, rescheduling: confirmed }, { reason: 'confirmed before' }],
    ['schedules the first check', task, { checkAgainAt: at(15), reason: 'the scheduler has a moment to act' }],
  ])('%s', (_, stored, step) => {
    expect(checkStep(stored, limits, at(2))).toEqual(step);
  });

  it('checks when the first check is due', () => {
    expect(checkStep(task, limits, at(15)).task).toBe(task);
  });

  it('counts and names what is overdue', () => {
    expect(reschedulingTelemetry(task, check([waiting], { now: at(20) }))).toEqual([]);
    const fields = { hub: 'karmada', name: 'demo', waiting: 1, first: 'Deployment shop/a' };
    expect(reschedulingTelemetry(task, check([waiting], { now: at(300) }))).toEqual([
      { metric: 'ReschedulingsLate', value: 1 },
      { metric: 'ReschedulingOverdue', value: 1, dimensions: { hub: 'karmada' } },
      { code: 'EK300', fields },
    ]);
  });

  it('counts each trigger for the objective once: when it was acted on, or when it becomes overdue', () => {
    const counted = (of: RebalanceTask, ...given: Parameters<typeof check>) =>
      reschedulingTelemetry(of, check(...given)).flatMap((entry) =>
        'metric' in entry && entry.metric.startsWith('Reschedulings') ? [`${entry.metric} ${entry.value}`] : [],
      );
    const first = check([acted, waiting, waiting], { now: at(20) });
    expect(counted(task, [acted, waiting, waiting], { now: at(20) })).toEqual(['ReschedulingsInTime 1']);
    const second = check([acted, acted, waiting], { now: at(300), of: after(first) });
    expect(counted(after(first), [acted, acted, waiting], { now: at(300), of: after(first) })).toEqual([
      'ReschedulingsInTime 1',
      'ReschedulingsLate 1',
    ]);
    expect(counted(after(second), [acted, acted, waiting], { now: at(600), of: after(second) })).toEqual([]);
    expect(counted({ ...task, drains: 'm1' }, [acted], { now: at(20) })).toEqual([]);
    expect(counted(after(second), [acted, acted, acted], { now: at(900), of: after(second) })).toEqual([]);
  });
});

describe('a bulk read', () => {
  const web = deployment('web');
  const wanted = workloadsToRead(task, [successful(web)]);
  const binding = { key: { namespace: 'shop', name: 'web-deployment' }, resourceVersion: '1', generation: 1 };
  const away = new Fault('limited', 'slow down', { reason: 'TooManyRequests' });
  const invalid = new Fault('terminal', 'invalid', { reason: 'Invalid' });
  const cut = deadlineExceeded('GET');
  const read = (found: typeof binding | undefined, ...faults: readonly Fault[]) => ({ bindingOf: () => found, faults });

  it.each([
    ['found', read(binding, away), { resourceVersion: '1', generation: 1 }],
    ['gone if there was no fault', read(undefined), 'gone'],
    ['unread if the time ended', read(undefined, invalid, cut), 'unread'],
    ['unknown after another fault', read(undefined, invalid), undefined],
  ])('shows a binding as %s', (_, observed, expected) => {
    expect(readOf(web, observed)).toEqual(expected);
  });

  it('fails if nothing could be read', () => {
    expect(() => requireSomeRead(wanted, read(undefined, away))).toThrow(away);
    expect(() => requireSomeRead(wanted, read(undefined, away, cut))).toThrow(cut);
    expect(() => requireSomeRead(wanted, read(undefined, invalid))).not.toThrow();
    expect(() => requireSomeRead(wanted, read(binding, away))).not.toThrow();
  });

  it('is completed by reads by name', () => {
    expect([presenceOf(undefined), presenceOf({ uid: 'u', generation: 1 })]).toEqual(['gone', 'unreadable']);
    expect([presenceAfter(cut), presenceAfter(invalid)]).toEqual(['unread', 'unreadable']);
  });
});
