import { describe, expect, it } from 'vitest';
import type { TaskState } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import {
  mayTransition,
  type TransitionName,
  transitions,
} from '../../../shared/workload-rebalancer/task-transitions.ts';
import { task } from '../../builders.ts';

const states: readonly TaskState[] = ['Running', 'Finished', 'Abandoned'];

/** The states that a task may be in, with none of its chunks pending and the plan still its own. */
const allowed: Readonly<Record<TransitionName, readonly (TaskState | 'none')[]>> = {
  plan: ['none', 'Running', 'Finished', 'Abandoned'],
  completeChunk: ['Running'],
  finish: ['Running'],
  abandon: ['Running', 'Finished'],
  markProgressed: ['Running'],
  markReported: ['Running', 'Finished'],
  markRescheduling: ['Finished', 'Abandoned'],
};
const names = Object.keys(transitions) as TransitionName[];

describe('a task', () => {
  it.each(names)('may %s from these states and no other', (name) => {
    const free = states.filter((state) => mayTransition(name, task({ state, pendingChunks: [] }), 'plan-1'));
    const fromNone = mayTransition(name, undefined, 'plan-1') ? (['none'] as const) : [];
    expect([...fromNone, ...free]).toEqual(allowed[name]);
  });

  it.each([
    ['plan', true],
    ['completeChunk', false],
    ['finish', false],
    ['abandon', false],
    ['markProgressed', false],
    ['markReported', false],
    ['markRescheduling', false],
  ] as const)('may %s on a plan that is not its own any more: %s', (name, may) => {
    const state = name === 'markRescheduling' ? 'Finished' : 'Running';
    expect(mayTransition(name, task({ state, pendingChunks: [] }), 'plan-0')).toBe(may);
  });

  it.each([
    ['plan', true],
    ['completeChunk', true],
    ['finish', false],
    ['abandon', true],
    ['markProgressed', true],
    ['markReported', true],
    ['markRescheduling', false],
  ] as const)('may %s while a chunk is pending: %s', (name, may) => {
    const state = name === 'markRescheduling' ? 'Abandoned' : 'Running';
    expect(mayTransition(name, task({ state, pendingChunks: [1] }), 'plan-1')).toBe(may);
  });
});
