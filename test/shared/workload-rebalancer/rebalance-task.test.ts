import { describe, expect, it } from 'vitest';
import { areWhole, countResults, isResolved, workloadsOf } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import { chunk, deployment, failed, pending, successful } from '../../builders.ts';

const [a, b, c, d] = [deployment('a'), deployment('b'), deployment('c'), deployment('d')];

describe('the workloads of a task', () => {
  it('are counted by their results', () => {
    const all = [successful(a), failed(b), pending(c), successful(d)];
    expect(countResults(all)).toEqual({ successful: 2, failed: 1, pending: 1 });
    expect(countResults([])).toEqual({ successful: 0, failed: 0, pending: 0 });
  });

  it('are resolved with either result, and not without', () => {
    expect([successful(a), failed(a), pending(a)].map(isResolved)).toEqual([true, true, false]);
  });

  it('come in the order of the status, whatever chunk each is in', () => {
    const chunks = [
      chunk([pending(d)], { number: 10 }),
      chunk([pending(a)], { number: 2 }),
      chunk([pending(c), pending(b)], { number: 0 }),
    ];
    expect(workloadsOf(chunks).map(({ workload }) => workload.name)).toEqual(['a', 'b', 'c', 'd']);
    expect(chunks.map(({ number }) => number)).toEqual([10, 2, 0]);
  });
});

describe('the chunks of a task', () => {
  it.each([
    [0, true],
    [1, false],
  ])('are whole where as many are there as the task has, and not with %i more', (more, whole) => {
    const chunks = [chunk([pending(a)], { number: 0 }), chunk([pending(b)], { number: 1 })];
    expect(areWhole(chunks, { chunks: 2 + more })).toBe(whole);
  });
});
