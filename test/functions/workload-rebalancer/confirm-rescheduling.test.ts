import { describe, expect, it } from 'vitest';
import { decideRescheduling, firstLookAt } from '../../../functions/workload-rebalancer/confirm-rescheduling.ts';
import type { SeenBinding } from '../../../shared/model/rebalance-task.ts';
import { at, deployment, finishedTask } from '../../builders.ts';

const patience = { rescheduleCheckSeconds: 15, rescheduleTimeoutSeconds: 300 };
const task = finishedTask({ finishTime: at(0) });

function binding(
  name: string,
  trigger: number,
  scheduled?: number,
): { workload: ReturnType<typeof deployment>; binding: SeenBinding } {
  return {
    workload: deployment(name),
    binding: {
      resourceVersion: '1',
      rescheduleTriggeredAt: at(trigger),
      ...(scheduled !== undefined && { lastScheduledTime: at(scheduled) }),
    },
  };
}

describe('whether the scheduler acted', () => {
  it('is confirmed when every binding was scheduled at or after its trigger', () => {
    const { next } = decideRescheduling(task, [binding('a', 0, 0), binding('b', 0, 3)], { now: at(20), patience });
    expect(next).toMatchObject({ state: 'Confirmed', confirmed: 2, waitingFor: [] });
  });

  it('is not confirmed by a trigger alone', () => {
    const { next } = decideRescheduling(task, [binding('a', 0, 3), binding('b', 5, 3)], { now: at(20), patience });
    expect(next).toMatchObject({ state: 'Waiting', confirmed: 1, waitingFor: ['Deployment shop/b'] });
  });

  it('waits for a binding that was never scheduled', () => {
    expect(decideRescheduling(task, [binding('a', 0)], { now: at(20), patience }).next.state).toBe('Waiting');
  });

  it('does not wait for a binding that is gone', () => {
    const gone = { workload: deployment('a'), binding: undefined };
    expect(decideRescheduling(task, [gone], { now: at(20), patience }).next.state).toBe('Confirmed');
  });

  it('is overdue when patience is over, with the number of those that wait', () => {
    const decision = decideRescheduling(task, [binding('a', 5, 3), binding('b', 5, 3)], { now: at(300), patience });
    expect(decision.next.state).toBe('Overdue');
    expect(decision.waiting).toBe(2);
    expect(decision.lookAgainAt).toBeUndefined();
  });

  it('looks again after 15, 30, 60 s, and at the deadline', () => {
    const looks: number[] = [];
    let now: number | undefined = firstLookAt(task, patience, at(0));
    while (now !== undefined) {
      looks.push((now - at(0)) / 1000);
      now = decideRescheduling(task, [binding('a', 5, 3)], { now, patience }).lookAgainAt;
    }
    expect(looks).toEqual([15, 30, 60, 120, 240, 300]);
  });

  it('gives the scheduler a moment before the first look, and none before a later one', () => {
    expect(firstLookAt(task, patience, at(2))).toBe(at(15));
    const looked = { state: 'Overdue', confirmed: 0, waitingFor: [], lookedAt: at(300) } as const;
    expect(firstLookAt({ ...task, rescheduling: looked }, patience, at(2))).toBeUndefined();
  });
});
