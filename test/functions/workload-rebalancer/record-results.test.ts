import { describe, expect, it } from 'vitest';
import { completionOf, recordResults } from '../../../functions/workload-rebalancer/record-results.ts';
import { chunk, deployment, failed, pending, successful } from '../../builders.ts';

const [a, b] = [deployment('a'), deployment('b')];

describe('recording results in a chunk', () => {
  it('gives a workload its result and leaves the others as they are', () => {
    expect(recordResults(chunk([pending(a), pending(b)]), [successful(b)]).workloads).toEqual([
      pending(a),
      successful(b),
    ]);
  });

  it('leaves a workload empty whose trigger met a passing error', () => {
    expect(recordResults(chunk([pending(a)]), [pending(a)]).workloads).toEqual([pending(a)]);
  });

  it('keeps a result that stands when two deliveries report the same workload', () => {
    expect(recordResults(chunk([successful(a)]), [failed(a)]).workloads).toEqual([successful(a)]);
  });

  it('ignores a result for a workload that the chunk does not hold', () => {
    expect(recordResults(chunk([pending(a)]), [successful(b)]).workloads).toEqual([pending(a)]);
  });
});

describe('the completion of a chunk', () => {
  it('is none while a workload has no result', () => {
    expect(completionOf(chunk([successful(a), pending(b)]))).toBeUndefined();
  });

  it('counts what succeeded and what failed', () => {
    expect(completionOf(chunk([successful(a), failed(b)], { number: 3 }))).toEqual({
      number: 3,
      successful: 1,
      failed: 1,
    });
  });
});
